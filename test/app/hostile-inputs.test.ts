/** Files of users that are empty, cut, deep, huge or no text at all: each ends with a code and a place, and none as a bug of ours. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { tar, zip } from '../support/compress.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../support/places.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { run } from './fake-terminal.ts';

const folder = temporaryDirectory('hostile-inputs');
const strategy = sampleStrategy('favourite-scalp');
const HUGE = '9'.repeat(400);
const DEEP = 100_000;
const nested = nestedTo(DEEP);

const LINE = '{"op":"mcm","clk":"A","pt":1700000000000,"mc":[{"id":"1.5","rc":[]}]}\n';
const YAML = `strategies: [{ file: ${strategy}, params: { stake: 2 } }]\ntapes: [${SAMPLE_TAPE}]\n`;
const SWEEP = `${YAML}space: { stake: [1, 2] }\n`;
const SIGNALS = 'availableAt,market,outcome,value\n2026-03-24T12:00:00Z,m,o,1\n';
const MODEL = `import { defineStrategy } from 'oddsmith';
export default defineStrategy({ name: 'reads', signals: [{ name: 'model', file: 'SIGNALS' }], decide: () => [] });
`;

interface InputKind {
  readonly name: string;
  readonly whole: Buffer;
  /** What is deep, or holds a number beyond all bounds, as this kind has it. */
  readonly deep: string;
  readonly huge: string;
  readonly command: (path: string) => readonly string[];
  readonly wrap?: (text: Buffer) => Buffer;
}

const importing = (path: string) => ['import', 'betfair', path, '--tape', `${path}.tape`];
const recording = (name: string, wrap: (text: Buffer) => Buffer): InputKind => ({
  name,
  whole: wrap(Buffer.from(LINE.repeat(50))),
  deep: `{"op":"mcm","pt":1,"mc":${nested}}\n`,
  huge: LINE.replace('1700000000000', HUGE),
  command: importing,
  wrap,
});
const signals = (name: string, whole: string, huge: string): InputKind => ({
  name,
  whole: Buffer.from(whole),
  deep: nested,
  huge,
  command: (path) => {
    const reader = `${path}.ts`;
    writeFileSync(reader, MODEL.replace('SIGNALS', path));
    return ['backtest', '--strategy', reader, '--tape', SAMPLE_TAPE, '--out', join(folder, 'out')];
  },
});
const configuration = (name: string, whole: string, command: string): InputKind => ({
  name,
  whole: Buffer.from(whole),
  // The parser of YAML takes its time with more.
  deep: `strategies: ${nestedTo(3_000)}\n`,
  huge: whole.replace('stake: 2', `stake: ${HUGE}`),
  command: (path) => [command, path, ...(command === 'backtest' ? ['--out', join(folder, 'out')] : [])],
});

const KINDS: readonly InputKind[] = [
  recording('recording.jsonl', (text) => text),
  recording('recording.gz', gzipSync),
  recording('recording.zst', zstdCompressSync),
  recording('recording.tar', (text) => tar({ 'a.jsonl': text })),
  recording('recording.zip', (text) => zip({ 'a.jsonl': text }, 'DEFLATED')),
  configuration('backtest.yaml', YAML, 'backtest'),
  configuration('sweep.yaml', SWEEP, 'sweep'),
  signals('signals.csv', SIGNALS, SIGNALS.replace(',1\n', `,${HUGE}\n`)),
  signals(
    'signals.jsonl',
    '{"availableAt":1,"market":"m","outcome":"o","value":1}\n',
    `{"availableAt":${HUGE},"market":"m","value":1}\n`,
  ),
  {
    name: 'a.tape',
    whole: readFileSync(SAMPLE_TAPE),
    deep: nested,
    huge: HUGE,
    command: (path) => ['backtest', '--strategy', strategy, '--tape', path, '--out', join(folder, 'out')],
  },
];

