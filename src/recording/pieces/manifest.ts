/** The list of a split tape's pieces: what each holds, and the hashes by which it is fetched and checked. */

import { readFileSync } from 'node:fs';
import { followed } from '../tape/path-kind.ts';
import { TapeFailure } from '../tape/tape-failure.ts';

/** Raised when an older reader would misread the list. */
export const MANIFEST_FORMAT = 1;
export const MANIFEST_FILE = 'manifest.json';

export const PIECE_KINDS = ['event', 'day'] as const;
/** What a piece holds: the markets of one event group, or those of the groups of one day. */
export type PieceKind = (typeof PIECE_KINDS)[number];

export interface Manifest {
  readonly format: typeof MANIFEST_FORMAT;
  readonly by: PieceKind;
  /** The tape that was split: its identity and how much is on it. */
  readonly tape: { readonly content: string; readonly markets: number; readonly updates: number };
  readonly pieces: readonly TapePiece[];
}

export interface TapePiece {
  /** The file's name in the directory of the list. */
  readonly file: string;
  /** SHA-256 of the file's bytes: how a worker asks for it, and what it checks. */
  readonly sha256: string;
  /** The identity of the piece as a tape. */
  readonly content: string;
  readonly bytes: number;
  /** The event group or the day. */
  readonly key: string;
  /** Ids, in the order in which the piece has them. */
  readonly markets: readonly string[];
  readonly updates: number;
  /** The first and the last update, ISO 8601 in UTC; absent where the piece has none. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** Reads the list of a directory. @throws TapeFailure PIECES_NOT_FOUND, PIECES_UNREADABLE */
export function readManifest(path: string): Manifest {
  const { kind, words } = followed(path);
  if (kind === 'nothing') throw new TapeFailure('PIECES_NOT_FOUND', path, path, NEXT);
  if (kind !== 'file') throw unreadable(path, kind === 'unreachable' ? words : `it is ${words}`);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(path, error instanceof Error ? error.message : String(error));
  }
  return parseManifest(text, path);
}

/** `from`: where the text is from, for the error. @throws TapeFailure PIECES_UNREADABLE */
export function parseManifest(text: string, from: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw unreadable(from, error instanceof Error ? error.message : String(error));
  }
  const fault = manifestFault(value);
  if (fault !== undefined) throw unreadable(from, fault);
  return value as Manifest;
}

const NEXT = 'name the directory that `oddsmith tape split` wrote, or split the tape again';

function unreadable(path: string, why: string): TapeFailure {
  return new TapeFailure('PIECES_UNREADABLE', path, why, NEXT);
}

/** What keeps a value from being a list of pieces; undefined where nothing does. */
function manifestFault(value: unknown): string | undefined {
  if (!isRecord(value)) return 'it is no object';
  if (value['format'] !== MANIFEST_FORMAT)
    return `it has the format ${String(value['format'])}, and this version reads ${MANIFEST_FORMAT}`;
  const { by, tape, pieces } = value;
  if (!PIECE_KINDS.some((kind) => kind === by)) return 'by is neither event nor day';
  if (!isRecord(tape) || !isHash(tape['content']) || !isCount(tape['markets']) || !isCount(tape['updates']))
    return 'tape has not its identity and its counts';
  if (!Array.isArray(pieces)) return 'pieces is no list';
  const names = new Set<string>();
  for (const [index, piece] of pieces.entries()) {
    const fault = pieceFault(piece);
    if (fault !== undefined) return `pieces[${index}]: ${fault}`;
    names.add((piece as TapePiece).file);
  }
  return names.size === pieces.length ? undefined : 'two pieces have the same file';
}

/** A file's name says nothing about folders: whoever wrote the list does not choose what is read. */
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.tape$/;

function pieceFault(piece: unknown): string | undefined {
  if (!isRecord(piece)) return 'it is no object';
  const { file, sha256, content, bytes, key, markets, updates, from, to } = piece;
  if (typeof file !== 'string' || !FILE_NAME.test(file)) return 'file is no name of a piece';
  if (!isHash(sha256) || !isHash(content)) return 'sha256 or content is no SHA-256';
  if (!isCount(bytes) || !isCount(updates)) return 'bytes or updates is no count';
  if (typeof key !== 'string') return 'key is no text';
  if (!Array.isArray(markets) || !markets.every((id) => typeof id === 'string')) return 'markets is no list of ids';
  const times = [from, to].every((time) => time === undefined || typeof time === 'string');
  return times ? undefined : 'from or to is no time';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
