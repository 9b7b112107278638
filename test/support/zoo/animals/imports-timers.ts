/** Imports node:timers. */

import * as taken from 'node:timers';
import { animal } from './mischief.ts';

export default animal('imports-timers', () => Object.keys(taken));
