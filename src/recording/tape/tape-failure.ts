/** Everything that can be wrong with a tape, with stable codes: data missing or corrupt, never a bug of ours. */

/** The codes of failures, each with what it means in words. */
export const TAPE_FAILURE_CODES = {
  TAPE_NOT_FOUND: 'there is no file at this path',
  NOT_A_TAPE: 'the file is no oddsmith tape',
  TAPE_VERSION: 'the tape was written in a format this version does not read',
  TAPE_EXISTS: 'a file is already at the target path',
  TAPE_NOT_REPLACEABLE: 'what is at the target path is not replaced',
  TAPE_BUSY: 'another process is writing this tape',
  TAPE_NOT_WRITABLE: 'the tape cannot be written any further',
  TAPE_CORRUPT: 'the tape does not hold what it says it holds',
  DUPLICATE_MARKET: 'the tape already holds a market with this id',
  PIECES_EXIST: 'something else is already in the directory for the pieces',
  PIECES_NOT_FOUND: 'there are no pieces of a tape at this place',
  PIECES_UNREADABLE: 'the list of pieces cannot be read',
} as const;

export type TapeFailureCode = keyof typeof TAPE_FAILURE_CODES;

/** Thrown where a tape cannot be read or written: what happened (`code`), where (`path`), and what to do next. */
export class TapeFailure extends Error {
  override readonly name = 'TapeFailure';
  readonly code: TapeFailureCode;
  readonly path: string;
  /** What the message says beside the code's meaning. */
  readonly detail: string;
  /** What the user can do next. */
  readonly next: string;

  constructor(code: TapeFailureCode, path: string, detail: string, next: string) {
    super(`${TAPE_FAILURE_CODES[code]}: ${detail}`);
    this.code = code;
    this.path = path;
    this.detail = detail;
    this.next = next;
  }
}
