/** Directories that a command writes into: whether they can be written, asked before the work, and made after it. */

import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CliError } from './cli-error.ts';

/** Makes nothing, so that a run that fails leaves no directory. @throws CliError FILE_NOT_WRITABLE, with `next` */
export function checkWritable(directory: string, next: string): void {
  let nearest = resolve(directory);
  try {
    for (; statSync(nearest, { throwIfNoEntry: false }) === undefined; nearest = dirname(nearest));
    if (!statSync(nearest).isDirectory()) throw new Error(`${nearest} is not a directory`);
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notWritable(directory, error, next);
  }
}

/**
 * Makes a directory and its missing parents, one by one: where a file system answers that the directory it was just
 * shown is not there (/proc does), Node's own recursive way never returns. @throws CliError FILE_NOT_WRITABLE
 */
export function makeDirectory(directory: string, next: string): void {
  const missing: string[] = [];
  try {
    let path = resolve(directory);
    for (; statSync(path, { throwIfNoEntry: false }) === undefined; path = dirname(path)) missing.push(path);
    for (const each of missing.reverse()) mkdirSync(each);
    if (!statSync(path).isDirectory()) throw new Error(`${path} is not a directory`);
  } catch (error) {
    throw notWritable(directory, error, next);
  }
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
