/** Backtests that a view is opened on, played once for all tests of a file. */

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { run } from '../../app/fake-terminal.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../places.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

/** The directory of a backtest of these tapes. */
export async function playedRun(...tapes: readonly string[]): Promise<string> {
  return quoterRun(tapes, 'bounds');
}

/** The same in one world, for those who do not look at the others. */
export async function centralRun(...tapes: readonly string[]): Promise<string> {
  return quoterRun(tapes, 'central');
}

async function quoterRun(tapes: readonly string[], fills: string): Promise<string> {
  const out = temporaryDirectory('played');
  const played = tapes.flatMap((tape) => ['--tape', tape]);
  return made(out, ['--strategy', sampleStrategy('passive-quoter'), ...played, '--out', out, '--fills', fills]);
}

/** Two strategies over the bundled recording, each in a simulation of its own. */
export async function isolatedRun(): Promise<string> {
  const out = temporaryDirectory('isolated');
  const strategies = ['favourite-scalp', 'passive-quoter'].map((name) => ({ file: sampleStrategy(name) }));
  const config = join(out, 'backtest.yaml');
  writeFileSync(config, stringify({ strategies, tapes: [SAMPLE_TAPE], isolate: 'strategy', out }));
  return made(out, [config]);
}

async function made(out: string, choice: readonly string[]): Promise<string> {
  const words = ['backtest', ...choice, '--json'];
  const { code, out: said, note } = await run(...words);
  if (code !== 0) throw new Error(`the backtest ended with ${code}: ${note}`);
  const { seed, transcript } = JSON.parse(said);
  return join(out, `backtest-${seed}-${transcript.sha256.slice(0, 10)}`);
}

/** A copy of the bundled recording, which a test may damage. */
export function copiedSample(name = 'a.tape', directory = temporaryDirectory('tape')): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, name);
  copyFileSync(SAMPLE_TAPE, path);
  return path;
}

/** Rows of a CSV file of a run as objects, of its central world. */
export function centralRows(path: string): readonly Readonly<Record<string, string>>[] {
  const [head = [], ...rows] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)].map(([, quoted, bare]) => quoted ?? bare ?? ''),
    );
  return rows
    .map((row) => Object.fromEntries(head.flatMap((name, at) => (name === '' ? [] : [[name, row[at] ?? '']]))))
    .filter(({ flow }) => flow === 'central');
}
