/** The run's identity: a SHA-256 over every event with its simulated time, and nothing that differs between machines. */

import { createHash, type Hash } from 'node:crypto';
import { assert } from '../../core/checks/assert.ts';
import type { MarketState } from '../../core/market-state.ts';
import type { Money } from '../../core/number/units.ts';
import { CANCELLATION_REASONS, ORDER_STATUSES } from '../../core/order.ts';
import { REFUSALS, type RefusalCode } from '../../core/refusal.ts';
import { sideIndex } from '../../core/side.ts';
import type { Why } from '../../strategy/contract.ts';
import type { EventOf, RunEvent, RunLog } from './run-log.ts';

const WHYS: readonly Why[] = ['prices', 'order', 'timer', 'stale', 'status', 'windowEnd'];
/** A size in bytes. */
const CAPACITY = 65_536;
const FIRST_LIMIT = 256;
const CELL = 8;
/** A longer text is hashed by itself. */
const TEXT_MAX = 128;
/** Bytes that a UTF-16 unit takes at most. */
const UTF8_MAX = 3;

/** The code of each kind of row, which is its first cell. They are part of every run's identity: none is ever changed. */
const CODE = {
  update: 1,
  decided: 2,
  refused: 3,
  sent: 4,
  cancelSent: 5,
  rejected: 6,
  unknown: 7,
  reported: 8,
  settled: 9,
  halted: 10,
  fill: 11,
  reappeared: 12,
  /** An update that the run received later than it was published. */
  lateUpdate: 13,
  /** The note of the order in the row before: a run without notes has none. */
  note: 14,
  /** A value that a strategy plotted: a run without plots has none. */
  plotted: 15,
  /** No update's cell holds this number, whatever its market (`CODES`). */
  reduceSent: 16,
} as const;

/** The code of an update shares a cell with its market (code + 16 × market): most rows are updates, and hashing them is a good part of an idle replay. */
const CODES = 16;

/** The codes of refusals as they are written: a strategy may be refused at each update. */
const REFUSAL_BYTES: ReadonlyMap<string, Uint8Array> = new Map(
  Object.keys(REFUSALS).map((code) => [code, Buffer.from(code)]),
);

/**
 * Each event is a row of little-endian doubles: its code, its time, and what the event says. Strings follow their row as
 * UTF-8, so that the rows after them begin at any byte.
 */
export class Transcript implements RunLog {
  readonly #hash: Hash = createHash('sha256');
  readonly #bytes = Buffer.from(new ArrayBuffer(CAPACITY));
  readonly #rows = new DataView(this.#bytes.buffer);
  /** A size in bytes. */
  #size = 0;
  /**
   * How far rows may be written before they are hashed. Little at first, and twice as far each time: were hashing first met
   * after thousands of rows, V8 would by then have compiled the callers without it, and would have to compile them again.
   */
  #limit = FIRST_LIMIT;
  #closed: string | undefined;

  /** `heading` names what the run rests on: tapes by hash, strategies by content, parameters, rules, seed. */
  constructor(heading: string) {
    this.#hash.update(heading);
  }

  logUpdate(at: number, market: MarketState): void {
    const { index, updatedAt } = market;
    if (updatedAt === at) this.#row(CODE.update + CODES * index, at, 2);
    else this.#rows.setFloat64(this.#row(CODE.lateUpdate + CODES * index, at, 3) + 2 * CELL, updatedAt, true);
  }

  logEvent(event: RunEvent): void {
    switch (event.kind) {
      case 'decided':
        return this.#decided(event);
      case 'refused':
        return this.#refused(event);
      case 'sent':
        return this.#sent(event);
      case 'cancelSent':
        return this.#order(CODE.cancelSent, event);
      case 'reduceSent':
        return this.#reduceSent(event);
      case 'rejected':
        this.#order(CODE.rejected, event);
        return this.#text(event.code);
      case 'unknown':
        this.#order(CODE.unknown, event);
        return this.#text(event.code);
      case 'reported':
        return this.#reported(event);
      case 'reappeared':
        return this.#reappeared(event);
      case 'settled':
        return this.#settled(event);
      case 'halted':
        return this.#halted(event);
      case 'plotted':
        return this.#plotted(event);
    }
  }

  /** One fill of an order. */
  logFill(at: number, client: number, price: number, stake: Money): void {
    const from = this.#row(CODE.fill, at, 5);
    const rows = this.#rows;
    rows.setFloat64(from + 2 * CELL, client, true);
    rows.setFloat64(from + 3 * CELL, price, true);
    rows.setFloat64(from + 4 * CELL, stake, true);
  }

