/** The module that each thread of a sweep runs. */

import { workerData } from 'node:worker_threads';
import type { BacktestHooks, WatchGuests } from '../../backtest/options/backtest-options.ts';
import { outliveGuests, watchGuests } from '../../backtest/pieces/guest-watch.ts';
import { closeConstructors } from '../../loader/realm/second-wall.ts';
import type { UnitResult } from '../../sweep/engine/engine.ts';
import { type ThreadStage, type ThreadTask, WORDS } from '../../sweep/engine/thread-messages.ts';
import { SignalRows } from '../../sweep/unit/signal-rows.ts';
import { UnitPlayer } from '../../sweep/unit/unit-player.ts';

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

interface TaskHooks extends Pick<BacktestHooks, 'onWords'> {
  readonly watchGuests: WatchGuests;
}

/** The function that a thread runs for each job: tapes are opened with the first job that plays them, and signals are read once until they change. */
function taskPlayer({ tapes }: ThreadStage, { watchGuests, onWords }: TaskHooks): (task: ThreadTask) => Promise<void> {
  let words: Int32Array | undefined;
  const signals = new SignalRows();
  let [player, opened]: [UnitPlayer | undefined, string] = [undefined, ''];
  const step = (): void => {
    if (words !== undefined) Atomics.add(words, WORDS.steps, 1);
  };
  return async (task) => {
    words = task.words;
    const paths = task.tapes ?? tapes;
    const asked = paths.join('\n');
    if (player === undefined || opened !== asked) {
      player?.close();
      player = new UnitPlayer(paths, signals);
      opened = asked;
    }
    const watch = { mark: task.words, watchGuests, onWords, onPlayed: step };
    for (const [index, unit] of task.job.units.entries()) {
      Atomics.store(task.words, WORDS.unit, index + 1);
      step();
      post(task, await player.play(task.job, unit, watch));
    }
    task.port.close();
  };
}

function post({ port }: ThreadTask, result: UnitResult): void {
  port.postMessage(result, result.kind === 'played' ? [result.row.buffer] : []);
}
