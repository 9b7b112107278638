/** Codes of sweeps: their directory, their trials, and the queue of many machines. */

import type { Explained } from './entry.ts';

export const SWEEP_CODES = {
  SWEEP_NOT_FOUND: {
    means: 'The directory holds no sweep.',
    cause: 'A misspelt path, or a sweep that was not begun.',
    next: 'Name the directory that `oddsmith sweep` printed; it holds trials.sqlite.',
  },
  SWEEP_BUSY: {
    means: 'Another process is at work on the same sweep.',
    cause: 'It was started twice, or an earlier start has not ended.',
    next: 'Wait until it has ended, or end it: what it has computed stays.',
  },
  SWEEP_NOT_WRITABLE: {
    means: 'What a sweep computes cannot be written.',
    cause: 'No right to write into its directory.',
    next: 'Give oddsmith that right, or name another directory under `sweep.out`.',
  },
  SWEEP_FULL: {
    means: 'There is no room for what a sweep computes.',
    cause: 'The disk is full.',
    next: 'Make room and start it again: it goes on where it stopped.',
  },
  SWEEP_CORRUPT: {
    means: 'What a sweep has kept is damaged.',
    cause: 'A fault of the disk, or a change from outside.',
    next: 'Move the file away and start the sweep again: it computes all of it anew.',
  },
  SWEEP_VERSION: {
    means: 'The sweep was made by another version of oddsmith.',
    cause: 'The format of its store has changed.',
    next: 'Use that version, or name another directory under `sweep.out`.',
  },
  NOT_A_SWEEP: {
    means: 'The file is no store of a sweep.',
    cause: 'Another file is at its place.',
    next: 'Name the directory of a sweep, or another one under `sweep.out`.',
  },
  UNIT_DIED: {
    means: 'The thread that played a unit ended before the unit did.',
    cause: 'The strategy took more memory than a thread may have.',
    next: 'Look at what the strategy keeps; fewer jobs leave more memory to each. `sweep --retry` plays such units again.',
  },
  WORKER_DIED: {
    means: 'The workers of a sweep ended before their units did, again and again.',
    cause: 'They were killed, their machines went away, or they had no memory left.',
    next: 'Look at what the workers and their machines say; fewer jobs leave more memory to each.',
  },
  JOB_FAILED: {
    means: 'Workers could not play the jobs of a sweep, again and again.',
    cause: 'What stands in Redis is no job, or no result, as this build writes them: something else writes there.',
    next: 'Look at what the workers print, and give the sweep a Redis database of its own. The same command goes on where it ended.',
  },
  TRIAL_NOT_FOUND: {
    means: 'The sweep has no trial of this number.',
    cause: 'Trials are numbered from 0, in the order in which they were chosen.',
    next: '`oddsmith sweep top DIR` lists trials by their value.',
  },
  TRIAL_CHANGED: {
    means: 'The trial would not be played as the sweep played it.',
    cause: 'A strategy, a signal, a granted file, a tape or oddsmith itself has changed since.',
    next: 'Start the sweep again: it computes what changed. Then run the trial again.',
  },
  TRIAL_NOT_CHOSEN: {
    means: 'The trial was not played out of sample.',
    cause: 'Only the best trial of a fold that has a search of its own is.',
    next: '`oddsmith sweep show DIR` names the trial of each fold.',
  },
  FOLD_NOT_FOUND: {
    means: 'No fold of this number has a search of its own.',
    cause: 'Folds have one under tpe and race, and under `isolate` none and strategy; they are numbered from 1.',
    next: '`oddsmith sweep show DIR` shows what each fold has chosen.',
  },
  TRIAL_DIFFERS: {
    means: 'The trial, played again, does not give the figures that the sweep kept.',
    cause:
      'Something decides the result that is not in the key of its units: a fault of oddsmith, or a strategy that is not deterministic.',
    next: 'Report it with the directory of the sweep.',
  },
  NO_HOLDOUT: {
    means: 'The sweep holds nothing out.',
    cause: 'Its configuration has no `sweep.holdout`, so that the search has seen all events.',
    next: 'Name a day in `sweep: holdout: { from: DATE }` before a search begins, in a sweep of another name.',
  },
  HOLDOUT_OPENED: {
    means: 'What the sweep holds out cannot be changed any more.',
    cause: 'It was opened for a trial before, which is written down.',
    next: 'Put the date back; or give the sweep another name, and know that those events are no hold-out for it.',
  },
  MARKET_NOT_HELD: {
    means: 'No tape at hand has a market that the sweep plays.',
    cause: 'A tape was changed since the sweep began, or a worker has other tapes.',
    next: 'Start the sweep again; name the same tapes to a worker, or the pieces that were split from them.',
  },
  UNIT_DIFFERS: {
    means: 'A worker would not play a unit as the sweep ordered it.',
    cause: 'Its tape, strategy, signals or build are not those of the sweep.',
    next: 'Give the worker the same tapes, files and version.',
  },
  QUEUE_NOT_INSTALLED: {
    means: 'The packages for many machines are not installed.',
    cause: 'Sweeps on one machine do without them, so that they do not come with oddsmith.',
    next: '`npm install bullmq@6 ioredis@6`',
  },
  REDIS_ADDRESS: {
    means: 'The value of `--redis` is no address of a Redis server.',
    cause: 'It is not shown, since it may hold a password.',
    next: 'Write it as `redis://USER:PASSWORD@HOST:PORT/DATABASE`, or `rediss://` for TLS.',
  },
  REDIS_UNREACHABLE: {
    means: 'Redis cannot be reached.',
    cause: 'It does not run, or this machine does not reach it.',
    next: 'Start it, or correct the address. The same command goes on where it ended.',
  },
  REDIS_NOT_AUTHORISED: {
    means: 'Redis does not let this user in.',
    cause: 'A wrong user or password, or a right that the user does not have.',
    next: 'Write user and password into the address.',
  },
  REDIS_UNFIT: {
    means: 'This Redis cannot hold the queue of a sweep.',
    cause: 'It is too old, or it is told to remove keys when its memory is full (maxmemory-policy).',
    next: 'Install a later Redis or Valkey, or set `maxmemory-policy noeviction`.',
  },
  REDIS_FULL: {
    means: 'Redis has no memory left for the next job.',
    cause: 'Its limit (maxmemory) is reached.',
    next: 'Raise maxmemory, or remove what else is kept there. The same command goes on where it ended.',
  },
  BUILD_REFUSED: {
    means: 'No sweep takes this worker.',
    cause: 'It has another build of oddsmith, or another Node, and might compute other rows.',
    next: 'Install the same oddsmith and the same Node on both machines.',
  },
  BUNDLE_DAMAGED: {
    means: 'A strategy of the sweep is not in Redis as the sweep has put it there.',
    cause: 'Redis lost or changed keys.',
    next: 'Start the sweep again: it goes on where it ended.',
  },
} as const satisfies Readonly<Record<string, Explained>>;
