/** Every path of every command, with everything that a path may be instead: an error with a code, never a bug of ours, no waiting. */

import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { packedReport } from '../../src/report/html/html.ts';
import { sampleResult } from '../report/sample-result.ts';
import { tar } from '../support/compress.ts';
import { ROOT, SAMPLE_TAPE, sampleStrategy } from '../support/places.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { run } from './fake-terminal.ts';

const strategy = sampleStrategy('favourite-scalp');
const folder = temporaryDirectory('paths');

function at(name: string, make: (path: string) => unknown): string {
  const path = join(folder, name);
  make(path);
  return path;
}

const text = at('text', (path) => writeFileSync(path, 'dear diary'));
const pipe = at('pipe', (path) => execFileSync('mkfifo', [path]));

const BAD: Readonly<Record<string, string>> = {
  // Under a name of its own for each command: some make the directories of what they write.
  missing: join(folder, 'none'),
  'below a file': join(text, 'below'),
  'a link to nothing': at('dangling', (path) => symlinkSync('nowhere', path)),
  'a circle of links': at('circle', (path) => symlinkSync('circle', path)),
  'a device': '/dev/null',
  'a pipe': pipe,
  'a link to a pipe': at('to-pipe', (path) => symlinkSync(pipe, path)),
  'too long a name': join(folder, 'x'.repeat(300)),
  'too long a path': join(folder, 'x/'.repeat(3000)),
  'a name with NUL': join(folder, 'a\0b'),
  'a text': text,
  'an empty file': at('empty', (path) => writeFileSync(path, '')),
  'bytes of no text': at('bytes', (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0, 0x80, 0x1b]))),
  'an empty directory': at('directory', (path) => mkdirSync(path)),
  unwritable: '/proc/oddsmith/x',
};

/** A run that can be drawn: what is bad is where its page goes. */
const played = at('played', (path) => writeRun(path));

const packed = at('packed.tgz', (path) =>
  writeFileSync(path, gzipSync(tar({ 'package/package.json': Buffer.from('{"name":"oddsmith","version":"0.1.0"}') }))),
);
const tape = at('a.tape', (path) => copyFileSync(SAMPLE_TAPE, path));

/** `fine`: what the command may well take there. */
const PLACES: readonly {
  readonly name: string;
  readonly args: (path: string) => readonly string[];
  readonly fine?: readonly string[];
}[] = [
  { name: 'import', args: (path) => ['import', 'betfair', path, '--tape', join(folder, 'new.tape')] },
  { name: 'import --tape', args: (path) => ['import', 'betfair', text, '--tape', path] },
  { name: 'import --tape --overwrite', args: (path) => ['import', 'betfair', text, '--tape', path, '--overwrite'] },
  { name: 'import --tape --append', args: (path) => ['import', 'betfair', text, '--tape', path, '--append'] },
  { name: 'tape info', args: (path) => ['tape', 'info', path] },
  { name: 'tape verify', args: (path) => ['tape', 'verify', path] },
  { name: 'tape export', args: (path) => ['tape', 'export', path] },
  {
    name: 'tape export --out',
    args: (path) => ['tape', 'export', tape, '--market', '99000401', '--out', path],
    fine: ['a text', 'an empty file', 'bytes of no text'],
  },
  { name: 'tape index', args: (path) => ['tape', 'index', path] },
  { name: 'tape split', args: (path) => ['tape', 'split', path, '--by', 'event', '--out', join(folder, 'pieces')] },
  {
    name: 'tape split --out',
    args: (path) => ['tape', 'split', tape, '--by', 'event', '--out', path],
    fine: ['missing', 'an empty directory'],
  },
  { name: 'tape serve', args: (path) => ['tape', 'serve', path, '--port', '0'] },
  {
    name: 'worker --tapes',
    args: (path) => ['worker', '--once', '--redis', 'redis://127.0.0.1:1', '--tapes', path],
  },
  { name: 'backtest', args: (path) => ['backtest', path] },
  { name: 'backtest --strategy', args: (path) => ['backtest', '--strategy', path, '--tape', tape] },
  { name: 'backtest --tape', args: (path) => ['backtest', '--strategy', strategy, '--tape', path] },
  {
    name: 'backtest --out',
    args: (path) => ['backtest', '--strategy', strategy, '--tape', tape, '--out', path],
    fine: ['missing', 'an empty directory'],
  },
  { name: 'init', args: (path) => ['init', path, '--from', packed], fine: ['missing', 'an empty directory'] },
  { name: 'init --from', args: (path) => ['init', join(folder, 'never'), '--from', path] },
  // What is no configuration is one of the things that it finds.
  { name: 'doctor', args: (path) => ['doctor', path], fine: ['a text', 'an empty file', 'bytes of no text'] },
  { name: 'completion', args: (path) => ['completion', path] },
  { name: 'demo --out', args: (path) => ['demo', '--out', path], fine: ['missing', 'an empty directory'] },
  { name: 'sweep', args: (path) => ['sweep', path] },
  { name: 'sweep top', args: (path) => ['sweep', 'top', path] },
  { name: 'sweep show', args: (path) => ['sweep', 'show', path] },
  { name: 'sweep export', args: (path) => ['sweep', 'export', path, '--csv', join(folder, 'never.csv')] },
  { name: 'sweep holdout', args: (path) => ['sweep', 'holdout', path] },
  { name: 'sweep holdout --open', args: (path) => ['sweep', 'holdout', path, '--open', '0'] },
  { name: 'sweep rerun', args: (path) => ['sweep', 'rerun', path, '--trial', '0'] },
  { name: 'sandbox --tape', args: (path) => ['sandbox', '--memory', '--port', '0', '--tape', path] },
  {
    name: 'sandbox --state',
    args: (path) => ['sandbox', '--port', '0', '--state', path],
    fine: ['missing', 'an empty file', 'a link to nothing'],
  },
  { name: 'record', args: (path) => ['record', path] },
  { name: 'run', args: (path) => ['run', path] },
  { name: 'run --paper', args: (path) => ['run', path, '--paper'] },
  ...['status', 'halt', 'cancel', 'resume', 'stop'].flatMap((name) => [
    { name, args: (path: string) => [name, path] },
    { name: `${name} --dir`, args: (path: string) => [name, '--dir', path] },
  ]),
  { name: 'alert test', args: (path) => ['alert', 'test', path] },
  { name: 'dashboard', args: (path) => ['dashboard', path, '--port', '0'], fine: ['an empty directory'] },
  { name: 'dashboard link', args: (path) => ['dashboard', 'link', path] },
  { name: 'dashboard link --dir', args: (path) => ['dashboard', 'link', '--dir', path] },
  { name: 'parity', args: (path) => ['parity', path] },
  { name: 'report', args: (path) => ['report', path] },
  { name: 'report beside another', args: (path) => ['report', played, path] },
  {
    name: 'report --out',
    args: (path) => ['report', played, '--out', path],
    fine: ['missing', 'a text', 'an empty file', 'bytes of no text'],
  },
  { name: 'view', args: (path) => ['view', path, '--port', '0'] },
  { name: 'view --tape', args: (path) => ['view', played, '--tape', path, '--port', '0'] },
  { name: 'explain', args: (path) => ['explain', path] },
];

