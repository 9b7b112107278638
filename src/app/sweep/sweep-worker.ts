/** The module that each thread of a sweep runs. */

import { workerData } from 'node:worker_threads';
import { outliveGuests, watchGuests } from '../../backtest/pieces/guest-watch.ts';
import { closeConstructors } from '../../loader/realm/second-wall.ts';
import { taskPlayer } from '../../sweep/unit/play-task.ts';

/** A sweep plays a strategy thousands of times: what it writes to its console each time would drown everything else. */
const LINES_MAX = 1_000;
let lines = 0;

closeConstructors();
outliveGuests(onWords);
export const playTask = taskPlayer(workerData, { watchGuests, onWords });

/** Stdout is for the result of the sweep alone. */
function onWords(line: string): void {
  lines += 1;
  if (lines <= LINES_MAX) process.stderr.write(`${line}\n`);
  if (lines === LINES_MAX) process.stderr.write(`${LINES_MAX} lines were written by one thread: no more are shown\n`);
}
