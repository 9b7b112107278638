/** Codes of tapes, their pieces, recordings that are imported, and worlds of a sandbox. */

import type { Explained } from './entry.ts';

const AGAIN = 'Fetch the file again; with `--on-error skip` what is whole is kept.';

export const DATA_CODES = {
  TAPE_NOT_FOUND: {
    means: 'There is no tape at this path.',
    cause: 'A misspelt path, or recordings that were not imported yet.',
    next: 'Correct the path, or make the tape: `oddsmith import betfair RECORDINGS --tape OUT`.',
  },
  NOT_A_TAPE: {
    means: 'The file is no tape of oddsmith.',
    cause: 'A recording was named in place of the tape that is made of it, or another file.',
    next: 'Import recordings first: `oddsmith import betfair FILE --tape OUT`.',
  },
  TAPE_VERSION: {
    means: 'The tape was written in a format that this version does not read.',
    cause: 'It was made by a newer or a much older oddsmith.',
    next: 'Use that version, or import the recordings again.',
  },
  TAPE_EXISTS: {
    means: 'A tape is already at the target path.',
    cause: 'The command never replaces a tape without being asked.',
    next: 'Name another path, remove the tape, or use the flag that the message names.',
  },
  TAPE_NOT_REPLACEABLE: {
    means: 'What is at the target path is not replaced.',
    cause: 'It is no tape, or it is a directory.',
    next: 'Name another path.',
  },
  TAPE_BUSY: {
    means: 'Another process is writing this tape.',
    cause: 'An import or a recording is at work on it.',
    next: 'Wait until it has ended, or name another path.',
  },
  TAPE_NOT_WRITABLE: {
    means: 'The tape cannot be written any further.',
    cause: 'The disk is full, or you have no right to write there.',
    next: 'Make room or name another path, and start again. A half-written tape is not left behind.',
  },
  TAPE_CORRUPT: {
    means: 'The tape does not hold what it says it holds.',
    cause: 'The file was damaged or cut off after it was written.',
    next: '`oddsmith tape verify TAPE` lists the damage. Restore the tape, or import the recordings again.',
  },
  TAPE_CHANGED: {
    means: 'The tape is not the one that the run played.',
    cause:
      'Recordings were imported or recorded onto it since, or another tape has its path. Its content is compared, not its name.',
    next: 'Name the tape that the run played with `--tape`, or play the run again with this one.',
  },
  DUPLICATE_MARKET: {
    means: 'The tape holds a market with this id already.',
    cause: 'The same recording was named twice, or two recordings are of one market.',
    next: 'Name each recording once; with `--on-error skip` the first one counts.',
  },
  PIECES_EXIST: {
    means: 'Something else is already in the directory for the pieces.',
    cause: 'Pieces of another tape, or other files, are in it.',
    next: 'Name an empty directory with `--out`.',
  },
  PIECES_NOT_FOUND: {
    means: 'There are no pieces of a tape at this place.',
    cause: 'The directory or address is none that `oddsmith tape split` has written.',
    next: 'Name the directory that `oddsmith tape split` printed, or the address of `oddsmith tape serve`.',
  },
  PIECES_UNREADABLE: {
    means: 'The list of pieces cannot be read.',
    cause: 'It was changed or cut off, or was written by a newer version.',
    next: 'Split the tape again into another directory.',
  },
  PIECE_UNREACHABLE: {
    means: 'A piece of a tape cannot be fetched.',
    cause: 'The server of the pieces does not run, or this machine does not reach it.',
    next: 'Look whether `oddsmith tape serve` runs there, and whether the address is right from here.',
  },
  PIECE_DAMAGED: {
    means: 'A piece of a tape is not what its list says.',
    cause: 'It was changed, or damaged on its way. Its hash is compared before it is opened.',
    next: 'Split the tape again, and serve the new pieces.',
  },
  CACHE_FULL: {
    means: 'The cache of pieces has no room for the next one.',
    cause: 'The pieces in use at once need more than its limit.',
    next: 'Raise the limit with `--cache-max`, or run fewer jobs at once.',
  },
  CACHE_NOT_WRITABLE: {
    means: 'The cache of pieces cannot be written into.',
    cause: 'A full disk, no right to write, or a file system without hard links.',
    next: 'Make room, or name a directory of your own with `--cache`.',
  },
  FILE_NOT_FOUND: {
    means: 'There is no recording at this path.',
    cause: 'A misspelt path, or an empty directory.',
    next: 'Correct the path; it is relative to the directory in which oddsmith was started.',
  },
  FILE_UNREADABLE: {
    means: 'The recording cannot be read.',
    cause: 'No right to read it, or a fault of the disk.',
    next: 'Look at its rights, or copy it again.',
  },
  NOT_A_RECORDING: {
    means: 'The file holds no message of the Betfair stream.',
    cause: 'It is of another kind, or an error page that was downloaded in its place.',
    next: 'Look into the file; download it again.',
  },
  BAD_LINE: {
    means: 'A line of the recording is no whole message.',
    cause: 'The recording was cut off while it was written, or damaged. `where` has the line.',
    next: 'Download it again; with `--on-error skip` what is whole before it is kept.',
  },
  NO_DEFINITION: {
    means: 'The recording never says what its market is.',
    cause: 'It begins in the middle, without a market definition.',
    next: 'Take a recording from the start of the market.',
  },
  CORRUPT_GZIP: damaged('gzip data'),
  TRUNCATED_GZIP: cutOff('gzip data'),
  CORRUPT_BZ2: damaged('bzip2 data'),
  TRUNCATED_BZ2: cutOff('bzip2 data'),
  CORRUPT_ZIP: damaged('zip archive'),
  TRUNCATED_ZIP: cutOff('zip archive'),
  CORRUPT_ZSTD: damaged('zstd data'),
  TRUNCATED_ZSTD: cutOff('zstd data'),
  CORRUPT_TAR: damaged('tar archive'),
  TRUNCATED_TAR: cutOff('tar archive'),
  UNSUPPORTED_ZIP: {
    means: 'The zip archive uses a method that is not supported.',
    cause: 'It is encrypted, or packed by a rare method.',
    next: 'Unpack it with another program, and import the files.',
  },
  UNPACKS_TOO_LARGE: {
    means: 'The archive unpacks to more than recordings ever do, and no more of it is read.',
    cause: 'It was made to fill a disk or a memory, or it holds something else than recordings.',
    next: 'Unpack it with another program, look at what is in it, and import the recordings.',
  },
  NOTHING_IMPORTED: {
    means: 'No file gave a market, so that no tape was written.',
    cause: 'Each file had a fault; they are listed before.',
    next: 'Look at the faults of the single files.',
  },
  WORLD_LOG_UNREADABLE: {
    means: 'The file of the world of a sandbox cannot be opened.',
    cause: 'No right to read or write it, or a directory is at its path.',
    next: 'Name another file with `--state`, or use `--memory`.',
  },
  NOT_A_WORLD_LOG: {
    means: 'The file is no world of a sandbox.',
    cause: 'Another file is at the path.',
    next: 'Name another path; nothing was changed in the file.',
  },
  WORLD_LOG_VERSION: {
    means: 'The world was written in a format that this version does not read.',
    cause: 'It was made by a newer or a much older oddsmith.',
    next: 'Use that version, or begin a new world.',
  },
  WORLD_LOG_BUSY: {
    means: 'Another sandbox is using this world.',
    cause: 'An earlier sandbox is still running.',
    next: 'End it, or name another file.',
  },
  WORLD_LOG_RULES: {
    means: 'The world was made under other rules of the exchange.',
    cause: 'The same changes would come to other results under the rules of this start.',
    next: 'Start it with the same flags as before, or begin a new world.',
  },
  WORLD_LOG_CORRUPT: {
    means: 'The file does not hold what was written to it.',
    cause: 'It was damaged or changed after it was written.',
    next: 'Restore it, or begin a new world.',
  },
  WORLD_LOG_DIVERGED: {
    means: 'The world does not come out as it was when its changes are made again.',
    cause: 'Another version of oddsmith decides otherwise.',
    next: 'Use the version that wrote it, or begin a new world.',
  },
  WORLD_LOG_WRITE: {
    means: 'A change of the world could not be written.',
    cause: 'The disk is full, or the file was taken away. The request was not answered.',
    next: 'Make room, and start the sandbox again.',
  },
} as const satisfies Readonly<Record<string, Explained>>;

function damaged(packing: string): Explained {
  return {
    means: `The ${packing} is damaged.`,
    cause: 'The file was changed on its way, or the disk has a fault.',
    next: AGAIN,
  };
}

function cutOff(packing: string): Explained {
  return { means: `The ${packing} ends early.`, cause: 'The download or the copy was cut off.', next: AGAIN };
}
