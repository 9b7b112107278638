/** Makes code out of text that reaches for the process. */

import { animal } from './mischief.ts';

export default animal('evaluates', () => new Function('return process.exit(0)')());
