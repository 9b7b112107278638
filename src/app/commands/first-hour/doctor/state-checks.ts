/** The state directory of a run: whose it is, whether its journal is whole, and whether a daemon works on it now. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { readJournal } from '../../../../journal/read-journal.ts';
import type { Clock } from '../../../../time/clock.ts';
import { count } from '../../../../words/numbers.ts';
import { CliError } from '../../../cli/cli-error.ts';
import { askDaemon } from '../../../live/control/control-client.ts';
import { waitingText } from '../../../live/control/waiting-answers.ts';
import { inspectRunDirectory } from '../../../live/process/run-directory.ts';
import type { RunOptions } from '../../../run/run-options.ts';
import { type Check, failed, notKnown, ok, tried, warning } from './check.ts';

/** The beginning of a long journal is read. */
const READING_MS = 2_000;
const LOOK_EVERY = 1_000;

export interface StateFound {
  readonly checks: readonly Check[];
  /** Whether a daemon may hold what a run of this configuration would take. */
  readonly isAtWork: boolean;
}

/** Nothing is written, and nothing is locked for longer than a look. */
export async function stateChecks(run: RunOptions | undefined, directory: string, clock: Clock): Promise<StateFound> {
  if (!existsSync(directory))
    return { checks: [ok('state', `${directory} is not there yet: the first run makes it`)], isAtWork: false };
  const checks = await directoryChecks(run, directory, clock);
  return { checks, isAtWork: !checks.includes(NONE_AT_WORK) };
}

const NONE_AT_WORK = ok('daemon', 'none is at work');

async function directoryChecks(
  run: RunOptions | undefined,
  directory: string,
  clock: Clock,
): Promise<readonly Check[]> {
  if (run === undefined) return [notKnown('state', `whose ${directory} is cannot be compared without the keys`)];
  const state = await tried('state', () => {
    inspectRunDirectory(run);
    return ok('state', `${directory} is of this exchange, app and wallets, and its owner’s alone`);
  });
  if (run.mode === 'paper') return [state, await daemonCheck(directory)];
  const file = join(resolve(directory), 'journal.sqlite');
  if (!existsSync(file)) return [state, ok('journal', 'there is none yet')];
  return [state, await tried('journal', () => journalCheck(file, clock)), await daemonCheck(directory, file)];
}

function journalCheck(file: string, clock: Clock): Check {
  const journal = readJournal(file);
  try {
    const until = clock.now() + READING_MS;
    let records = 0;
    for (const _ of journal.records()) {
      records += 1;
      if (records % LOOK_EVERY === 0 && clock.now() > until)
        return ok('journal', `${journal.run}: its first ${count(records)} records are whole; there are more`);
    }
    return ok('journal', `${journal.run}: all ${count(records)} records are whole`);
  } finally {
    journal.close();
  }
}

/** Who works on it: the daemon says so itself; where it does not answer, its lock does. */
function daemonCheck(directory: string, journal?: string): Promise<Check> {
  return tried('daemon', async () => {
    try {
      const reply = await askDaemon(directory, { v: 1, command: 'status' });
      if (reply.kind === 'waiting') return warning('daemon', waitingText(reply.waiting), STATUS);
      if (reply.kind !== 'status') return warning('daemon', 'a daemon answered something else than its status', STATUS);
      const { bot, daemon } = reply.status;
      return ok('daemon', `${bot.run} is at work (process ${daemon.pid}): ${bot.phase}, ${bot.trading}`);
    } catch (error) {
      if (!(error instanceof CliError) || error.parts.code !== 'DAEMON_NOT_RUNNING') throw error;
      if (journal !== undefined && isLocked(journal))
        return failed(
          'daemon',
          'A process holds the journal and has no control socket',
          'Look for it: it may have lost its directory, or be starting.',
          4,
        );
      return NONE_AT_WORK;
    }
  });
}

const STATUS = 'See oddsmith status.';

/** A look at the lock as SQLite keeps it: while a daemon has it, not even a reader gets in. */
function isLocked(journal: string): boolean {
  const path = `${journal}.lock`;
  if (!existsSync(path)) return false;
  const database = new Database(path, { readonly: true, timeout: 0 });
  try {
    database.prepare('SELECT count(*) FROM sqlite_master').get();
    return false;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return true;
    throw error;
  } finally {
    database.close();
  }
}
