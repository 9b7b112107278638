/** Codes of the command line, of configuration files, of strategies and of their signals. */

import type { Explained } from './entry.ts';

export const COMMAND_CODES = {
  INTERNAL_BUG: {
    means: 'Something that oddsmith relies on did not hold: a fault of its own.',
    cause: 'An assertion failed. A report file was written, and `where` names it.',
    next: 'Report it with that file. The same command with the same seed fails in the same way.',
  },
  OUT_OF_MEMORY: {
    means: 'The command took more memory than Node lets it take.',
    cause: 'A strategy keeps all that it sees, or a run has many millions of orders.',
    next: 'Look at what strategies keep in their state; or raise the limit: `NODE_OPTIONS=--max-old-space-size=8192` (megabytes).',
  },
  USAGE: {
    means: 'The command line cannot be understood, or asks for things that exclude each other.',
    cause: 'A misspelt command or flag, a missing argument, or a value that the flag does not take.',
    next: 'Read the help of the command: `oddsmith COMMAND --help` has an example.',
  },
  NODE_TOO_OLD: {
    means: 'This Node is older than what oddsmith runs on.',
    cause:
      'The command was started by the Node of the machine. The npm scripts of the repository bring a Node of their own.',
    next: 'Install Node 24, or start oddsmith through npm.',
  },
  FILE_NOT_WRITABLE: {
    means: 'A file or directory for results cannot be written.',
    cause: 'No right to write there, a full disk, or something else of that name is in the way.',
    next: 'Name another directory with `--out`, or make room. The same run gives the same result again.',
  },
  REPORT_DATA_NOT_READABLE: {
    means: 'The data of a report cannot be read.',
    cause: 'The file report-data.gz of the run was changed or cut off, or was written by another version.',
    next: 'Run the backtest again: the same run gives the same report.',
  },
  NOT_OPENED: {
    means: 'The page was written or is served, and the system could not open it.',
    cause: 'The machine has no browser, or no program that opens files.',
    next: 'Open the file, or the link that was printed, in a browser yourself.',
  },
  PACKAGE_INCOMPLETE: {
    means: 'A file that comes with oddsmith is missing.',
    cause: 'An installation that was interrupted, or a file that was deleted.',
    next: 'Install the package again, or restore the file in the repository.',
  },
  PROJECT_EXISTS: {
    means: 'The directory for a new project is not empty.',
    cause: 'A project is there already, or other files are; `oddsmith init` replaces none.',
    next: 'Name a directory that does not exist yet, or an empty one.',
  },
  NOT_A_PACKAGE: {
    means: 'The file that is named with `--from` is no packed oddsmith.',
    cause: 'It is another file, or the packing was cut off.',
    next: 'Pack it with `npm pack` in the repository, and name the .tgz that it prints.',
  },
  PORT_IN_USE: {
    means: 'Another program listens on the port already.',
    cause: 'An earlier sandbox or daemon is still running, or the port belongs to another service.',
    next: 'End the other program, or choose another port (0: any that is free).',
  },
  ADDRESS_NOT_AVAILABLE: {
    means: 'The address to listen on is none of this machine.',
    cause: 'A misspelt host, or an address of another machine.',
    next: 'Use 127.0.0.1, or an address that this machine has.',
  },
  CONFIG_NOT_FOUND: {
    means: 'There is no configuration file at this path.',
    cause: 'A misspelt path; it is relative to the directory in which oddsmith was started.',
    next: 'Correct the path.',
  },
  CONFIG_NOT_READABLE: {
    means: 'The configuration file cannot be read.',
    cause: 'It is a directory, or you have no right to read it.',
    next: 'Look at what is at the path, and at its rights.',
  },
  CONFIG_SYNTAX: {
    means: 'The configuration is not valid YAML.',
    cause: 'Wrong indentation, a missing quote or a tab. `where` has line and column.',
    next: 'Correct that line.',
  },
  CONFIG_UNKNOWN_KEY: {
    means: 'The configuration has a key that does not exist.',
    cause: 'A misspelt key, or a key at the wrong place. `where` has line and column.',
    next: 'Correct the key; the editor completes keys by the schema that the first line of the file names.',
  },
  CONFIG_INVALID: {
    means: 'A value in the configuration cannot be.',
    cause:
      'Another type or range than the key takes, or values that contradict each other. `where` has line and column.',
    next: 'Change the value as the message says.',
  },
  CONFIG_SECRET_UNSET: {
    means: 'An environment variable that the configuration names is not set, or is empty.',
    cause: 'Keys and tokens stand in the environment; the file only names the variable.',
    next: 'Set it before the start: `export NAME=…`, or in the env file of the service.',
  },
  STRATEGY_NOT_FOUND: {
    means: 'There is no strategy file at this path.',
    cause:
      'A misspelt path; it is relative to the directory in which oddsmith was started. If a configuration names it, `where` is the line there.',
    next: 'Correct the path.',
  },
  STRATEGY_SYNTAX: {
    means: 'The strategy file, or a file that it imports, is no valid TypeScript or JavaScript.',
    cause: 'A syntax error. `where` has file, line and column.',
    next: 'Correct that line.',
  },
  STRATEGY_IMPORT: {
    means: 'Something that the strategy imports is not there.',
    cause: 'A misspelt name or path, a package that is not installed, or one of the own files of oddsmith.',
    next: 'Correct the import; strategies import from `oddsmith`, from their own files and from installed packages.',
  },
  STRATEGY_NO_DEFAULT_EXPORT: {
    means: 'The strategy file has no default export.',
    cause: 'The strategy is exported under a name, or not at all.',
    next: 'Write `export default defineStrategy({ … })`.',
  },
  STRATEGY_SHAPE: {
    means: 'What the file exports is no strategy.',
    cause: 'A field is missing, has another type, or does not exist.',
    next: 'Export what `defineStrategy({ name, params, watches, signals, state, decide })` returns; only name and decide are needed.',
  },
  STRATEGY_PARAM: {
    means: 'A parameter of the strategy is unknown, or its value cannot be.',
    cause: 'A misspelt name, or a value outside of what the strategy declares.',
    next: 'Correct `params` in the configuration, or `--param` on the command line.',
  },
  STRATEGY_THROW: {
    means: 'The strategy threw an error.',
    cause: 'A fault in its code. `where` has file, line and column.',
    next: 'Correct that line. A strategy that throws while it runs is halted, and its orders are cancelled.',
  },
  STRATEGY_LOAD_TIMEOUT: {
    means: 'The strategy file did not come to its end while it was loaded.',
    cause: 'An endless loop, or long work at the top level of the file.',
    next: 'Let the file only declare; prepare large data before, and import it as JSON.',
  },
  STRATEGY_BAD_RESULT: {
    means: 'What `decide` returned is no decision.',
    cause: 'It returned a promise, or something that is neither a list of intents nor `{ intents, state, wakeAt }`.',
    next: 'Return a list, which may be empty. `decide` is not asynchronous.',
  },
  STRATEGY_STUCK: {
    means: 'A strategy did not come back from a call in time.',
    cause: 'A loop that does not end, or work that takes too long. `why` shows where it was.',
    next: 'Correct the loop. `strategyTimeoutMs` says how long a call may take. In a backtest the strategy is halted there. A daemon that is started again goes on without this strategy.',
  },
  SIGNAL_NOT_FOUND: {
    means: 'There is no signal file at the path that the strategy declares.',
    cause: 'The file was not written yet, or the path is misspelt; it is relative to the strategy file.',
    next: 'Write the file, or correct the path in `signals`.',
  },
  SIGNAL_ROW: {
    means: 'A line of a signal file is no row.',
    cause: 'A missing column, a value that is no number, or a time without a zone. `where` has the line.',
    next: 'Correct the program that writes the file.',
  },
  NO_MARKETS: {
    means: 'No market is left to play, or the tape has no market of this id.',
    cause: 'A filter in `markets` excludes all of them, or an id is misspelt.',
    next: 'Look at what the tape holds: `oddsmith tape info TAPE`.',
  },
  LOOKAHEAD: {
    means: 'A strategy decided otherwise when the future was removed or changed: it knows what it cannot know.',
    cause: 'It reads results or later prices from a file, from the clock, or from state that markets share.',
    next: 'Look at the decision that is named and at what it rests on. A backtest of it means nothing until then.',
  },
  PROOF_FILES: {
    means: 'It cannot be proven that the strategy does not look ahead, since it reads files or the environment.',
    cause: 'It decides otherwise where they are taken away.',
    next: 'Give such data as a signal, whose rows say from when on they were known.',
  },
  PROOF_IDS: {
    means: 'It cannot be proven that the strategy does not look ahead, since it decides by ids or by the year.',
    cause: 'Its code may hold results by market, or it chooses markets by their id.',
    next: 'Choose markets by name, type, event or start; or give a list of ids as a parameter.',
  },
} as const satisfies Readonly<Record<string, Explained>>;
