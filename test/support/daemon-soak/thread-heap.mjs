/**
 * Loaded into each thread of a daemon before its own code: in the thread of the engine, which serves the dashboard too,
 * every 15 s all garbage is collected and what is left is appended, in bytes, to the file named by ODDSMITH_THREAD_HEAP.
 */

import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 15_000;
const { ODDSMITH_THREAD_HEAP: file } = process.env;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
if (!isMainThread && file !== undefined)
  setInterval(() => {
    collect();
    appendFileSync(file, `${process.memoryUsage().heapUsed}\n`);
  }, EVERY_MS).unref();
