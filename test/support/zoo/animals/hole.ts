/** Returns a list that is as long as a list can be and holds nothing. */

import { animal } from './mischief.ts';

export default animal('hole', () => Object.assign([], { length: 2 ** 32 - 1 }));
