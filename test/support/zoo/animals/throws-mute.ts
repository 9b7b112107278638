/** Throws what throws when it is written. */

import { animal } from './mischief.ts';

export default animal('throws-mute', () => {
  throw { toString: () => JSON.parse('{'), [Symbol.toPrimitive]: () => JSON.parse('{') };
});
