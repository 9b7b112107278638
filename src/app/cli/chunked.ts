/** Joins many small texts into few large ones, since each one written costs a system call. */

const CHUNK_LENGTH = 65_536;

export function* chunked(pieces: Iterable<string>): Generator<string> {
  let parts: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    parts.push(piece);
    length += piece.length;
    if (length < CHUNK_LENGTH) continue;
    yield parts.join('');
    parts = [];
    length = 0;
  }
  if (length > 0) yield parts.join('');
}
