/**
 * Failures of a journal with stable codes: found when it is opened or written to, never caused by a bug of oddsmith.
 */

const JOURNAL_FAILURE_CODES = {
  JOURNAL_NOT_FOUND: 'there is no journal at this path',
  NOT_A_JOURNAL: 'the file is no oddsmith journal',
  JOURNAL_NEWER: 'the journal was written in a format this version does not read',
  JOURNAL_NOT_READABLE: 'the journal cannot be read',
  JOURNAL_BUSY: 'another process keeps this journal',
  JOURNAL_NOT_WRITABLE: 'the journal cannot be written',
  JOURNAL_FULL: 'there is no room left for the journal',
  JOURNAL_CORRUPT: 'the journal does not hold what was written',
} as const;

export type JournalFailureCode = keyof typeof JOURNAL_FAILURE_CODES;

/** `where` is the file, with the record in it where one is known. */
export interface JournalFailureParts {
  readonly code: JournalFailureCode;
  readonly where: string;
  readonly why: string;
  readonly next: string;
  /** Sequence number of the first damaged record. */
  readonly sequence?: number;
}

/** A failure with the fields of an error block: code, what, where, why, next. */
export class JournalFailure extends Error {
  override readonly name = 'JournalFailure';
  readonly code: JournalFailureCode;
  readonly what: string;
  readonly where: string;
  readonly why: string;
  /** What the user can do. */
  readonly next: string;
  readonly sequence: number | undefined;

  constructor({ code, where, why, next, sequence }: JournalFailureParts) {
    super(`${JOURNAL_FAILURE_CODES[code]}: ${why} (${where})`);
    this.code = code;
    this.what = JOURNAL_FAILURE_CODES[code];
    this.where = where;
    this.why = why;
    this.next = next;
    this.sequence = sequence;
  }
}
