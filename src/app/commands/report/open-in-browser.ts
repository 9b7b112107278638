/** Opens a file with whatever the system opens pages with. */

import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { CliError } from '../../cli/cli-error.ts';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** @throws CliError NOT_OPENED where the system has nothing to open it with */
export async function openInBrowser(file: string): Promise<void> {
  const [program = '', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const path = resolve(file);
  const child = spawn(program, [...args, path], { stdio: 'ignore', detached: true });
  const started = Promise.withResolvers<void>();
  child.once('spawn', () => started.resolve());
  child.once('error', (error) => started.reject(notOpened(path, error)));
  await started.promise;
  // The browser outlives the command.
  child.unref();
}

function notOpened(path: string, error: Error): CliError {
  return new CliError({
    code: 'NOT_OPENED',
    what: 'The page was written, and the system could not open it.',
    where: path,
    why: error.message,
    next: 'Open the file in a browser yourself.',
  });
}
