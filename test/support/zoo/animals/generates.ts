/** Decides as a generator. */

import { animal } from './mischief.ts';

export default animal('generates', function* () {
  yield [];
});
