/** The file of --arrivals: what the sandbox played, then all that reached it, a line each. */

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { packageVersion } from '../../../package/running-package.ts';
import type { Arrival } from '../../../sandbox-betfair/arrivals/arrival.ts';
import { CliError } from '../../cli/cli-error.ts';

/** The first line. */
export interface ArrivalsHead {
  readonly tapes: readonly { readonly path: string; readonly sha256: string }[];
  readonly speed: number;
  readonly crowd: boolean;
}

export interface ArrivalsFile {
  record(arrival: Arrival): void;
  stop(): void;
}

const NAME = 'oddsmith-arrivals';
const OWNER_ALONE = 0o600;

/** Makes the file. @throws CliError where it is there already, or cannot be made */
export function makeArrivalsFile(path: string, head: ArrivalsHead): ArrivalsFile {
  const file = opened(path);
  let isOpen = true;
  const write = (value: unknown) => {
    if (isOpen) writeSync(file, `${JSON.stringify(value)}\n`);
  };
  write({ file: NAME, version: packageVersion(), ...head });
  const stop = () => {
    isOpen = false;
    closeSync(file);
  };
  return { record: write, stop };
}

/** @throws CliError where it is no such file */
export function readArrivalsFile(path: string): { readonly head: ArrivalsHead; readonly arrivals: readonly Arrival[] } {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    // A process that was killed may have left a part of a line.
    const [head, ...arrivals] = lines.slice(0, -1).map((line) => JSON.parse(line));
    if (head?.file !== NAME || arrivals[0]?.kind !== 'start') throw new Error('It is no file of --arrivals.');
    return { head, arrivals };
  } catch (error) {
    throw unusable(path, error, 'Name a file that --arrivals has written.');
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'wx', OWNER_ALONE);
  } catch (error) {
    throw unusable(path, error, 'Name a new file with --arrivals.');
  }
}

function unusable(where: string, cause: unknown, next: string): CliError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CliError({ code: 'USAGE', what: 'The file of arrivals cannot be used.', where, why, next });
}
