/** Throws while it is loaded. */

import { animal } from './mischief.ts';

JSON.parse('{');

export default animal('throws-at-load', () => []);
