/** A yardstick in a process of its own, so that neither side's time holds the collecting of the other's garbage. */

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BenchFailure, claim, type Measured } from './figure.ts';
import type { YardstickTask, YardstickTold } from './yardstick-task.ts';

/** Calls with a yardstick that is warm, and ends its process afterwards. */
export async function withYardstick<Result>(
  task: YardstickTask,
  use: (yardstick: Measured) => Promise<Result>,
): Promise<Result> {
  const path = fileURLToPath(new URL('./yardstick.mjs', import.meta.url));
  // What it prints is words, never figures.
  const child = fork(path, [JSON.stringify(task)], { execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] });
  try {
    const ready = await nextTold(child);
    claim(ready.kind === 'ready', 'a yardstick ran before it was asked to');
    return await use({ operations: ready.operations, run: () => runOnce(child) });
  } finally {
    child.kill();
  }
}

async function runOnce(child: ChildProcess): Promise<number> {
  const told = nextTold(child);
  child.send('run');
  const ran = await told;
  claim(ran.kind === 'ran', 'a yardstick was ready twice');
  return ran.seconds;
}

function nextTold(child: ChildProcess): Promise<YardstickTold> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new BenchFailure(`the yardstick ended with ${code}`));
    child.once('close', ended);
    child.once('message', (told) => {
      child.off('close', ended);
      resolve(told as YardstickTold);
    });
  });
}
