/** Keeps a state of a hundred megabytes. */

import { animal } from './mischief.ts';

const heavy = new Uint8Array(100_000_000);

export default animal('heavy-state', () => ({ state: heavy }));
