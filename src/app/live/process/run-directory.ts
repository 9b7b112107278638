/** The state directory of a run: readable by its owner only, used by one run only, with the paths of all that is in it. */

import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CliError } from '../../cli/cli-error.ts';
import { makeDirectory, makeWritable } from '../../cli/out-directory.ts';
import { identityOf } from '../../run/exchange-choice.ts';
import type { RunMode, RunOptions } from '../../run/run-options.ts';
import { CONTROL_SOCKET } from '../control/control-protocol.ts';

export interface RunDirectory {
  readonly dir: string;
  readonly control: string;
  /** The halt file: while it exists, nothing is placed. */
  readonly haltFile: string;
  /** Names the strategy that hung, for which the last start ended. */
  readonly stuckFile: string;
}

/** The places of one run's records. */
export interface RunFiles {
  /** The directory of all that a later comparison with a replay reads. */
  readonly own: string;
  readonly journal: string;
  readonly tapes: string;
  readonly plots: string;
}

const OWNER_ONLY = 0o700;
const OTHERS = 0o077;
/** The system's limit on the path of a socket, with its end; macOS has the shorter one. */
const SOCKET_PATH_MAX = process.platform === 'darwin' ? 103 : 107;
const IDENTITY = 'run.json';
const NEXT = 'Name another directory under dir.';

/** Opens the directory, and makes it if it does not exist. @throws CliError FILE_NOT_WRITABLE, RUN_DIRECTORY_OPEN, RUN_DIRECTORY_MISMATCH */
export function openRunDirectory(options: RunOptions): RunDirectory {
  const dir = resolve(options.dir);
  const isNew = !existsSync(dir);
  makeWritable(dir, NEXT);
  if (isNew) chmodSync(dir, OWNER_ONLY);
  const control = checkDirectory(dir, options);
  return { dir, control, haltFile: join(dir, 'halt'), stuckFile: join(dir, 'stuck.json') };
}

/** Looks at the directory as a start would, and makes and changes nothing. @throws CliError RUN_DIRECTORY_OPEN, RUN_DIRECTORY_MISMATCH, CONFIG_INVALID */
export function inspectRunDirectory(options: RunOptions): void {
  const dir = resolve(options.dir);
  if (existsSync(dir)) checkDirectory(dir, options);
}

/** The path of the control socket in it. */
function checkDirectory(dir: string, options: RunOptions): string {
  checkOwner(dir);
  const control = join(dir, CONTROL_SOCKET);
  if (Buffer.byteLength(control) > SOCKET_PATH_MAX) throw tooLong(control);
  checkIdentity(join(dir, IDENTITY), options);
  return control;
}

/**
 * A live run goes on in the journal that is there. A paper run begins anew with each start, since its exchange is in
 * memory: each has a directory of its own in the run's.
 */
export function runFiles({ dir }: RunDirectory, mode: RunMode, run: string): RunFiles {
  const own = mode === 'live' ? dir : join(dir, run);
  if (mode === 'paper') makeDirectory(own, NEXT);
  return { own, journal: join(own, 'journal.sqlite'), tapes: join(own, 'tapes'), plots: join(own, 'plots.csv') };
}

function checkOwner(dir: string): void {
  const { uid, mode } = statSync(dir);
  const me = process.getuid?.();
  if ((me === undefined || uid === me) && (mode & OTHERS) === 0) return;
  const isMine = uid === me;
  throw new CliError({
    code: 'RUN_DIRECTORY_OPEN',
    what: 'The state directory is not its owner’s alone.',
    where: dir,
    why: isMine
      ? `Its mode is ${(mode & 0o777).toString(8)}: others may read the journal, or halt and resume the run.`
      : `It belongs to user ${uid}, and the daemon runs as ${me}.`,
    next: isMine ? `Run: chmod 700 ${dir}` : 'Run the daemon as its owner, or name another directory under dir.',
  });
}

function tooLong(path: string): CliError {
  return new CliError({
    code: 'CONFIG_INVALID',
    what: `The path of the control socket has more than ${SOCKET_PATH_MAX} bytes.`,
    where: path,
    why: 'The system opens no socket there.',
    next: 'Name a directory with a shorter path under dir.',
  });
}

/** Claims the directory for this run; called once the exchange has accepted the run's keys. */
export function claimRunDirectory({ dir }: RunDirectory, options: RunOptions): void {
  const path = join(dir, IDENTITY);
  if (existsSync(path)) return;
  const text = `${JSON.stringify(Object.fromEntries(traitsOf(options).map(({ key, value }) => [key, value])), undefined, 2)}\n`;
  writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}

/** The settings without which a journal is worthless or misleading, and what a run is that has another one. */
function traitsOf({ mode, exchange, wallets }: RunOptions) {
  const ids = wallets.map(({ name, id }) => (mode === 'live' ? `${name}=${id}` : name)).sort();
  const { url, owner } = identityOf(exchange);
  return [
    { key: 'mode', value: mode, other: 'a run of another mode' },
    { key: 'url', value: url, other: 'a run on another exchange' },
    { key: `${owner.kind}Id`, value: owner.name, other: `a run of another ${owner.kind}` },
    { key: 'wallets', value: ids.join(', '), other: 'a run with other wallets' },
  ];
}

/** Compared with another exchange, every order of the journal would seem lost. */
function checkIdentity(path: string, options: RunOptions): void {
  if (!existsSync(path)) return;
  const before = readIdentity(path);
  for (const { key, value, other } of traitsOf(options)) {
    if (before[key] === value) continue;
    throw new CliError({
      code: 'RUN_DIRECTORY_MISMATCH',
      what: `The state directory belongs to ${other}.`,
      where: path,
      why: `It says ${String(before[key])}, the configuration ${value}: its journal is of other orders.`,
      next:
        key === 'mode'
          ? 'Name another directory under dir, as in config/paper.yaml and config/live.yaml: paper and live runs keep theirs apart.'
          : 'Name another directory under dir; or, where it is the same exchange and account under a new name, correct that file.',
    });
  }
}

function readIdentity(path: string): Partial<Record<string, unknown>> {
  try {
    return Object(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new CliError({
      code: 'RUN_DIRECTORY_MISMATCH',
      what: 'The file that says whose state directory it is cannot be read.',
      where: path,
      why: error instanceof Error ? error.message : String(error),
      next: 'Restore it from a backup, or remove it if you are sure of the directory.',
    });
  }
}
