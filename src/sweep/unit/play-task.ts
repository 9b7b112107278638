/** A thread's side of a sweep: plays the units of a job in order, and passes each row on as soon as it is there. */

import type { BacktestHooks, WatchGuests } from '../../backtest/options/backtest-options.ts';
import type { UnitResult } from '../engine/engine.ts';
import { type ThreadStage, type ThreadTask, WORDS } from '../engine/thread-messages.ts';
import { SignalRows } from './signal-rows.ts';
import { UnitPlayer } from './unit-player.ts';

export interface TaskHooks extends Pick<BacktestHooks, 'onWords'> {
  readonly watchGuests: WatchGuests;
}

/** The function that a thread runs for each job: tapes are opened with the first job that plays them, and signals are read once until they change. */
export function taskPlayer(
  { tapes }: ThreadStage,
  { watchGuests, onWords }: TaskHooks,
): (task: ThreadTask) => Promise<void> {
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
