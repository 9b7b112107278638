/** The benches of memory: the built command's peak in a backtest of one tape, and of many markets merged. */

import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { importBetfair } from '../../src/recording/betfair/import.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import type { BenchData } from './data.ts';
import { claim, type Figure, median } from './figure.ts';
import { mergedTape } from './merged-tape.ts';
import { peakOf } from './peak-memory.ts';
import type { BenchSize } from './size.ts';

const IDLE = `import { defineStrategy } from 'oddsmith';
export default defineStrategy({ name: 'idle', decide: () => [] });
`;

const BARE_STARTS = 3;
/** Tapes that are measured more than once. */
const CANDIDATES = 3;

interface Backtest {
  readonly tape: string;
  readonly mib: number;
  readonly updates: number;
  readonly orders: number;
}

/** Every recording as a tape of its own; those that need most are replayed again, and the figure is the highest median. */
export async function benchMemorySingle(data: BenchData, size: BenchSize): Promise<Figure> {
  const tapes = await singleTapes(data);
  const backtests: Backtest[] = [];
  for (const tape of tapes) backtests.push(await backtest(data, tape, tradingStrategy(data)));
  const highest = byMemory(backtests).slice(0, CANDIDATES);
  const medians: Backtest[] = [];
  for (const each of highest) medians.push(await repeated(data, each, size.repetitions));
  const most = byMemory(medians)[0];
  claim(most !== undefined, 'there is no tape to replay');
  const orders = backtests.reduce((sum, each) => sum + each.orders, 0);
  claim(orders > 0, 'the strategy placed no order on any tape');
  const counts = { tapes: tapes.length, ordersOnAll: orders };
  const what = `${basename(most.tape)}, of ${tapes.length} tapes`;
  return memoryFigure('memory-single', { data, most, counts, what });
}

export async function benchMemoryMerged(data: BenchData, size: BenchSize): Promise<Figure> {
  const tape = await mergedTape(data, size.merged);
  const most = await backtest(data, tape, tradingStrategy(data));
  claim(most.orders > 0, 'the strategy placed no order');
  const counts = { markets: size.merged };
  const what = `${size.merged} copies of the longest market of ${data.tapeName}`;
  return memoryFigure('memory-merged', { data, most, counts, what });
}

async function memoryFigure(
  name: string,
  figure: {
    readonly data: BenchData;
    readonly most: Backtest;
    readonly counts: Readonly<Record<string, number>>;
    readonly what: string;
  },
): Promise<Figure> {
  const { data, most, counts, what } = figure;
  const idle = await backtest(data, most.tape, idleStrategy(data));
  claim(idle.orders === 0, 'a strategy that does nothing placed orders');
  const bares: number[] = [];
  while (bares.length < BARE_STARTS) bares.push((await peakOf(data.directory, ['-e', '0'])).mib);
  const bare = median(bares);
  const { mib, updates, orders } = most;
  return {
    name,
    value: mib,
    unit: 'MiB',
    yardstick: { name: 'node -e 0', value: bare },
    ratio: mib / bare,
    counts: { ...counts, updates, orders, idleMiB: idle.mib },
    data: `backtest of ${what}, with favourite-scalp, in all three bounds`,
  };
}

function byMemory(backtests: readonly Backtest[]): readonly Backtest[] {
  return [...backtests].sort((a, b) => b.mib - a.mib);
}

/** The median: how far a heap has grown by the next collection is not the same twice. */
async function repeated(data: BenchData, first: Backtest, repetitions: number): Promise<Backtest> {
  const peaks = [first.mib];
  while (peaks.length < repetitions) peaks.push((await backtest(data, first.tape, tradingStrategy(data))).mib);
  return { ...first, mib: median(peaks) };
}

/** Through the command as it is published, with its defaults. */
async function backtest(data: BenchData, tape: string, strategy: string): Promise<Backtest> {
  const command = join(data.root, 'dist/app/main.js');
  claim(existsSync(command), 'the command is not built: npm run build');
  const out = join(data.directory, 'runs');
  const args = ['backtest', '--strategy', strategy, '--tape', tape, '--out', out, '--json'];
  const { mib, stdout } = await peakOf(data.directory, [command, ...args]);
  const result = JSON.parse(stdout) as {
    readonly updates: number;
    readonly orders: { readonly sent: number };
    readonly halts: readonly unknown[];
  };
  const updates = tradableUpdates(tape);
  claim(result.updates === updates, `${updates} updates are on the tape, ${result.updates} were replayed`);
  claim(result.halts.length === 0, 'the strategy was halted');
  return { tape, mib, updates, orders: result.orders.sent };
}

function tradingStrategy(data: BenchData): string {
  return join(data.root, 'strategies/favourite-scalp.ts');
}

function idleStrategy(data: BenchData): string {
  const path = join(data.directory, 'idle.ts');
  writeFileSync(path, IDLE);
  return path;
}

/** Of each shared recording that can be traded on, or the bench's one tape. */
async function singleTapes(data: BenchData): Promise<readonly string[]> {
  if (data.recordings.length === 0) return [data.tape];
  const tapes: string[] = [];
  for (const file of data.recordings) {
    const tape = join(data.directory, `${basename(file)}.tape`);
    // What is damaged, or says nothing of its market, is no tape.
    const isImported = await importBetfair({ files: [file], tape, mode: 'overwrite', onError: 'skip' }).then(
      () => true,
      () => false,
    );
    if (isImported && tradableUpdates(tape) > 0) tapes.push(tape);
  }
  return tapes;
}

function tradableUpdates(path: string): number {
  const tape = Tape.open(path);
  try {
    return tape.markets.reduce((sum, { tradable, updates }) => sum + (tradable ? updates : 0), 0);
  } finally {
    tape.close();
  }
}
