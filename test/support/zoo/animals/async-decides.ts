/** Decides later. */

import { animal } from './mischief.ts';

export default animal('async-decides', async () => []);
