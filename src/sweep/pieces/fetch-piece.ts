/** Fetches pieces and their list from `oddsmith tape serve`, again where the network fails for a moment. */

import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises'; // edge: a server that does not answer is asked again later
import { request } from 'undici';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { type Manifest, parseManifest, type TapePiece } from '../../recording/pieces/manifest.ts';

/** How often a server is asked, and how long it is waited for between two times, doubled each time. */
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 250;
const TIMEOUTS = { headersTimeout: 10_000, bodyTimeout: 30_000 } as const;
const MANIFEST_BYTES_MAX = 1 << 28;

/** @throws OddsmithError PIECE_UNREACHABLE; TapeFailure PIECES_UNREADABLE */
export async function fetchManifest(address: string): Promise<Manifest> {
  const text = await again(address, async () => {
    const { statusCode, headers, body } = await request(address, TIMEOUTS);
    if (statusCode !== 200) throw new AnswerError(statusCode);
    if (Number(headers['content-length'] ?? 0) > MANIFEST_BYTES_MAX)
      throw new AnswerError(statusCode, 'it is too long');
    return body.text();
  });
  return parseManifest(text, address);
}

/**
 * Writes the piece into a new file, on the disk when this resolves. The file is removed by the caller where it does not.
 * @throws OddsmithError PIECE_UNREACHABLE, PIECE_DAMAGED; an error of the system's where the file cannot be written
 */
export async function fetchPiece(piece: TapePiece, base: string, path: string): Promise<void> {
  const address = `${base}/blobs/${piece.sha256}`;
  await again(address, () => fetchOnce(piece, address, path));
}

/** An answer that is not what was asked for. */
class AnswerError extends Error {
  readonly status: number;

  constructor(status: number, why = `it answers with ${status}`) {
    super(why);
    this.status = status;
  }
}

async function fetchOnce({ sha256, bytes }: TapePiece, address: string, path: string): Promise<void> {
  const { statusCode, body } = await request(address, TIMEOUTS);
  // A body that is not read keeps its connection.
  if (statusCode !== 200) return body.dump().then(() => Promise.reject(new AnswerError(statusCode)));
  const hash = createHash('sha256');
  const file = await open(path, 'w');
  try {
    // Whoever makes room beside us sees how much this will take.
    await file.truncate(bytes);
    let at = 0;
    for await (const part of body as AsyncIterable<Buffer>) {
      if (at + part.byteLength > bytes) throw damaged(address, `it has more than the ${bytes} bytes of its list`);
      hash.update(part);
      for (let done = 0; done < part.byteLength; )
        done += (await file.write(part, done, part.byteLength - done, at + done)).bytesWritten;
      at += part.byteLength;
    }
    if (at !== bytes) throw new AnswerError(statusCode, `it ended after ${at} of ${bytes} bytes`);
    const found = hash.digest('hex');
    if (found !== sha256) throw damaged(address, `its SHA-256 is ${found}`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Again where it may help: not for what the server answers itself, nor for a file that cannot be written. */
async function again<T>(address: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof OddsmithError || isOfFile(error)) throw error;
      const isFinal = error instanceof AnswerError && error.status >= 400 && error.status < 500;
      if (isFinal || attempt === ATTEMPTS) throw unreachable(address, error);
      await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}

/** Errors of the file system name the call; those of the network name the connection. */
function isOfFile(error: unknown): boolean {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return false;
  return ['open', 'write', 'ftruncate', 'fsync', 'close'].includes(String(error.syscall));
}

function unreachable(address: string, error: unknown): OddsmithError {
  return new OddsmithError({
    code: 'PIECE_UNREACHABLE',
    what: 'A piece of the tape cannot be fetched.',
    where: address,
    why: error instanceof Error ? error.message || String('code' in error ? error.code : error.name) : String(error),
    next: 'Look whether `oddsmith tape serve` runs there and serves the pieces of this sweep, and whether this machine reaches it.',
  });
}

function damaged(address: string, why: string): OddsmithError {
  return new OddsmithError({
    code: 'PIECE_DAMAGED',
    what: 'A piece of the tape is not what its list says.',
    where: address,
    why,
    next: 'Split the tape again and serve the new pieces.',
  });
}
