/** A file's bytes in chunks, counted as they pass. */

import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { importFailure } from './import-failure.ts';

const READ_BYTES = 262_144;

export class FileBytes {
  readonly path: string;
  readonly #file: FileHandle;
  #bytesRead = 0;

  /** @throws ImportFailure FILE_NOT_FOUND or FILE_UNREADABLE */
  static async open(path: string): Promise<FileBytes> {
    try {
      return new FileBytes(path, await open(path, 'r'));
    } catch (error) {
      throw unreadable(path, error);
    }
  }

  /** Of the whole file, hexadecimal. */
  static async sha256(path: string): Promise<string> {
    const file = await FileBytes.open(path);
    try {
      const hash = createHash('sha256');
      for await (const chunk of file.chunks()) hash.update(chunk);
      return hash.digest('hex');
    } finally {
      await file.close();
    }
  }

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  get bytesRead(): number {
    return this.#bytesRead;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = await this.#read();
      if (chunk.length === 0) return;
      this.#bytesRead += chunk.length;
      yield chunk;
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #read(): Promise<Uint8Array> {
    try {
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      throw unreadable(this.path, error);
    }
  }
}

/** Calls back before each chunk is handed on. */
export async function* observed(chunks: AsyncIterable<Uint8Array>, before: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    before();
    yield chunk;
  }
}

function unreadable(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return importFailure(error.code === 'ENOENT' ? 'FILE_NOT_FOUND' : 'FILE_UNREADABLE', { file: path }, error.message);
}