function writeRun(path: string): void {
  mkdirSync(path);
  writeFileSync(join(path, 'report-data.gz'), packedReport(sampleResult(1)).packed);
}

const RUN_EACH = join(ROOT, 'test/support/hostile/run-each.ts');
/** A row that takes so long does not end. */
const WAITS_MS = 60_000;

let asked = 0;
function nextName(): string {
  asked += 1;
  return String(asked);
}

/** What may wait without end is asked for in a process of its own, which can be ended. One for all: it loads every command. */
const MAY_WAIT = /pipe|device/;

function wordsOf({ args }: (typeof PLACES)[number], what: string, path: string): readonly string[] {
  return [...args(what === 'missing' ? join(path, nextName(), 'none') : path), '--json'];
}

function expectRefused({ code, out }: { readonly code: number | null; readonly out: string }): void {
  const { error } = JSON.parse(out.trim().split('\n').at(-1) ?? '');
  expect(error, out).toBeDefined();
  expect(error.code).not.toBe('INTERNAL_BUG');
  expect([2, 5], JSON.stringify(error)).toContain(code);
  expect(error.what).toMatch(/[.?!]$/);
  expect(error.next).toBeTruthy();
}

describe.each(PLACES)('$name', (place) => {
  const bad = Object.entries(BAD).filter(([what]) => !place.fine?.includes(what) && !MAY_WAIT.test(what));

  test.each(bad)('%s', async (what, path) => expectRefused(await run(...wordsOf(place, what, path))));
});

describe('what may wait without end', () => {
  const rows = Object.entries(BAD)
    .filter(([what]) => MAY_WAIT.test(what))
    .flatMap(([what, path]) =>
      PLACES.filter(({ fine }) => !fine?.includes(what)).map((place) => ({ what, path, place })),
    );
  const lines: string[] = [];

  beforeAll(async () => {
    const child = spawn(process.execPath, ['--conditions=oddsmith-source', RUN_EACH], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(JSON.stringify(rows.map(({ place, what, path }) => wordsOf(place, what, path))));
    let waits = setTimeout(() => child.kill('SIGKILL'), WAITS_MS);
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      clearTimeout(waits);
      waits = setTimeout(() => child.kill('SIGKILL'), WAITS_MS);
    }
    clearTimeout(waits);
  });

  test.each(rows.map(({ place, what }, index) => [place.name, what, index] as const))('%s: %s', (_, _what, index) => {
    const line = lines[index];
    expect(line, index === lines.length ? 'it waits without end' : 'one before it waits without end').toBeDefined();
    expectRefused(JSON.parse(line ?? ''));
  });
});
