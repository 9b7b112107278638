/** Builds dist/ (`npm run build`); with `--if-changed` only where a file that it is made of is another than at the last build. */

import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { packageDirectory } from '../src/package/running-package.ts';
import { markBuilt, sourceHashes, unmarkBuilt, whyToBuild } from './built-state.ts';
import { leaveOut } from './left-files.ts';

const ROOT = packageDirectory();
const DIST = join(ROOT, 'dist');
/** Two builds at once would write into each other's files. */
const LOCK = join(ROOT, 'node_modules/.cache/build.lock');
const LOOK_MS = 100;
const NUMBERLESS_MS = 5_000;

/** Each with the arguments of the Node that runs this. */
const STEPS: readonly (readonly string[])[] = [
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
  ['--conditions=oddsmith-source', 'tools/make-bundle.ts'],
  ['--conditions=oddsmith-source', 'tools/make-web.ts'],
];

const isLazy = process.argv.includes('--if-changed');
if (!isLazy || whyToBuild(ROOT) !== undefined) process.exitCode = await withLock(buildNow);

function buildNow(): number {
  const sources = sourceHashes(ROOT);
  const why = whyToBuild(ROOT, sources);
  // Another process may have built it while this one waited.
  if (isLazy && why === undefined) return 0;
  if (isLazy) process.stderr.write(`building oddsmith once: ${why}\n`);
  unmarkBuilt(ROOT);
  // A file of sources that are gone would be packed.
  if (process.argv.includes('--clean')) rmSync(DIST, { recursive: true, force: true });
  const begun = Date.now();
  for (const step of STEPS) {
    try {
      // What is printed by a step goes to stderr: stdout belongs to the command that is run next.
      execFileSync(process.execPath, step, { cwd: ROOT, stdio: ['ignore', 2, 2] });
    } catch (error) {
      process.stderr.write(`the build ended at: ${step.join(' ')}\n`);
      return (error instanceof Error && 'status' in error && Number(error.status)) || 1;
    }
  }
  leaveOut(DIST, begun);
  markBuilt(ROOT, sources);
  return 0;
}

async function withLock(work: () => number): Promise<number> {
  mkdirSync(join(LOCK, '..'), { recursive: true });
  while (!take()) {
    if (isLeft()) rmSync(LOCK, { force: true });
    else await pause(LOOK_MS);
  }
  try {
    return work();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

function take(): boolean {
  try {
    const file = openSync(LOCK, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether the process that took the lock is gone. */
function isLeft(): boolean {
  try {
    const pid = Number(readFileSync(LOCK, 'utf8'));
    // A file without a number was made this moment, or its process was killed in that moment.
    if (pid === 0) return Date.now() - statSync(LOCK).mtimeMs > NUMBERLESS_MS;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