  #decided({ at, strategy, market, why, intents }: EventOf<'decided'>): void {
    const from = this.#row(CODE.decided, at, 6);
    const rows = this.#rows;
    rows.setFloat64(from + 2 * CELL, strategy, true);
    rows.setFloat64(from + 3 * CELL, market, true);
    rows.setFloat64(from + 4 * CELL, WHYS.indexOf(why), true);
    rows.setFloat64(from + 5 * CELL, intents.length, true);
  }

  #refused({ at, strategy, market, refusal }: EventOf<'refused'>): void {
    const from = this.#row(CODE.refused, at, 6);
    const rows = this.#rows;
    rows.setFloat64(from + 2 * CELL, strategy, true);
    rows.setFloat64(from + 3 * CELL, market, true);
    rows.setFloat64(from + 4 * CELL, refusal.limit ?? -1, true);
    rows.setFloat64(from + 5 * CELL, refusal.wouldBe ?? -1, true);
    this.#refusalCode(refusal.code);
  }

  #sent({ at, order }: EventOf<'sent'>): void {
    const { client, strategy, market, outcome, side, tick, stake } = order.terms;
    const from = this.#row(CODE.sent, at, 9);
    const rows = this.#rows;
    rows.setFloat64(from + 2 * CELL, client, true);
    rows.setFloat64(from + 3 * CELL, strategy, true);
    rows.setFloat64(from + 4 * CELL, market, true);
    rows.setFloat64(from + 5 * CELL, outcome, true);
    rows.setFloat64(from + 6 * CELL, sideIndex(side), true);
    rows.setFloat64(from + 7 * CELL, tick, true);
    rows.setFloat64(from + 8 * CELL, stake, true);
    if (order.terms.note !== undefined) this.#note(at, order.terms.note);
  }

  /** Writes the text with its length, since the text itself does not say where it ends. */
  #note(at: number, note: string): void {
    this.#rows.setFloat64(this.#row(CODE.note, at, 3) + 2 * CELL, note.length, true);
    this.#text(note);
  }

  /** A row that says of which order it is and nothing else. */
  #order(code: number, { at, order }: EventOf<'cancelSent' | 'rejected' | 'unknown'>): void {
    this.#rows.setFloat64(this.#row(code, at, 3) + 2 * CELL, order.terms.client, true);
  }

  #reduceSent({ at, order, stake }: EventOf<'reduceSent'>): void {
    const from = this.#row(CODE.reduceSent, at, 4);
    this.#rows.setFloat64(from + 2 * CELL, order.terms.client, true);
    this.#rows.setFloat64(from + 3 * CELL, stake, true);
  }

  #reported({ at, report }: EventOf<'reported'>): void {
    const { status, reason } = report;
    const from = this.#row(CODE.reported, at, 10);
    const rows = this.#rows;
    rows.setFloat64(from + 2 * CELL, report.at, true);
    rows.setFloat64(from + 3 * CELL, report.client, true);
    rows.setFloat64(from + 4 * CELL, report.order, true);
    rows.setFloat64(from + 5 * CELL, ORDER_STATUSES.indexOf(status), true);
    rows.setFloat64(from + 6 * CELL, report.stakeMatched, true);
    rows.setFloat64(from + 7 * CELL, report.winningsMatched, true);
    rows.setFloat64(from + 8 * CELL, report.stakeVoided, true);
    rows.setFloat64(from + 9 * CELL, reason === undefined ? -1 : CANCELLATION_REASONS.indexOf(reason), true);
  }

  #reappeared({ at, report }: EventOf<'reappeared'>): void {
    const from = this.#row(CODE.reappeared, at, 4);
    this.#rows.setFloat64(from + 2 * CELL, report.client, true);
    this.#rows.setFloat64(from + 3 * CELL, report.order, true);
  }

  #settled({ at, market, wallet, profit, commission }: EventOf<'settled'>): void {
    const from = this.#row(CODE.settled, at, 6);
    const rows = this.#rows;
    rows.setFloat64(from + 2 * CELL, market.index, true);
    rows.setFloat64(from + 3 * CELL, wallet, true);
    rows.setFloat64(from + 4 * CELL, profit, true);
    rows.setFloat64(from + 5 * CELL, commission, true);
  }

  #halted({ at, halt }: EventOf<'halted'>): void {
    this.#rows.setFloat64(this.#row(CODE.halted, at, 3) + 2 * CELL, halt.strategy, true);
    this.#text(halt.code);
  }

  /** Writes the length of the name too. Infinity stands for the end of a line: it has one pattern of bits, and NaN has many. */
  #plotted({ at, strategy, market, name, value }: EventOf<'plotted'>): void {
    const from = this.#row(CODE.plotted, at, 6);
    const rows = this.#rows;
    rows.setFloat64(from + 2 * CELL, strategy, true);
    rows.setFloat64(from + 3 * CELL, market, true);
    rows.setFloat64(from + 4 * CELL, Number.isNaN(value) ? Number.POSITIVE_INFINITY : value, true);
    rows.setFloat64(from + 5 * CELL, name.length, true);
    this.#text(name);
  }

  /** The hash in hex; nothing may be written after it. */
  close(): string {
    if (this.#closed === undefined) {
      this.#flush();
      // What is written next has no room, and is refused where it would be made.
      this.#limit = 0;
      this.#closed = this.#hash.digest('hex');
    }
    return this.#closed;
  }

  /** Begins a row of so many cells and says where: it is written cell by cell, since a list of them would cost as much again. */
  #row(kind: number, at: number, length: number): number {
    let from = this.#size;
    if (from + length * CELL > this.#limit) {
      this.#flush();
      from = 0;
    }
    this.#size = from + length * CELL;
    this.#rows.setFloat64(from, kind, true);
    this.#rows.setFloat64(from + CELL, at, true);
    return from;
  }

  #refusalCode(code: RefusalCode): void {
    const text = REFUSAL_BYTES.get(code);
    if (text === undefined) return this.#text(code);
    const { length } = text;
    if (this.#size + length > this.#limit) this.#flush();
    const bytes = this.#bytes;
    const from = this.#size;
    for (let i = 0; i < length; i += 1) bytes[from + i] = text[i] ?? 0;
    this.#size = from + length;
  }

  #text(text: string): void {
    if (this.#size + UTF8_MAX * text.length > this.#limit) this.#flush();
    if (text.length <= TEXT_MAX) {
      this.#size += this.#bytes.write(text, this.#size);
      return;
    }
    this.#flush();
    this.#hash.update(text);
  }

  #flush(): void {
    assert(this.#closed === undefined, 'nothing is written after the transcript is closed');
    this.#hash.update(this.#bytes.subarray(0, this.#size));
    this.#size = 0;
    this.#limit = Math.min(2 * this.#limit, CAPACITY);
  }
}
