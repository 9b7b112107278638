/** The run's identity: a SHA-256 over every step with its simulated time, and nothing that differs between machines. */

import { createHash, type Hash } from 'node:crypto';
import { assert } from '../../core/checks/assert.ts';
import type { Intent } from '../../core/intent.ts';
import type { MarketState } from '../../core/market-state.ts';
import type { Money } from '../../core/number/units.ts';
import { CANCELLATION_REASONS, ORDER_STATUSES } from '../../core/order.ts';
import type { Refusal } from '../../core/refusal.ts';
import { sideIndex } from '../../core/side.ts';
import type { OrderReport } from '../../exchange/gateway.ts';
import type { Why } from '../../strategy/contract.ts';
import type { OwnOrder } from '../ledger/own-order.ts';
import type { RunLog, StrategyHalt } from './run-log.ts';

const WHYS: readonly Why[] = ['prices', 'order', 'timer', 'stale', 'status'];
const CAPACITY = 8192;
const FIRST_LIMIT = 32;

/**
 * Each step is a row of little-endian doubles, its kind first: 1 update, 2 decision, 3 refusal, 4 sent, 5 cancel sent,
 * 6 rejected, 7 unknown, 8 report, 9 settled, 10 halted, 11 fill, 12 reappeared, 13 update told later than it was
 * published. The kind of an update stands with its market (kind + 16 × market), since most steps are updates: hashing
 * them is a good part of an idle replay. Words are hashed as UTF-8 after their row.
 */
export class Transcript implements RunLog {
  readonly #hash: Hash = createHash('sha256');
  readonly #rows = new Float64Array(CAPACITY);
  readonly #bytes = Buffer.from(this.#rows.buffer);
  #size = 0;
  /**
   * How far rows may be written before they are hashed. Little at first, and twice as far each time: hashing that is first met
   * after thousands of rows is code which the engine left out of all that it had compiled by then.
   */
  #limit = FIRST_LIMIT;
  #closed: string | undefined;

  /** `heading` names what the run rests on: tapes by hash, strategies by content, parameters, rules, seed. */
  constructor(heading: string) {
    this.#hash.update(heading);
  }

  update(at: number, market: MarketState): void {
    const { index, updatedAt } = market;
    if (updatedAt === at) this.#row(1 + 16 * index, at, 2);
    else this.#rows[this.#row(13 + 16 * index, at, 3) + 2] = updatedAt;
  }
  decision(at: number, strategy: number, market: number, why: Why, intents: readonly Intent[]): void {
    const from = this.#row(2, at, 6);
    const rows = this.#rows;
    rows[from + 2] = strategy;
    rows[from + 3] = market;
    rows[from + 4] = WHYS.indexOf(why);
    rows[from + 5] = intents.length;
  }
  refused(at: number, strategy: number, market: number, refusal: Refusal): void {
    const from = this.#row(3, at, 6);
    const rows = this.#rows;
    rows[from + 2] = strategy;
    rows[from + 3] = market;
    rows[from + 4] = refusal.limit ?? -1;
    rows[from + 5] = refusal.wouldBe ?? -1;
    this.#word(refusal.code);
  }
  sent(at: number, order: OwnOrder): void {
    const { client, strategy, market, outcome, side, tick, stake } = order.terms;
    const from = this.#row(4, at, 9);
    const rows = this.#rows;
    rows[from + 2] = client;
    rows[from + 3] = strategy;
    rows[from + 4] = market;
    rows[from + 5] = outcome;
    rows[from + 6] = sideIndex(side);
    rows[from + 7] = tick;
    rows[from + 8] = stake;
  }
  cancelSent(at: number, order: OwnOrder): void {
    const from = this.#row(5, at, 3);
    this.#rows[from + 2] = order.terms.client;
  }
  rejected(at: number, order: OwnOrder, code: string): void {
    const from = this.#row(6, at, 3);
    this.#rows[from + 2] = order.terms.client;
    this.#word(code);
  }
  unknown(at: number, order: OwnOrder, code: string): void {
    const from = this.#row(7, at, 3);
    this.#rows[from + 2] = order.terms.client;
    this.#word(code);
  }
  reported(at: number, _order: OwnOrder, report: OrderReport): void {
    const { status, reason } = report;
    const from = this.#row(8, at, 10);
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
  reappeared(at: number, _order: OwnOrder, report: OrderReport): void {
    const from = this.#row(12, at, 4);
    this.#rows[from + 2] = report.client;
    this.#rows[from + 3] = report.order;
  }
  settled(at: number, market: MarketState, wallet: number, profit: Money, commission: Money): void {
    const from = this.#row(9, at, 6);
    const rows = this.#rows;
    rows[from + 2] = market.index;
    rows[from + 3] = wallet;
    rows[from + 4] = profit;
    rows[from + 5] = commission;
  }
  halted(at: number, halt: StrategyHalt): void {
    const from = this.#row(10, at, 3);
    this.#rows[from + 2] = halt.strategy;
    this.#word(halt.code);
  }
  /** One fill in one of the three answers. */
  fill(at: number, bound: number, client: number, price: number, stake: Money): void {
    const from = this.#row(11, at, 6);
    const rows = this.#rows;
    rows[from + 2] = bound;
    rows[from + 3] = client;
    rows[from + 4] = price;
    rows[from + 5] = stake;
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

  #word(text: string): void {
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
