/** Every reason for which a recording is not imported, with stable codes. */

/** The codes of failures, each with what it means in words. */
export const IMPORT_FAILURE_CODES = {
  FILE_NOT_FOUND: 'there is no file at this path',
  FILE_UNREADABLE: 'the file cannot be read',
  NOT_A_RECORDING: 'the file holds no Betfair stream message',
  BAD_LINE: 'a line is not a whole Betfair stream message',
  NO_DEFINITION: 'the recording never says what its market is: it has no market definition',
  CORRUPT_GZIP: 'the gzip data is damaged',
  TRUNCATED_GZIP: 'the gzip data ends early',
  CORRUPT_BZ2: 'the bzip2 data is damaged',
  TRUNCATED_BZ2: 'the bzip2 data ends early',
  CORRUPT_ZIP: 'the zip archive is damaged',
  TRUNCATED_ZIP: 'the zip archive ends early',
  UNSUPPORTED_ZIP: 'the zip archive uses a method that is not supported',
  CORRUPT_ZSTD: 'the zstd data is damaged',
  TRUNCATED_ZSTD: 'the zstd data ends early',
  CORRUPT_TAR: 'the tar archive is damaged',
  TRUNCATED_TAR: 'the tar archive ends early',
  UNPACKS_TOO_LARGE: 'the archive unpacks to more than recordings ever do',
  DUPLICATE_MARKET: 'the market is in the tape already',
  NOTHING_IMPORTED: 'no file gave a market, so that no tape was written',
} as const;

/** Why a file or a recording in it cannot be imported. */
export type ImportFailureCode = keyof typeof IMPORT_FAILURE_CODES;

/** A place in a file: `byte` counts in the file as it lies on disk, `line` counts from 1 in its decompressed text. */
export interface ImportPlace {
  /** Path of the file, `archive.tar!entry` inside an archive. */
  readonly file: string;
  /** Counts from 1 in the decompressed text; absent where the place is no line. */
  readonly line?: number;
  /** Place in the file as it lies on disk; absent where it is not known. */
  readonly byte?: number;
}

/** A failure as plain data, for reports and for other threads. */
export interface ImportProblem extends ImportPlace {
  /** One of `ERROR_CODES`. */
  readonly code: ImportFailureCode;
  /** What happened, in one sentence without the place. */
  readonly what: string;
  /** The cause; absent where no more is known. */
  readonly why?: string;
  /** What to do about it. */
  readonly next: string;
}

/** Thrown where a file or recording cannot be imported; `problem` says what, where and why. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure';
  readonly problem: ImportProblem;

  constructor(problem: ImportProblem) {
    super(
      `${problem.code}: ${describePlace(problem)}: ${problem.what}${problem.why === undefined ? '' : ` (${problem.why})`}`,
    );
    this.problem = problem;
  }

  get code(): ImportFailureCode {
    return this.problem.code;
  }
}

/** A place in words: `file:line` or `file at byte n`. */
export function describePlace(place: ImportPlace): string {
  const line = place.line === undefined ? '' : `:${place.line}`;
  const byte = place.byte === undefined ? '' : ` at byte ${place.byte}`;
  return `${place.file}${line}${byte}`;
}

const NEXT: Partial<Record<ImportFailureCode, string>> = {
  FILE_NOT_FOUND: 'check the path',
  FILE_UNREADABLE: 'check the path and its permissions',
  NOT_A_RECORDING: 'give files of Betfair stream messages, one JSON object a line',
  NO_DEFINITION: 'record the market again from its first image, or leave the file out',
  UNSUPPORTED_ZIP: 'unpack the archive and import the files in it',
  UNPACKS_TOO_LARGE: 'unpack the archive and look at what is in it',
  DUPLICATE_MARKET: 'leave one of the two files out',
  NOTHING_IMPORTED: 'see the reason given for each file',
};

/** Makes a failure; `why` adds details to the words of its code. */
export function importFailure(code: ImportFailureCode, place: ImportPlace, why?: string): ImportFailure {
  return new ImportFailure({
    code,
    ...place,
    what: IMPORT_FAILURE_CODES[code],
    ...(why === undefined ? {} : { why }),
    next: NEXT[code] ?? 'fetch the file again, or import with --on-error skip to keep what is whole',
  });
}
