/** Returns two hundred thousand intents. */

import { animal } from './mischief.ts';

export default animal('flood', () => new Array(200_000).fill({ kind: 'cancelAll' }));
