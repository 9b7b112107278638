/** Wants to be called at a time that is past, always. */

import { animal } from './mischief.ts';

export default animal('wakes-in-the-past', () => ({ wakeAt: -1e15 }));
