/** One piece of work in a process that has done nothing before, for figures that must not rest on what an engine learnt. */

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BenchFailure } from './figure.ts';

/** `name` is the compiled entry beside this bundle: it gets the task as its argument, and sends one message. */
export function inFreshProcess<Told>(name: string, task: unknown): Promise<Told> {
  const path = fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
  // What it prints is words, never figures.
  const child = fork(path, [JSON.stringify(task)], { execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] });
  return new Promise((resolve, reject) => {
    let told: Told | undefined;
    child.once('message', (message) => {
      told = message as Told;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0 && told !== undefined) resolve(told);
      else reject(new BenchFailure(`${name} ended with ${code}`));
    });
  });
}
