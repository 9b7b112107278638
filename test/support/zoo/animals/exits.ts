/** Ends the process, or tries to. */

import { animal } from './mischief.ts';

export default animal('exits', () => {
  (globalThis as unknown as { process: { exit(code: number): void } }).process.exit(0);
  return [];
});
