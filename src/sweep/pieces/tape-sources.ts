/** Finds the tapes of a job for a worker: files and directories that it reaches itself, and servers of pieces. */

import { basename, dirname, join } from 'node:path';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { hashFile } from '../../recording/pieces/file-hash.ts';
import { MANIFEST_FILE, readManifest, type TapePiece } from '../../recording/pieces/manifest.ts';
import { followed } from '../../recording/tape/path-kind.ts';
import { Tape } from '../../recording/tape/tape.ts';
import { fetchManifest } from './fetch-piece.ts';
import type { HeldPiece, PieceCache } from './piece-cache.ts';

/** The tapes of a job, which stay until they are released. */
export interface HeldTapes {
  /** The paths in the order in which the worker was given them. */
  readonly paths: readonly string[];
  release(): void;
}

interface TapeSource {
  readonly order: number;
  hold(): Promise<HeldPiece>;
}

export class TapeSources {
  readonly #sourcesById = new Map<string, TapeSource[]>();
  readonly #cache: PieceCache | undefined;
  #sources = 0;

  /**
   * `places`: tapes, directories of pieces, addresses of servers. `cache`: for pieces of servers. @throws OddsmithError, TapeFailure where one
   * cannot be read
   */
  static async open(places: readonly string[], cache: PieceCache | undefined): Promise<TapeSources> {
    const sources = new TapeSources(cache);
    for (const place of places) await sources.#add(place);
    return sources;
  }

  private constructor(cache: PieceCache | undefined) {
    this.#cache = cache;
  }

  /** How many tapes and pieces it knows. */
  get count(): number {
    return this.#sources;
  }

  /** @throws OddsmithError where none of its places has a market, and where a piece cannot be had */
  async hold(markets: readonly string[]): Promise<HeldTapes> {
    const needed = new Set<TapeSource>();
    for (const id of markets) {
      const sources = this.#sourcesById.get(id);
      if (sources === undefined) throw missing(id);
      for (const source of sources) needed.add(source);
    }
    const ordered = [...needed].sort((one, other) => one.order - other.order);
    const holding = await Promise.allSettled(ordered.map((source) => source.hold()));
    const held = holding.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const release = (): void => {
      for (const piece of held) piece.release();
    };
    const failed = holding.find((each) => each.status === 'rejected');
    if (failed === undefined) return { paths: held.map(({ path }) => path), release };
    release();
    throw failed.reason;
  }

  async #add(place: string): Promise<void> {
    if (/^https?:\/\//.test(place)) return this.#addServer(place);
    if (followed(place).kind === 'directory') return this.#addDirectory(place);
    if (basename(place) === MANIFEST_FILE) return this.#addDirectory(dirname(place));
    const tape = Tape.open(place);
    const ids = tape.markets.map(({ facts }) => facts.id);
    tape.close();
    this.#addSource(ids, async () => ({ path: place, release: () => undefined }));
  }

  #addDirectory(directory: string): void {
    for (const piece of readManifest(join(directory, MANIFEST_FILE)).pieces) {
      const path = join(directory, piece.file);
      let isChecked = false;
      this.#addSource(piece.markets, async () => {
        if (!isChecked) checkFile(path, piece);
        isChecked = true;
        return { path, release: () => undefined };
      });
    }
  }

  async #addServer(address: string): Promise<void> {
    const base = address.replace(/\/(manifest\.json)?$/, '');
    const cache = this.#cache;
    if (cache === undefined) throw new TypeError('pieces of a server need a cache');
    const { pieces } = await fetchManifest(`${base}/${MANIFEST_FILE}`);
    for (const piece of pieces) this.#addSource(piece.markets, () => cache.hold(piece, base));
  }

  #addSource(markets: readonly string[], hold: TapeSource['hold']): void {
    const source = { order: this.#sources, hold };
    this.#sources += 1;
    for (const id of markets) {
      const known = this.#sourcesById.get(id);
      if (known === undefined) this.#sourcesById.set(id, [source]);
      else known.push(source);
    }
  }
}

function checkFile(path: string, { sha256 }: TapePiece): void {
  let found: string;
  try {
    found = hashFile(path).sha256;
  } catch (error) {
    throw damaged(path, error instanceof Error ? error.message : String(error));
  }
  if (found !== sha256) throw damaged(path, `its SHA-256 is ${found}`);
}

function damaged(path: string, why: string): OddsmithError {
  return new OddsmithError({
    code: 'PIECE_DAMAGED',
    what: 'A piece of the tape is not what its list says.',
    where: path,
    why,
    next: 'Split the tape again, into another directory.',
  });
}

function missing(id: string): OddsmithError {
  return new OddsmithError({
    code: 'MARKET_NOT_HELD',
    what: `None of this worker's tapes has the market ${id}, which the sweep plays.`,
    why: 'The worker was started with other tapes than the sweep.',
    next: 'Name the same tapes with --tapes, or the pieces that were split from them.',
  });
}
