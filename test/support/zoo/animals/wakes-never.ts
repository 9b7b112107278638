/** Wants to be called when all is over. */

import { animal } from './mischief.ts';

export default animal('wakes-never', () => ({ wakeAt: 1e300 }));
