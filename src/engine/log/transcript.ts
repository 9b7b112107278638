/** The run's identity: a SHA-256 over every event with its simulated time, and nothing that differs between machines. */

import { createHash, type Hash } from 'node:crypto';
import { assert } from '../../core/checks/assert.ts';
import type { MarketState } from '../../core/market-state.ts';
import type { Money } from '../../core/number/units.ts';
import { CANCELLATION_REASONS, ORDER_STATUSES } from '../../core/order.ts';
import { sideIndex } from '../../core/side.ts';
import type { Why } from '../../strategy/contract.ts';
import type { EventOf, RunEvent, RunLog } from './run-log.ts';

const WHYS: readonly Why[] = ['prices', 'order', 'timer', 'stale', 'status'];
const CAPACITY = 8192;
const FIRST_LIMIT = 32;

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
} as const;

/** The code of an update shares a cell with its market (code + 16 × market): most rows are updates, and hashing them is a good part of an idle replay. */
const CODES = 16;

/**
 * Each event is a row of little-endian doubles: its code, its time, and what the event says. Strings follow their row as
 * UTF-8.
 */
export class Transcript implements RunLog {
  readonly #hash: Hash = createHash('sha256');
  readonly #rows = new Float64Array(CAPACITY);
  readonly #bytes = Buffer.from(this.#rows.buffer);
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
    else this.#rows[this.#row(CODE.lateUpdate + CODES * index, at, 3) + 2] = updatedAt;
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
    }
  }

  /** One fill of an order under one fill model, whose index among the run's is `bound`. */
  logFill(at: number, bound: number, client: number, price: number, stake: Money): void {
    const from = this.#row(CODE.fill, at, 6);
    const rows = this.#rows;
    rows[from + 2] = bound;
    rows[from + 3] = client;
    rows[from + 4] = price;
    rows[from + 5] = stake;
  }

  #decided({ at, strategy, market, why, intents }: EventOf<'decided'>): void {
    const from = this.#row(CODE.decided, at, 6);
    const rows = this.#rows;
    rows[from + 2] = strategy;
    rows[from + 3] = market;
    rows[from + 4] = WHYS.indexOf(why);
    rows[from + 5] = intents.length;
  }

  #refused({ at, strategy, market, refusal }: EventOf<'refused'>): void {
    const from = this.#row(CODE.refused, at, 6);
    const rows = this.#rows;
    rows[from + 2] = strategy;
    rows[from + 3] = market;
    rows[from + 4] = refusal.limit ?? -1;
    rows[from + 5] = refusal.wouldBe ?? -1;
    this.#text(refusal.code);
  }

  #sent({ at, order }: EventOf<'sent'>): void {
    const { client, strategy, market, outcome, side, tick, stake } = order.terms;
    const from = this.#row(CODE.sent, at, 9);
    const rows = this.#rows;
    rows[from + 2] = client;
    rows[from + 3] = strategy;
    rows[from + 4] = market;
    rows[from + 5] = outcome;
    rows[from + 6] = sideIndex(side);
    rows[from + 7] = tick;
    rows[from + 8] = stake;
  }

  /** A row that says of which order it is and nothing else. */
  #order(code: number, { at, order }: EventOf<'cancelSent' | 'rejected' | 'unknown'>): void {
    this.#rows[this.#row(code, at, 3) + 2] = order.terms.client;
  }

  #reported({ at, report }: EventOf<'reported'>): void {
    const { status, reason } = report;
    const from = this.#row(CODE.reported, at, 10);
    const rows = this.#rows;
    rows[from + 2] = report.at;
    rows[from + 3] = report.client;
    rows[from + 4] = report.order;
    rows[from + 5] = ORDER_STATUSES.indexOf(status);
    rows[from + 6] = report.stakeMatched;
    rows[from + 7] = report.winningsMatched;
    rows[from + 8] = report.stakeVoided;
    rows[from + 9] = reason === undefined ? -1 : CANCELLATION_REASONS.indexOf(reason);
  }

  #reappeared({ at, report }: EventOf<'reappeared'>): void {
    const from = this.#row(CODE.reappeared, at, 4);
    this.#rows[from + 2] = report.client;
    this.#rows[from + 3] = report.order;
  }

  #settled({ at, market, wallet, profit, commission }: EventOf<'settled'>): void {
    const from = this.#row(CODE.settled, at, 6);
    const rows = this.#rows;
    rows[from + 2] = market.index;
    rows[from + 3] = wallet;
    rows[from + 4] = profit;
    rows[from + 5] = commission;
  }

  #halted({ at, halt }: EventOf<'halted'>): void {
    this.#rows[this.#row(CODE.halted, at, 3) + 2] = halt.strategy;
    this.#text(halt.code);
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
    if (from + length > this.#limit) {
      this.#flush();
      from = 0;
    }
    this.#size = from + length;
    this.#rows[from] = kind;
    this.#rows[from + 1] = at;
    return from;
  }

  #text(text: string): void {
    this.#flush();
    this.#hash.update(text);
  }

  #flush(): void {
    assert(this.#closed === undefined, 'nothing is written after the transcript is closed');
    this.#hash.update(this.#bytes.subarray(0, this.#size * 8));
    this.#size = 0;
    this.#limit = Math.min(2 * this.#limit, CAPACITY);
  }
}
