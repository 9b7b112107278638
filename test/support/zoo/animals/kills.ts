/** Kills the process, or tries to. */

import { animal } from './mischief.ts';

export default animal('kills', () => {
  (globalThis as unknown as { process: { kill(id: number): void; pid: number } }).process.kill(1);
  return [];
});
