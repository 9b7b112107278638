/** Inflates one raw deflate stream from a reader, and leaves what follows it in the reader. */

import { createInflateRaw } from 'node:zlib';
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

/**
 * Yields the decompressed chunks. What was decompressed before damage or an early end is yielded before the throw.
 * @throws DamagedData, EndOfData
 */
export async function* inflate(reader: ByteReader): AsyncGenerator<Uint8Array> {
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
  try {
    for (;;) {
      const have = await reader.fill(1);
      if (have === 0) throw new EndOfData(reader.offset);
      const feed = reader.buffered.subarray(0, FEED);
      const before = engine.bytesWritten;
      await new Promise<void>((resolve) => {
        answered = resolve;
        engine.write(feed, () => resolve());
      });
      reader.skip(Math.min(engine.bytesWritten - before, feed.length));
      yield* output.splice(0);
      if (fault !== undefined) throw new DamagedData((fault as Error).message, start + engine.bytesWritten);
      if (ended || engine.bytesWritten - before < feed.length) return;
    }
  } finally {
    engine.destroy();
  }
}
