/** A file's bytes in chunks, counted as they pass. */

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { importFailure } from './import-failure.ts';

const READ_BYTES = 262_144;

/**
 * An open file. Close it when done. A small one is read at once: to wait for a few thousand bytes takes longer than to import them,
 * and a folder may hold thousands of such files.
 */
export class FileBytes {
  readonly path: string;
  readonly #file: FileHandle | Buffer;
  readonly #hash = createHash('sha256');
  #bytesRead = 0;
  /** How far the file is hashed: bytes are hashed as they are read, and the rest when the hash is asked for. */
  #hashed = 0;
  #sha256: string | undefined;

  /** @throws ImportFailure FILE_NOT_FOUND or FILE_UNREADABLE */
  static async open(path: string): Promise<FileBytes> {
    try {
      const stats = statSync(path);
      // What is no plain file, such as a pipe, may keep us waiting.
      const isSmall = stats.isFile() && stats.size <= READ_BYTES;
      return new FileBytes(path, isSmall ? readFileSync(path) : await open(path, 'r'));
    } catch (error) {
      throw unreadable(path, error);
    }
  }

  private constructor(path: string, file: FileHandle | Buffer) {
    this.path = path;
    this.#file = file;
  }

  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** The file's chunks from the beginning; may be called once. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = await this.#read(this.#bytesRead);
      if (chunk.length === 0) return;
      if (this.#hashed === this.#bytesRead) this.#digest(chunk);
      this.#bytesRead += chunk.length;
      yield chunk;
    }
  }

  /**
   * SHA-256 of the whole file, hexadecimal. Once the file was read to its end, no byte is read again. @throws
   * ImportFailure FILE_UNREADABLE
   */
  async sha256(): Promise<string> {
    while (this.#sha256 === undefined) {
      const chunk = await this.#read(this.#hashed);
      if (chunk.length === 0) this.#sha256 = this.#hash.digest('hex');
      else this.#digest(chunk);
    }
    return this.#sha256;
  }

  async close(): Promise<void> {
    if (!('buffer' in this.#file)) await this.#file.close();
  }

  #digest(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#hashed += chunk.length;
  }

  async #read(position: number): Promise<Uint8Array> {
    if ('buffer' in this.#file) return this.#file.subarray(position, position + READ_BYTES);
    try {
      const into = Buffer.allocUnsafe(READ_BYTES);
      const { bytesRead } = await this.#file.read(into, 0, READ_BYTES, position);
      return into.subarray(0, bytesRead);
    } catch (error) {
      throw unreadable(this.path, error);
    }
  }
}

/** Calls back before each chunk is passed on. */
export async function* observed(chunks: AsyncIterable<Uint8Array>, before: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    before();
    yield chunk;
  }
}

/** The failure of a file that could not be read; any other error as it is. */
export function unreadable(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return importFailure(error.code === 'ENOENT' ? 'FILE_NOT_FOUND' : 'FILE_UNREADABLE', { file: path }, error.message);
}
