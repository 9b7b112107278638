/** Catches whatever ends its loop and begins anew. */

import { animal } from './mischief.ts';

export default animal('catching-loop', () => {
  for (;;) {
    try {
      for (;;);
    } catch {
      // Whatever it was, it goes on.
    }
  }
});
