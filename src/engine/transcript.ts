/** The run's identity: a SHA-256 over every step with its simulated time, and nothing that differs between machines. */

import { createHash, type Hash } from 'node:crypto';
import { assert } from '../core/assert.ts';
import type { Intent } from '../core/intent.ts';
import type { MarketState } from '../core/market-state.ts';
import { CANCELLATION_REASONS, ORDER_STATUSES } from '../core/order.ts';
import type { Refusal } from '../core/refusal.ts';
import { sideIndex } from '../core/side.ts';
import type { Money } from '../core/units.ts';
import type { OrderReport } from '../exchange/gateway.ts';
import type { Why } from '../strategy/contract.ts';
import type { OwnOrder } from './own-order.ts';
import type { RunLog, StrategyHalt } from './run-log.ts';

const WHYS: readonly Why[] = ['prices', 'order', 'timer', 'stale', 'status'];
const CAPACITY = 8192;
const LONGEST_ROW = 12;

/**
 * Each step is a row of little-endian doubles, its kind first: 1 update, 2 decision, 3 refusal, 4 sent, 5 cancel sent,
 * 6 rejected, 7 unknown, 8 report, 9 settled, 10 halted, 11 fill, 12 reappeared. Words are hashed as UTF-8 after their row.
 */
export class Transcript implements RunLog {
  readonly #hash: Hash = createHash('sha256');
  readonly #rows = new Float64Array(CAPACITY);
  readonly #bytes = Buffer.from(this.#rows.buffer);
  #size = 0;
  #closed: string | undefined;

  /** `heading` names what the run rests on: tapes by hash, strategies by content, parameters, rules, seed. */
  constructor(heading: string) {
    this.#hash.update(heading);
  }

  update(at: number, market: MarketState): void {
    if (this.#closed !== undefined) assert(false, 'nothing is written after the transcript is closed');
    if (this.#size + LONGEST_ROW > CAPACITY) this.#flush();
    const rows = this.#rows;
    // By far the most rows are of this kind: no list is made for them.
    rows[this.#size] = 1;
    rows[this.#size + 1] = at;
    rows[this.#size + 2] = market.index;
    rows[this.#size + 3] = market.updatedAt;
    this.#size += 4;
  }
  decision(at: number, strategy: number, market: number, why: Why, intents: readonly Intent[]): void {
    this.#row(2, at);
    this.#cell(strategy);
    this.#cell(market);
    this.#cell(WHYS.indexOf(why));
    this.#cell(intents.length);
  }
  refused(at: number, strategy: number, market: number, refusal: Refusal): void {
    this.#row(3, at);
    this.#cell(strategy);
    this.#cell(market);
    this.#cell(refusal.limit ?? -1);
    this.#cell(refusal.wouldBe ?? -1);
    this.#word(refusal.code);
  }
  sent(at: number, order: OwnOrder): void {
    const { client, strategy, market, outcome, side, tick, stakeMoney } = order.terms;
    this.#row(4, at);
    this.#cell(client);
    this.#cell(strategy);
    this.#cell(market);
    this.#cell(outcome);
    this.#cell(sideIndex(side));
    this.#cell(tick);
    this.#cell(stakeMoney);
  }
  cancelSent(at: number, order: OwnOrder): void {
    this.#row(5, at);
    this.#cell(order.terms.client);
  }
  rejected(at: number, order: OwnOrder, code: string): void {
    this.#row(6, at);
    this.#cell(order.terms.client);
    this.#word(code);
  }
  unknown(at: number, order: OwnOrder, code: string): void {
    this.#row(7, at);
    this.#cell(order.terms.client);
    this.#word(code);
  }
  reported(at: number, _order: OwnOrder, report: OrderReport): void {
    const reason = report.reason === undefined ? -1 : CANCELLATION_REASONS.indexOf(report.reason);
    const { client, stakeMatched, winningsMatched, stakeVoided } = report;
    const status = ORDER_STATUSES.indexOf(report.status);
    this.#row(8, at);
    this.#cell(report.at);
    this.#cell(client);
    this.#cell(report.order);
    this.#cell(status);
    this.#cell(stakeMatched);
    this.#cell(winningsMatched);
    this.#cell(stakeVoided);
    this.#cell(reason);
  }
  reappeared(at: number, _order: OwnOrder, report: OrderReport): void {
    this.#row(12, at);
    this.#cell(report.client);
    this.#cell(report.order);
  }
  settled(at: number, market: MarketState, wallet: number, profit: Money, commission: Money): void {
    this.#row(9, at);
    this.#cell(market.index);
    this.#cell(wallet);
    this.#cell(profit);
    this.#cell(commission);
  }
  halted(at: number, halt: StrategyHalt): void {
    this.#row(10, at);
    this.#cell(halt.strategy);
    this.#word(halt.code);
  }
  /** One fill in one of the three answers. */
  fill(at: number, bound: number, client: number, price: number, stake: Money): void {
    this.#row(11, at);
    this.#cell(bound);
    this.#cell(client);
    this.#cell(price);
    this.#cell(stake);
  }

  /** The hash in hex; nothing may be written after it. */
  close(): string {
    if (this.#closed === undefined) {
      this.#flush();
      this.#closed = this.#hash.digest('hex');
    }
    return this.#closed;
  }

  /** Begins a row. No list of its cells is made: a row of an order costs as little as its numbers. */
  #row(kind: number, at: number): void {
    assert(this.#closed === undefined, 'nothing is written after the transcript is closed');
    if (this.#size + LONGEST_ROW > CAPACITY) this.#flush();
    this.#cell(kind);
    this.#cell(at);
  }

  #cell(cell: number): void {
    this.#rows[this.#size] = cell;
    this.#size += 1;
  }

  #word(text: string): void {
    this.#flush();
    this.#hash.update(text);
  }

  #flush(): void {
    this.#hash.update(this.#bytes.subarray(0, this.#size * 8));
    this.#size = 0;
  }
}
