/** Writes into the input itself. */

import { animal } from './mischief.ts';

export default animal('input-writer', (input) => {
  Object.assign(input, { now: 0, state: undefined });
  return [];
});
