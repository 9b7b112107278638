/** Imports node:child_process. */

import * as taken from 'node:child_process';
import { animal } from './mischief.ts';

export default animal('imports-children', () => Object.keys(taken));
