/** Everything that is thrown and that the user can do something about, as an error of the command line. */

import { readdirSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { nearest } from '../../core/collections/nearest.ts';
import { JournalFailure } from '../../journal/file/journal-failure.ts';
import { ImportFailure } from '../../recording/betfair/decompress/import-failure.ts';
import { followed } from '../../recording/tape/path-kind.ts';
import { TapeFailure } from '../../recording/tape/tape-failure.ts';
import { WorldLogFailure } from '../../sandbox/world-log/world-log-failure.ts';
import { CliError, type CliErrorCode, isCliErrorCode } from './cli-error.ts';
import { journalError, recordingError, tapeError, worldError } from './data-error.ts';
import { packagedFile } from './own-command.ts';

/** Undefined for a fault of our own. */
export function knownError(error: unknown): CliError | undefined {
  const known = asKnown(error);
  return known === undefined ? undefined : withHint(known);
}

/** Errors whose place is the path of a file that is not there. */
const MISSING: ReadonlySet<CliErrorCode> = new Set(['TAPE_NOT_FOUND', 'STRATEGY_NOT_FOUND', 'CONFIG_NOT_FOUND']);
/** More names in a directory are not compared. */
const NAMES_MAX = 5_000;

/** What is not there is often there under another name. */
function withHint(error: CliError): CliError {
  const { code, where } = error.parts;
  // With a line it is the place where a configuration names the path, and the hint was given before.
  const isPath = where !== undefined && !/:\d+:\d+$/.test(where);
  const next = isPath && MISSING.has(code) ? hintOf(where) : undefined;
  return next === undefined ? error : new CliError({ ...error.parts, next });
}

function hintOf(path: string): string | undefined {
  const { kind } = followed(path);
  if (kind === 'directory') {
    const first = namesIn(path).find((name) => /\.[cm]?[jt]s$/.test(name));
    return first === undefined ? undefined : `Name a file in it, such as ${join(path, first)}.`;
  }
  if (kind !== 'nothing') return undefined;
  // Documents and examples name files of the package as they lie in it: in a project they lie elsewhere.
  const packaged = packagedFile(path);
  if (!isAbsolute(path) && packaged !== path && followed(packaged).kind === 'file')
    return `It comes with oddsmith, and lies here: ${packaged}`;
  const near = nearest(basename(path), namesIn(dirname(path)));
  return near === undefined ? undefined : `Did you mean ${join(dirname(path), near)}?`;
}

/** The files in a directory; none where it cannot be read. */
function namesIn(directory: string): readonly string[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile());
    return entries.slice(0, NAMES_MAX).map(({ name }) => name);
  } catch {
    return [];
  }
}

function asKnown(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  if (error instanceof OddsmithError && isCliErrorCode(error.code))
    return new CliError({ ...error.parts, code: error.code });
  if (error instanceof TapeFailure) return tapeError(error);
  if (error instanceof WorldLogFailure) return worldError(error);
  if (error instanceof JournalFailure) return journalError(error);
  return error instanceof ImportFailure ? recordingError(error.problem) : undefined;
}