const GARBAGE = Buffer.from(Array.from({ length: 4_000 }, (_, index) => (index * 7_919) % 256));

describe.each(KINDS)('$name', ({ name, whole, deep, huge, command, wrap = (text: Buffer) => text }) => {
  test.each<[string, Buffer]>([
    ['empty', Buffer.alloc(0)],
    ['binary garbage', GARBAGE],
    ['garbage where its text should be', wrap(GARBAGE)],
    ['deeply nested', wrap(Buffer.from(deep))],
    ['with a huge number', wrap(Buffer.from(huge))],
    ['with NUL bytes', wrap(Buffer.concat([Buffer.alloc(64), Buffer.from('a\0b\n')]))],
    ['cut in the middle', whole.subarray(0, Math.floor(whole.length / 2))],
    ['with its end gone', whole.subarray(0, whole.length - 7)],
  ])('%s', async (how, content) => {
    const path = join(folder, `${how.replaceAll(' ', '-')}-${name}`);
    writeFileSync(path, content);
    const { code, out, note } = await run(...command(path), '--json');
    const { error } = JSON.parse(out || '{}');
    expect(code, `${out.slice(0, 2_000)} ${note.slice(0, 2_000)}`).not.toBe(1);
    // What says nothing at all has no place.
    if (code === 0 || error?.code === 'USAGE') return;
    expect(error?.code, out.slice(0, 2_000)).toMatch(/^[A-Z_]+$/);
    expect(error.where, 'a place').toContain(name.split('.')[0]);
    expect(error.next, 'a next step').toBeTruthy();
  });
});

/** What is wrong with a configuration in its text, whatever the command. */
const BAD_YAML: Readonly<Record<string, string>> = {
  'aliases of aliases': [
    'a0: &a0 [x, x, x, x, x, x, x, x, x]',
    ...Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`),
  ].join('\n'),
  'a list in itself': 'strategies: &a [*a]\n',
  'a map in itself': 'exchange: &a { url: *a }\n',
  'a line of a megabyte': `strategies: ["${'x'.repeat(1_000_000)}"]\n`,
  'a key twice': 'strategies: []\nstrategies: []\n',
  'a name of every object': '__proto__: { polluted: 1 }\nconstructor: 1\n',
  'a list for all': '[1, 2]\n',
  'a number for all': '7\n',
  'two documents': 'a: 1\n---\nb: 2\n',
  'a tag': 'strategies: !!js/function "x"\n',
  'no number': 'strategies: .nan\nlimits: .inf\n',
  'an empty key': '? []\n: 1\n',
};

describe.each(['backtest', 'sweep', 'run', 'record', 'alert test', 'doctor'])('a configuration of %s', (command) => {
  test.each(Object.entries(BAD_YAML))('with %s', async (what, text) => {
    const path = join(folder, `${command}-${what}.yaml`.replaceAll(' ', '-'));
    writeFileSync(path, text);
    const { code, out, note } = await run(...command.split(' '), path, '--json');
    expect(`${out}${note}`.slice(0, 2_000)).not.toContain('INTERNAL_BUG');
    expect(code).toBe(2);
    if (command === 'doctor') return;
    const { error } = JSON.parse(out);
    expect(error).toMatchObject({ code: expect.stringMatching(/^CONFIG_/), where: expect.stringContaining(path) });
    expect(error.next).toBeTruthy();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

test.each(['__proto__=1', 'constructor=1', 'stake=NaN', 'stake=1e999', `stake=${HUGE}`, 'stake=', '=1', '='])(
  'a backtest with --param %s',
  async (param) => {
    const { code, out, note } = await run(
      ...['backtest', '--strategy', strategy, '--tape', SAMPLE_TAPE],
      '--param',
      param,
      '--json',
    );
    const { error } = JSON.parse(out);
    expect(code, note).toBe(2);
    expect(error.code).not.toBe('INTERNAL_BUG');
    expect(error.next).toBeTruthy();
  },
);

function nestedTo(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`;
}
