/** Joins many small texts into few large ones, since each one written costs a system call. */

const CHUNK_LENGTH = 65_536;

/** Pieces that are bytes pass as they are. */
export function chunked(pieces: Iterable<string>): Generator<string>;
export function chunked(pieces: Iterable<string | Uint8Array>): Generator<string | Uint8Array>;
export function* chunked(pieces: Iterable<string | Uint8Array>): Generator<string | Uint8Array> {
  let parts: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    if (typeof piece !== 'string') {
      if (length > 0) yield parts.join('');
      parts = [];
      length = 0;
      yield piece;
      continue;
    }
    parts.push(piece);
    length += piece.length;
    if (length < CHUNK_LENGTH) continue;
    yield parts.join('');
    parts = [];
    length = 0;
  }
  if (length > 0) yield parts.join('');
}
