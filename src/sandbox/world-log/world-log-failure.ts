/** Failures of a world's file with stable codes, never caused by a bug of oddsmith. */

const WORLD_LOG_FAILURE_CODES = {
  WORLD_LOG_UNREADABLE: 'the file of the world cannot be opened',
  NOT_A_WORLD_LOG: 'the file is no world of a sandbox',
  WORLD_LOG_VERSION: 'the world was written in a format this version does not read',
  WORLD_LOG_BUSY: 'another sandbox is using this world',
  WORLD_LOG_RULES: 'the world was made under other rules',
  WORLD_LOG_CORRUPT: 'the file does not hold what was written to it',
  WORLD_LOG_DIVERGED: 'the world does not come out as it was when its changes are made again',
  WORLD_LOG_WRITE: 'a change could not be written',
} as const;

export type WorldLogFailureCode = keyof typeof WORLD_LOG_FAILURE_CODES;

export class WorldLogFailure extends Error {
  override readonly name = 'WorldLogFailure';
  readonly code: WorldLogFailureCode;
  readonly path: string;
  /** What the user can do. */
  readonly next: string;

  constructor(code: WorldLogFailureCode, path: string, detail: string, next: string) {
    super(`${WORLD_LOG_FAILURE_CODES[code]}: ${detail}`);
    this.code = code;
    this.path = path;
    this.next = next;
  }
}
