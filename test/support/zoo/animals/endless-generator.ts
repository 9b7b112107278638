/** Spreads what never ends. */

import { animal } from './mischief.ts';

function* endless() {
  for (;;) yield* [];
}

export default animal('endless-generator', () => [...endless()]);
