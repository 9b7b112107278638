/** Codes of live and paper runs: the exchange, the journal, the state directory, the daemon that commands talk to. */

import type { Explained } from './entry.ts';

export const RUN_CODES = {
  EXCHANGE_UNREACHABLE: {
    means: 'The exchange cannot be reached.',
    cause: 'A wrong address, no network, or the exchange is down.',
    next: 'Check `exchange.url`, and that the exchange is up.',
  },
  EXCHANGE_NOT_AUTHORISED: {
    means: 'The exchange does not accept the key.',
    cause: 'A wrong or revoked key, or an app that may not do this.',
    next: 'Check the app id and the key in the environment.',
  },
  SESSION_LOST: {
    means: 'The exchange refuses the key for good, after it had accepted it.',
    cause: 'The key was revoked, or the login was refused for good, while a run or a recording was at work.',
    next: 'Get a valid key, or do what the message says, and start again. The heartbeat of a run lapsed, so that the exchange cancelled its orders; with `heartbeat: none` they are still there.',
  },
  CLOCK_SKEW: {
    means: 'The clock of this machine differs from that of the exchange by more than is allowed.',
    cause: 'The clock is not kept in time.',
    next: 'Set the clock (`timedatectl`), or raise `clock.skewMaxMs` if you know why.',
  },
  HEARTBEAT_OWNED: {
    means: 'Another run of the app keeps the heartbeat.',
    cause: 'The exchange keeps one heartbeat an app, and two runs would keep each other’s orders alive.',
    next: 'Stop the other run, put its strategies and wallets into one configuration, or give each run an app.',
  },
  JOURNAL_NOT_FOUND: {
    means: 'There is no journal in this directory.',
    cause: 'It is no state directory of a run, or a wrong path.',
    next: 'Name the directory of a run: `dir` of its configuration.',
  },
  NOT_A_JOURNAL: {
    means: 'The file is no journal of oddsmith.',
    cause: 'Another file is at its place.',
    next: 'Restore the journal from a backup, or name another state directory.',
  },
  JOURNAL_NEWER: {
    means: 'The journal was written by a newer oddsmith.',
    cause: 'An older version was installed again.',
    next: 'Install the newer version.',
  },
  JOURNAL_NOT_READABLE: {
    means: 'The journal cannot be read.',
    cause: 'It is another user’s: its mode is 600. Or a fault of the disk.',
    next: 'Read it as the user that the run has, or copy the directory as that user.',
  },
  JOURNAL_BUSY: {
    means: 'Another daemon has the journal.',
    cause: 'The run is at work already.',
    next: '`oddsmith status CONFIG` says which process it is.',
  },
  JOURNAL_NOT_WRITABLE: {
    means: 'The journal cannot be written.',
    cause: 'No right to write into the state directory.',
    next: 'Give the user of the daemon that right. Nothing was sent.',
  },
  JOURNAL_FULL: {
    means: 'There is no room for the next record of the journal.',
    cause: 'The disk is full, or a quota is reached.',
    next: 'Make room, and start it again. The cancellation of all live orders was asked for.',
  },
  JOURNAL_CORRUPT: {
    means: 'The journal is damaged, so that nothing is traded on it.',
    cause: 'A fault of the disk, or a change from outside.',
    next: 'Take a whole copy of the state directory if it is newer than every order; else start once with `--accept-corrupt`.',
  },
  RUN_DIRECTORY_OPEN: {
    means: 'The state directory is not its owner’s alone.',
    cause: 'Others may enter it, or it belongs to another user.',
    next: '`chmod 700 DIR`, or run the daemon as its owner.',
  },
  RUN_DIRECTORY_MISMATCH: {
    means: 'The state directory belongs to another run.',
    cause: 'The configuration names another exchange, app, wallet or way of running than the journal was begun with.',
    next: 'Name another directory under `dir`.',
  },
  RUN_NOT_FOUND: {
    means: 'There is no directory of a run at this path, or it holds no recording.',
    cause: 'A misspelt path, or a run without `record: true`.',
    next: 'Name the directory of a run that recorded; a paper run always does.',
  },
  RUN_NOT_READABLE: {
    means: 'A file of the run cannot be read.',
    cause: 'It was changed or damaged.',
    next: 'Do what the message says of that file.',
  },
  DAEMON_NOT_RUNNING: {
    means: 'No daemon runs in this state directory.',
    cause: 'It was never started, or has ended.',
    next: 'Start it: `oddsmith run CONFIG`.',
  },
  DAEMON_NOT_ANSWERING: {
    means: 'The daemon is there and does not answer.',
    cause: 'It is stuck, stopped, or too busy.',
    next: 'See its log. To end it: `kill -TERM`, then `kill -KILL`; its heartbeat lapses, and the exchange cancels.',
  },
  DAEMON_STILL_RUNS: {
    means: 'The run has ended, and its process is not gone after 15 seconds.',
    cause: 'It cannot write its last lines, or the machine is too busy. It trades no more, and its journal is closed.',
    next: 'See its log. To end it: `kill -KILL` with the number that is named.',
  },
  CONTROL_REFUSED: {
    means: 'The daemon refused the command.',
    cause: 'The command does not fit its state, such as `resume` beside a halt file; or another user asks.',
    next: 'Do what the message says.',
  },
} as const satisfies Readonly<Record<string, Explained>>;
