/** Throws in a timer, or tries to. */

import { animal } from './mischief.ts';

export default animal('sets-timers', () => {
  (globalThis as unknown as { setInterval(task: () => void, ms: number): void }).setInterval(() => {
    throw new Error('tick');
  }, 1);
  return [];
});
