/** Takes the iterator of lists away, in its realm. */

import { animal } from './mischief.ts';

export default animal('spoils-iterators', () => {
  Reflect.deleteProperty(Array.prototype, Symbol.iterator);
  return [];
});
