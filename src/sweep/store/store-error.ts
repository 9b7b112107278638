/** What is wrong with the directory of a sweep, as errors that say what to do. */

import Database from 'better-sqlite3';
import { type ErrorParts, OddsmithError } from '../../core/checks/oddsmith-error.ts';

const STORE_ERRORS = {
  SWEEP_NOT_FOUND: 'the directory holds no sweep',
  SWEEP_BUSY: 'another process is at work on the same sweep',
  SWEEP_NOT_WRITABLE: 'what a sweep computes cannot be written',
  SWEEP_FULL: 'there is no room for what a sweep computes',
  SWEEP_CORRUPT: 'what a sweep has kept is damaged',
  SWEEP_VERSION: 'a sweep was made by another version of oddsmith',
  NOT_A_SWEEP: 'the file is no store of a sweep',
} as const;

type StoreErrorCode = keyof typeof STORE_ERRORS;

/** What lies at the path instead of a store: nothing, no file, a database of another program, or a store of another format. */
export type StrangeStore =
  | { readonly kind: string; readonly words: string }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'format'; readonly format: number };

export function strangeStore(path: string, store: StrangeStore): OddsmithError<StoreErrorCode> {
  if ('format' in store) return errorOf(path, 'SWEEP_VERSION', `It has format ${store.format}.`);
  if (!('words' in store)) return errorOf(path, 'NOT_A_SWEEP', 'It is a database of another program.');
  if (store.kind === 'nothing') return errorOf(path, 'SWEEP_NOT_FOUND', 'Nothing is there.');
  return errorOf(path, 'NOT_A_SWEEP', store.kind === 'unreachable' ? `${store.words}.` : `It is ${store.words}.`);
}

/** `problem`: what SQLite threw. Errors of other kinds stay as they are. */
export function storeError(path: string, problem: unknown): unknown {
  if (!(problem instanceof Database.SqliteError)) return problem;
  const [, code = 'SWEEP_NOT_WRITABLE'] = CODES.find(([pattern]) => pattern.test(problem.code)) ?? [];
  return errorOf(path, code, `${problem.message} (${problem.code}).`);
}

const CODES: readonly (readonly [RegExp, StoreErrorCode])[] = [
  [/^SQLITE_CANTOPEN/, 'SWEEP_NOT_WRITABLE'],
  [/^SQLITE_BUSY/, 'SWEEP_BUSY'],
  [/^SQLITE_FULL/, 'SWEEP_FULL'],
  [/^SQLITE_NOTADB/, 'NOT_A_SWEEP'],
  [/^SQLITE_CORRUPT/, 'SWEEP_CORRUPT'],
];

const NEXT: Readonly<Record<StoreErrorCode, string>> = {
  SWEEP_NOT_FOUND: 'Name the directory that oddsmith sweep printed; it holds trials.sqlite.',
  SWEEP_BUSY: 'Wait until the other one is done, or end it: what it has computed stays.',
  SWEEP_NOT_WRITABLE: 'Give oddsmith the right to write there, or name another directory under sweep.out.',
  SWEEP_FULL: 'Make room and start it again: it goes on where it stopped.',
  SWEEP_CORRUPT: 'Move the file away and start the sweep again: it computes all of it anew.',
  SWEEP_VERSION: 'Use that version, or name another directory under sweep.out.',
  NOT_A_SWEEP: 'Name the directory of a sweep, or another one under sweep.out.',
};

function errorOf(where: string, code: StoreErrorCode, why: string): OddsmithError<StoreErrorCode> {
  const text = STORE_ERRORS[code];
  const what = `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  const parts: ErrorParts<StoreErrorCode> = { code, what, where, why, next: NEXT[code] };
  return new OddsmithError(parts);
}
