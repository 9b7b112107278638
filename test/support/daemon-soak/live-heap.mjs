/**
 * Loaded into a soaked daemon before its own code: every half minute it collects all garbage and appends what is left,
 * in bytes, to the file named by ODDSMITH_SOAK_LIVE_HEAP. What a heap holds between collections tells of the collector,
 * what it holds after one tells of leaks.
 */

import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 30_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
if (isMainThread)
  setInterval(() => {
    collect();
    appendFileSync(process.env.ODDSMITH_SOAK_LIVE_HEAP, `${Date.now()} ${process.memoryUsage().heapUsed}\n`);
  }, EVERY_MS).unref();
