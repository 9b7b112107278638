/** Importing in threads: whatever their number, the tape, the report and the failures are those of a single thread. */

import { execFile } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { builtMain } from '../support/built-command.ts';
import { streamText } from '../support/made-stream.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryDirectory('threads');
});

interface Run {
  readonly code: number;
  readonly report: Record<string, unknown>;
  readonly hasTape: boolean;
}

async function imported(files: readonly string[], jobs: number, onError = 'skip'): Promise<Run> {
  const tape = join(folder, 'out.tape');
  rmSync(tape, { force: true });
  const paths = files.map((file) => join(folder, file));
  const args = ['import', 'betfair', ...paths, '--tape', tape, '--jobs', `${jobs}`, '--on-error', onError, '--json'];
  const { code, stdout } = await promisify(execFile)('node', [builtMain(), ...args], { maxBuffer: 1 << 26 }).then(
    (done) => ({ code: 0, stdout: done.stdout }),
    (error: { code: number; stdout: string }) => error,
  );
  const { elapsedMs: _ms, updatesPerSecond: _rate, ...report } = JSON.parse(stdout) as Record<string, unknown>;
  return { code, report, hasTape: existsSync(tape) || existsSync(`${tape}.partial`) };
}

/** A recording with one market of its own. Earlier recordings are longer, so that later ones are ready first. */
function recording(market: number): string {
  return streamText({ updates: updatesOf(market), market: `1.10000000${market}` });
}

function updatesOf(market: number): number {
  return 6000 - market * 900;
}

async function expectSame(files: readonly string[], onError = 'skip'): Promise<Run> {
  const one = await imported(files, 1, onError);
  for (const jobs of [2, 5]) expect(await imported(files, jobs, onError), `${jobs} jobs`).toEqual(one);
  return one;
}

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

test('the tape is the same for every number of threads', async () => {
  const files = [0, 1, 2, 3, 4, 5].map((market) => write(`recording-${market}`, recording(market)));
  const { code, report } = await expectSame(files);
  expect(code).toBe(0);
  expect(report['markets']).toBe(6);
  const ids = (report['files'] as { recordings: { markets: { id: string }[] }[] }[]).map(
    (file) => file.recordings[0]?.markets[0]?.id,
  );
  expect(ids).toEqual([0, 1, 2, 3, 4, 5].map((market) => `1.10000000${market}`));
});

test('of two files with one market the first in order stays, also when the second is read first', async () => {
  const short = recording(1).split('\n').slice(0, 300).join('\n');
  const files = [write('long', recording(1)), write('short', short), write('other', recording(2))];
  const { report } = await expectSame(files);
  expect(JSON.stringify(report['files'])).toContain('DUPLICATE_MARKET');
  expect(report['updatesImported']).toBe(updatesOf(1) + updatesOf(2));
});

test('damaged files are skipped, and what was whole of them is kept', async () => {
  const cut = `${recording(3).split('\n').slice(0, 50).join('\n')}\n{"op":"mcm","pt"\n`;
  const files = [write('whole', recording(1)), write('nothing', 'no recording'), write('cut', cut)];
  const { code, report } = await expectSame(files);
  expect([code, report['markets']]).toEqual([0, 2]);
});

test('a damaged file is left out, the others are on the tape, and the command fails', async () => {
  const bad = [write('bad', `${recording(1)}\n{"op"`), write('worse', 'no recording')];
  const files = [write('whole', recording(0)), ...bad, write('last', recording(2))];
  const { code, report, hasTape } = await expectSame(files, 'fail');
  expect([code, hasTape, report['markets'], report['faulty']]).toEqual([5, true, 2, 2]);
  expect(JSON.stringify(report)).toContain('BAD_LINE');
});

test('where no file is whole, the first failure in their order is the error, and no tape is left', async () => {
  const files = [write('bad', `${recording(1)}\n{"op"`), write('worse', 'no recording')];
  const { code, report, hasTape } = await expectSame(files, 'fail');
  expect([code, hasTape]).toEqual([5, false]);
  expect(report).toMatchObject({ error: { code: 'BAD_LINE' } });
});
