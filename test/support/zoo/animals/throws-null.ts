/** Throws null. */

import { animal } from './mischief.ts';

export default animal('throws-null', () => {
  throw null;
});
