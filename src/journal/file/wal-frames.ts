/**
 * Decodes SQLite's write-ahead log: which of its pages are committed, and which were cut off behind the last commit.
 */

/** One page in the log; `page` counts from 1. */
export interface WalFrame {
  readonly page: number;
  readonly bytes: Buffer;
}

export interface WalFrames {
  readonly committed: readonly WalFrame[];
  /** Frames of the same log behind the last commit: of a transaction that did not end, or damaged. */
  readonly rest: readonly WalFrame[];
  /**
   * True where `rest` directly continues the last commit. False where it is left over from a longer commit that failed
   * and was partly overwritten.
   */
  readonly isContinued: boolean;
}

const HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;

/**
 * What SQLite would read of the log, by the rules of its file format (section 4); nothing where the bytes are no log.
 */
export function walFrames(wal: Buffer): WalFrames {
  if (wal.length < HEADER) return NONE;
  const magic = wal.readUInt32BE(0);
  const pageSize = wal.readUInt32BE(8);
  const isSize = pageSize >= 512 && pageSize <= 65536 && (pageSize & (pageSize - 1)) === 0;
  if ((magic & ~1) >>> 0 !== MAGIC || !isSize) return NONE;
  const sum = new WalSum(wal, (magic & 1) === 1);
  sum.add(0, 24);
  if (!sum.matches(24)) return NONE;
  const frames: WalFrame[] = [];
  let committed = 0;
  let good = 0;
  let isCut = false;
  const step = FRAME_HEADER + pageSize;
  for (let at = HEADER; at + FRAME_HEADER < wal.length; at += step) {
    // Frames of an earlier use of the same log file carry other salts.
    if (wal.compare(wal, 16, 24, at + 8, at + 16) !== 0) break;
    frames.push({ page: wal.readUInt32BE(at), bytes: wal.subarray(at + FRAME_HEADER, at + step) });
    isCut = at + step > wal.length;
    if (isCut || good < frames.length - 1) continue;
    sum.add(at, 8);
    sum.add(at + FRAME_HEADER, pageSize);
    if (!sum.matches(at + 16)) continue;
    good = frames.length;
    if (wal.readUInt32BE(at + 4) !== 0) committed = good;
  }
  const rest = frames.slice(committed);
  return { committed: frames.slice(0, committed), rest, isContinued: good > committed || (isCut && rest.length === 1) };
}

const NONE: WalFrames = { committed: [], rest: [], isContinued: false };

/** The running checksum of the log: two sums over 32-bit words. */
class WalSum {
  readonly #view: DataView;
  readonly #isLittle: boolean;
  #first = 0;
  #second = 0;

  constructor(wal: Buffer, isBig: boolean) {
    this.#view = new DataView(wal.buffer, wal.byteOffset, wal.byteLength);
    this.#isLittle = !isBig;
  }

  add(at: number, length: number): void {
    for (let word = at; word < at + length; word += 8) {
      this.#first = (this.#first + this.#view.getUint32(word, this.#isLittle) + this.#second) >>> 0;
      this.#second = (this.#second + this.#view.getUint32(word + 4, this.#isLittle) + this.#first) >>> 0;
    }
  }

  matches(at: number): boolean {
    return this.#view.getUint32(at) === this.#first && this.#view.getUint32(at + 4) === this.#second;
  }
}
