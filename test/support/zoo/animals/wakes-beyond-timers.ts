/** Wants to be called after longer than a timer of the system can wait. */

import { animal } from './mischief.ts';

export default animal('wakes-beyond-timers', ({ now }) => ({ wakeAt: now + 2 ** 31 }));
