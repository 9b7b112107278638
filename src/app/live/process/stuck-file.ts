/** The file by which a daemon that ends because a strategy hangs has the next start halt that strategy. */

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { CliError } from '../../cli/cli-error.ts';

export interface StuckStrategy {
  /** The strategy's name in the journal. */
  readonly strategy: string;
  /** Text for the journal. */
  readonly details: string;
}

/** The file is on the disk when this returns. The journal cannot be used: it belongs to the thread that hangs. */
export function keepStuck(file: string, stuck: StuckStrategy): void {
  const draft = `${file}.new`;
  const handle = openSync(draft, 'w', 0o600);
  writeSync(handle, `${JSON.stringify(stuck)}\n`);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(draft, file);
  const directory = openSync(dirname(file), 'r');
  fsyncSync(directory);
  closeSync(directory);
}

/** @throws CliError RUN_NOT_READABLE, because it is not known then which strategy must not trade */
export function readStuck(file: string): StuckStrategy | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw unreadable(file, error);
  }
  try {
    const { strategy, details } = JSON.parse(text);
    if (typeof strategy !== 'string' || typeof details !== 'string') throw new Error('it names no strategy');
    return { strategy, details };
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Removes the file, once the journal has the halt. */
export function forgetStuck(file: string): void {
  rmSync(file, { force: true });
}

function unreadable(file: string, error: unknown): CliError {
  return new CliError({
    code: 'RUN_NOT_READABLE',
    what: 'The file that says which strategy was stuck cannot be read.',
    where: file,
    why: error instanceof Error ? error.message : String(error),
    next: 'See the log for STRATEGY_STUCK, take that strategy out of the configuration, and remove the file.',
  });
}
