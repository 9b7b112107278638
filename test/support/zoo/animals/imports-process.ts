/** Imports node:process. */

import * as taken from 'node:process';
import { animal } from './mischief.ts';

export default animal('imports-process', () => Object.keys(taken));
