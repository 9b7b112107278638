/** Returns as many intents as may be read, each time it is asked, none of which means anything. */

import { animal } from './mischief.ts';

export default animal('thousand-everywhere', () => new Array(1_000).fill({}));
