/** A first pass in a process that did nothing else: from opening the tape to the result, or JSON.parse of its lines. */

import { readFileSync } from 'node:fs';
import type { SourceMarket } from '../../src/backtest/simulation/backtest-source.ts';
import { bareReplay } from './bare-replay.ts';
import type { ColdTask, ColdTold } from './cold-task.ts';
import { Stopwatch } from './figure.ts';
import { parseLines } from './parse-alone.ts';
import { replayOnce, withMarkets } from './replay-run.ts';
import { layFavourite, noop } from './replay-strategies.ts';

const task = JSON.parse(process.argv[2] ?? '{}') as ColdTask;
const told = task.kind === 'parse' ? parsed(task) : await replayed(task);
process.send?.(told, () => process.disconnect());

async function replayed({ kind, tape, markets }: ColdTask): Promise<ColdTold> {
  const watch = new Stopwatch();
  const start = performance.now();
  const pass = await withMarkets(tape, (all) => passOver(kind, all.slice(0, markets)));
  return { waited: (performance.now() - start) / 1000, seconds: watch.seconds(), ...pass };
}

type Pass = Pick<ColdTold, 'done' | 'orders' | 'transcript'>;

async function passOver(kind: ColdTask['kind'], markets: readonly SourceMarket[]): Promise<Pass> {
  if (kind === 'bare') {
    const { updates, orders } = bareReplay(markets, layFavourite);
    return { done: updates, orders, transcript: '' };
  }
  const { end, transcript } = await replayOnce({ markets, plugins: [kind === 'active' ? layFavourite : noop] });
  return { done: end.updates, orders: end.collector.tally.sent, transcript };
}

/** The lines are in memory already when the time starts. */
function parsed({ tapeLines }: ColdTask): ColdTold {
  const text = readFileSync(tapeLines, 'latin1');
  const watch = new Stopwatch();
  const start = performance.now();
  const done = parseLines(text);
  return { waited: (performance.now() - start) / 1000, seconds: watch.seconds(), done, orders: 0, transcript: '' };
}
