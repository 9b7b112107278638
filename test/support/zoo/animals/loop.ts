/** Never comes to the end of a loop. */

import { animal } from './mischief.ts';

export default animal('loop', () => {
  for (;;);
});
