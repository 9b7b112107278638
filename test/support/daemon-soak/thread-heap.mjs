/**
 * Loaded into each thread of a daemon before its own code: every 15 s all garbage is collected, and the thread of the engine,
 * which serves the dashboard too, appends what is left to the file named by ODDSMITH_THREAD_HEAP: time, bytes of its heap, bytes
 * outside of it, and bytes of memory that the whole process has: in all, and without what is mapped from files.
 */

import { appendFileSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 15_000;
const { ODDSMITH_THREAD_HEAP: file } = process.env;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
if (file !== undefined)
  setInterval(() => {
    collect();
    if (isMainThread) return;
    const { heapUsed, external, rss } = process.memoryUsage();
    const anonymous = /RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    appendFileSync(file, `${Date.now()} ${heapUsed} ${external} ${rss} ${Number(anonymous) * 1_024}\n`);
  }, EVERY_MS).unref();
