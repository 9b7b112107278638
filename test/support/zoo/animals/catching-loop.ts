/** Catches everything that would end its loop, and begins anew. */

import { animal } from './mischief.ts';

export default animal('catching-loop', () => {
  for (;;) {
    try {
      for (;;);
    } catch {
      // The loop goes on after every error.
    }
  }
});
