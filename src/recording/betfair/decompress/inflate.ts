/** Inflates one raw deflate stream from a reader, and leaves what follows it in the reader. */

import { createInflateRaw, type InflateRaw, inflateRawSync } from 'node:zlib';
import type { ByteReader } from './byte-reader.ts';
import { EndOfData } from './byte-reader.ts';

/** The data is damaged at about this byte of the compressed stream. */
export class DamagedData extends Error {
  override readonly name = 'DamagedData';
  readonly offset: number;

  constructor(why: string, offset: number) {
    super(why);
    this.offset = offset;
  }
}

const FEED = 65_536;
/** A stream that is left with so few bytes is inflated at once, without a thread to wait for. */
const AT_ONCE_MAX = 262_144;
/** Decompressed bytes that are kept at once; a stream of more goes chunk by chunk. */
const AT_ONCE_OUT_MAX = 8 * 1024 * 1024;

/**
 * Yields the decompressed chunks. What was decompressed before damage or an early end is yielded before the throw.
 * @throws DamagedData, EndOfData
 */
export async function* inflate(reader: ByteReader): AsyncGenerator<Uint8Array> {
  const whole = (await reader.fill(AT_ONCE_MAX + 1)) <= AT_ONCE_MAX ? inflateAtOnce(reader.buffered) : undefined;
  if (whole === undefined) return yield* inflateInChunks(reader);
  reader.skip(whole.taken);
  yield whole.bytes;
}

/** Undefined where the stream is damaged, cut or too long: then it is read in chunks, which yields what comes before the fault. */
function inflateAtOnce(from: Uint8Array): { readonly bytes: Uint8Array; readonly taken: number } | undefined {
  try {
    const info: unknown = inflateRawSync(from, { info: true, maxOutputLength: AT_ONCE_OUT_MAX });
    const { buffer, engine } = info as { readonly buffer: Buffer; readonly engine: InflateRaw };
    return { bytes: buffer, taken: engine.bytesWritten };
  } catch {
    return undefined;
  }
}

async function* inflateInChunks(reader: ByteReader): AsyncGenerator<Uint8Array> {
  const engine = createInflateRaw();
  const output: Uint8Array[] = [];
  const start = reader.offset;
  let fault: Error | undefined;
  let ended = false;
  engine.on('data', (chunk: Uint8Array) => output.push(chunk));
  engine.on('end', () => {
    ended = true;
  });
  engine.on('error', (error) => {
    fault = error;
  });
  // A write into an engine that was destroyed gets no other reply than this event. One listener serves all writes.
  let answered = (): void => undefined;
  engine.on('close', () => answered());
  /** Feeds the engine with what comes next, and says whether that was the last it takes; it inflates in a thread of its own. */
  const feedNext = async (): Promise<boolean> => {
    const have = await reader.fill(1);
    if (have === 0) throw new EndOfData(reader.offset);
    const feed = reader.buffered.subarray(0, FEED);
    const before = engine.bytesWritten;
    await new Promise<void>((resolve) => {
      answered = resolve;
      engine.write(feed, () => resolve());
    });
    const taken = engine.bytesWritten - before;
    reader.skip(Math.min(taken, feed.length));
    return ended || fault !== undefined || taken < feed.length;
  };
  try {
    let fed = feedNext();
    for (;;) {
      const isLast = await fed;
      const chunks = output.splice(0);
      if (!isLast) {
        // While what is there is read, the next bytes are inflated. A fault of theirs is thrown when they are awaited.
        fed = feedNext();
        fed.catch(() => undefined);
      }
      yield* chunks;
      if (fault !== undefined && isLast) throw new DamagedData((fault as Error).message, start + engine.bytesWritten);
      if (isLast) return;
    }
  } finally {
    engine.destroy();
  }
}
