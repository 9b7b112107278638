/** Pieces of tapes on a worker's disk, by their hash: fetched once, checked before they are opened, removed when room is needed. */

import { linkSync, mkdirSync, readdirSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { hashFile } from '../../recording/pieces/file-hash.ts';
import type { TapePiece } from '../../recording/pieces/manifest.ts';
import { fetchPiece } from './fetch-piece.ts';

export interface CacheTerms {
  readonly directory: string;
  /** Beyond which pieces that nobody uses are removed, those used longest ago first. */
  readonly bytesMax: number;
  /** This process among all that ever use the directory. */
  readonly owner: string;
  /** Whether the process of this name may still be alive. */
  readonly isAlive: (owner: string) => boolean;
}

/** A piece that stays where it is until it is released. */
export interface HeldPiece {
  readonly path: string;
  release(): void;
}

interface Entry {
  readonly path: Promise<string>;
  holders: number;
}

/**
 * Several processes may share the directory. Whoever uses a piece has a link of its own to it, so that a file with one link is used by
 * nobody; what a dead process held is let go when the next one starts.
 */
export class PieceCache {
  readonly #terms: CacheTerms;
  readonly #pieces: string;
  readonly #held: string;
  readonly #fetching: string;
  readonly #entries = new Map<string, Entry>();
  /** The files that were checked, by hash. */
  readonly #checked = new Map<string, string>();
  #turn: Promise<unknown> = Promise.resolve();

  /** @throws OddsmithError CACHE_NOT_WRITABLE */
  constructor(terms: CacheTerms) {
    const { directory, owner } = terms;
    this.#terms = terms;
    this.#pieces = join(directory, 'pieces');
    this.#held = join(directory, 'held', owner);
    this.#fetching = join(directory, 'fetching', owner);
    this.#onDisk(() => {
      for (const path of [this.#pieces, this.#held, this.#fetching]) mkdirSync(path, { recursive: true });
      this.#letGoOfDead();
    });
  }

  /**
   * The piece as a file that was checked; `base` is where it is served. @throws OddsmithError PIECE_UNREACHABLE, PIECE_DAMAGED, CACHE_FULL,
   * CACHE_NOT_WRITABLE
   */
  async hold(piece: TapePiece, base: string): Promise<HeldPiece> {
    const { sha256 } = piece;
    const entry = this.#entries.get(sha256) ?? { path: this.#bring(piece, base), holders: 0 };
    this.#entries.set(sha256, entry);
    entry.holders += 1;
    const release = (): void => this.#release(sha256, entry);
    try {
      return { path: await entry.path, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Lets go of everything; what was fetched stays for the next process. */
  close(): void {
    rmSync(this.#held, { recursive: true, force: true });
    rmSync(this.#fetching, { recursive: true, force: true });
  }

  #release(sha256: string, entry: Entry): void {
    entry.holders -= 1;
    if (entry.holders > 0) return;
    this.#entries.delete(sha256);
    rmSync(this.#linkOf(sha256), { force: true });
  }

  #linkOf(sha256: string): string {
    return join(this.#held, `${sha256}.tape`);
  }

  async #bring(piece: TapePiece, base: string): Promise<string> {
    const link = this.#linkOf(piece.sha256);
    const kept = join(this.#pieces, `${piece.sha256}.tape`);
    if (this.#takeKept(piece, kept, link)) return link;
    // One after the other: two that make room at once would remove too much.
    const fetched = this.#turn.then(() => this.#fetch(piece, base, { kept, link }));
    this.#turn = fetched.catch(() => undefined);
    await fetched;
    return link;
  }

  /** False where the piece is not there, or not what it should be: then it is gone. */
  #takeKept({ sha256 }: TapePiece, kept: string, link: string): boolean {
    return this.#onDisk(() => {
      rmSync(link, { force: true });
      try {
        linkSync(kept, link);
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return false;
        throw error;
      }
      const seen = identityOf(statSync(link));
      if (this.#checked.get(sha256) === seen) return true;
      if (hashFile(link).sha256 === sha256) {
        this.#checked.set(sha256, seen);
        return true;
      }
      for (const path of [link, kept]) rmSync(path, { force: true });
      return false;
    });
  }

  async #fetch(
    piece: TapePiece,
    base: string,
    { kept, link }: { readonly kept: string; readonly link: string },
  ): Promise<void> {
    this.#makeRoom(piece.bytes, this.#terms.bytesMax);
    const partial = join(this.#fetching, `${piece.sha256}.partial`);
    try {
      await fetchPiece(piece, base, partial).catch((error: unknown) => {
        if (!['ENOSPC', 'EDQUOT'].includes(codeOf(error))) throw error;
        // The disk is full before the limit is reached: pieces that nobody uses make room, once.
        rmSync(partial, { force: true });
        this.#makeRoom(0, 0);
        return fetchPiece(piece, base, partial);
      });
      linkSync(partial, link);
      renameSync(partial, kept);
      this.#checked.set(piece.sha256, identityOf(statSync(link)));
    } catch (error) {
      rmSync(partial, { force: true });
      rmSync(link, { force: true });
      throw error instanceof OddsmithError ? error : this.#notWritable(error);
    }
  }

  /**
   * Removes pieces that nobody uses until this many bytes more fit. A link that is made or removed is a change of the file's state, whose time
   * says when it was used last.
   */
  #makeRoom(bytes: number, bytesMax: number): void {
    this.#onDisk(() => {
      const files = filesBelow(this.#pieces);
      const fetching = readdirSync(join(this.#terms.directory, 'fetching')).flatMap((owner) =>
        filesBelow(join(this.#terms.directory, 'fetching', owner)),
      );
      let total = [...files, ...fetching].reduce((sum, { stats }) => sum + stats.size, 0);
      const unused = files
        .filter(({ stats }) => stats.nlink === 1)
        .sort((one, other) => one.stats.ctimeMs - other.stats.ctimeMs);
      for (const { path, stats } of unused) {
        if (total + bytes <= bytesMax) return;
        rmSync(path, { force: true });
        total -= stats.size;
      }
      if (bytes > 0 && total + bytes > bytesMax) throw this.#full(bytes, total);
    });
  }

  /** Removes the links and the half pieces of processes that are no more. */
  #letGoOfDead(): void {
    for (const kind of ['held', 'fetching']) {
      const directory = join(this.#terms.directory, kind);
      for (const owner of readdirSync(directory))
        if (!this.#terms.isAlive(owner)) rmSync(join(directory, owner), { recursive: true, force: true });
    }
  }

  #onDisk<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw error instanceof OddsmithError ? error : this.#notWritable(error);
    }
  }

  #full(bytes: number, total: number): OddsmithError {
    return new OddsmithError({
      code: 'CACHE_FULL',
      what: 'The cache of pieces has no room for the next one.',
      where: this.#terms.directory,
      why: `Its limit is ${megabytes(this.#terms.bytesMax)}; the pieces in use take ${megabytes(total)}, and the next one ${megabytes(bytes)}.`,
      next: 'Raise the limit with --cache-max, or run fewer jobs at once.',
    });
  }

  #notWritable(error: unknown): OddsmithError {
    const isFull = ['ENOSPC', 'EDQUOT'].includes(codeOf(error));
    return new OddsmithError({
      code: 'CACHE_NOT_WRITABLE',
      what: 'The cache of pieces cannot be written into.',
      where: this.#terms.directory,
      why: error instanceof Error ? error.message : String(error),
      next: isFull
        ? 'Make room on the disk, or name a directory on another one with --cache.'
        : 'Name a directory of your own with --cache, on a file system that has hard links.',
    });
  }
}

/** What another process removes meanwhile is not there. */
function filesBelow(directory: string): readonly { readonly path: string; readonly stats: Stats }[] {
  let names: readonly string[];
  try {
    names = readdirSync(directory);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
  return names.flatMap((name) => {
    const path = join(directory, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true ? [{ path, stats }] : [];
  });
}

/** A file that was written to, or replaced, is another one. */
function identityOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
