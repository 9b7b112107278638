/** A first pass in a process that did nothing else: from opening the tape to the result, or JSON.parse of its lines. */

import { readFileSync } from 'node:fs';
import type { ColdTask, ColdTold } from './cold-task.ts';
import { Stopwatch } from './figure.ts';
import { parseLines } from './parse-alone.ts';
import { replayOnce, withMarkets } from './replay-run.ts';
import { layFavourite, noop } from './replay-strategies.ts';

const task = JSON.parse(process.argv[2] ?? '{}') as ColdTask;
const told = task.kind === 'parse' ? parsed(task) : await replayed(task);
process.send?.(told, () => process.disconnect());

async function replayed({ kind, tape, markets }: ColdTask): Promise<ColdTold> {
  const plugins = [kind === 'active' ? layFavourite : noop];
  const watch = new Stopwatch();
  const { end, transcript } = await withMarkets(tape, (all) => replayOnce({ markets: all.slice(0, markets), plugins }));
  const seconds = watch.seconds();
  return { seconds, done: end.updates, orders: end.collector.tally.sent, transcript };
}

/** The lines are in memory already when the time starts. */
function parsed({ tapeLines }: ColdTask): ColdTold {
  const text = readFileSync(tapeLines, 'latin1');
  const watch = new Stopwatch();
  const done = parseLines(text);
  return { seconds: watch.seconds(), done, orders: 0, transcript: '' };
}
