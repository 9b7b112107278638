/** Wants to be called at no time. */

import { animal } from './mischief.ts';

export default animal('wakes-at-no-time', () => ({ wakeAt: Number.NaN }));
