/** Throws a symbol. */

import { animal } from './mischief.ts';

export default animal('throws-symbol', () => {
  throw Symbol('up');
});
