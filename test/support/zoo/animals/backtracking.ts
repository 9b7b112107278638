/** Looks for what a regular expression finds only after the end of all time. */

import { animal } from './mischief.ts';

export default animal('backtracking', () => [/^(a+)+$/.test(`${'a'.repeat(60)}b`)]);
