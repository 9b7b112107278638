/** Directories that a command writes into: checked before the work for whether they can be written, and made after it. */

import { mkdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { named } from '../../recording/tape/path-kind.ts';
import { CliError } from './cli-error.ts';

/** Two that ask at once may take each other's new directories away. */
const ATTEMPTS = 5;

/**
 * Writes into the directory and takes it all back, so that a run that fails leaves nothing: names that are too long, full disks and
 * missing directories show only when something is written. @throws CliError FILE_NOT_WRITABLE, with `next`
 */
export function checkWritable(directory: string, next: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return probeAll(directory);
    } catch (error) {
      if (attempt === ATTEMPTS || codeOf(error) !== 'ENOENT') throw notWritable(directory, error, next);
    }
  }
}

/** Makes a directory and its missing parents. @throws CliError FILE_NOT_WRITABLE */
export function makeDirectory(directory: string, next: string): void {
  try {
    makeMissing(directory, []);
  } catch (error) {
    throw notWritable(directory, error, next);
  }
}

/** Checks and makes a directory that is written to all the time: it stays. @throws CliError FILE_NOT_WRITABLE */
export function makeWritable(directory: string, next: string): void {
  try {
    makeMissing(directory, []);
    probe(directory);
  } catch (error) {
    throw notWritable(directory, error, next);
  }
}

function probeAll(directory: string): void {
  const made: string[] = [];
  try {
    makeMissing(directory, made);
    probe(directory);
  } finally {
    for (const each of made.reverse()) removeEmpty(each);
  }
}

/**
 * Makes the directories one by one: where a file system reports that the directory it was just shown is not there (/proc does), Node's own
 * recursive way never returns. What is made is added to `made`.
 */
function makeMissing(directory: string, made: string[]): void {
  const missing: string[] = [];
  let path = resolve(directory);
  for (; statSync(path, { throwIfNoEntry: false }) === undefined; path = dirname(path)) missing.push(path);
  if (!statSync(path).isDirectory()) throw new Error(`${path} is not a directory`);
  for (const each of missing.reverse()) if (makeOne(each)) made.push(each);
}

/** False if another process made it meanwhile. */
function makeOne(directory: string): boolean {
  try {
    mkdirSync(directory);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return false;
    if (named(directory).kind === 'link') throw new Error(`${directory} is a symbolic link that leads nowhere`);
    throw error;
  }
}

/** The least that a file takes: a full disk makes files, and writes nothing into them. */
const PROBE = 'x'.repeat(4096);

function probe(directory: string): void {
  const file = join(directory, `.oddsmith-${process.pid}.probe`);
  try {
    writeFileSync(file, PROBE, { flag: 'wx' });
  } finally {
    rmSync(file, { force: true });
  }
}

/** A directory that another process uses by now stays. */
function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error))) throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function notWritable(directory: string, error: unknown, next: string): CliError {
  return new CliError({
    code: 'FILE_NOT_WRITABLE',
    what: 'The directory cannot be written into.',
    where: directory,
    why: error instanceof Error ? error.message : String(error),
    next,
  });
}
