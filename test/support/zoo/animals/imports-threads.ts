/** Imports node:worker_threads. */

import * as taken from 'node:worker_threads';
import { animal } from './mischief.ts';

export default animal('imports-threads', () => Object.keys(taken));
