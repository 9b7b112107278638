/** A seeded life of a run as its journal would tell it: orders, late and repeated reports, results, halts, moves. */

import { type Money, money } from '../../../src/core/number/units.ts';
import { ORDER_MOVES, type OrderStatus } from '../../../src/core/order.ts';
import type { JournalRecord, TimedRecord } from '../../../src/core/run/journal.ts';
import type { ReportedOrder, SentOrder } from '../../../src/core/run/kept-order.ts';
import { HEARTBEAT_STATES, TRADING_STATES } from '../../../src/core/run/trading-state.ts';
import { Random } from '../random.ts';

export function sentOrder(client: number, over: Partial<SentOrder> = {}): SentOrder {
  return {
    ...{ client, strategy: 'lay-the-draw', wallet: 'main', market: 'm1', marketName: 'Arsenal v Chelsea' },
    ...{
      outcome: 'o1',
      outcomeTitle: 'The “Draw” \u0000\ud83d\ude00',
      side: 'Against',
      tick: 120,
      stake: money(5_000_000),
    },
    ...{ keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' },
    ...over,
  };
}

export function reportedOrder(client: number, over: Partial<ReportedOrder> = {}): ReportedOrder {
  const none = money(0);
  return {
    ...{ client, order: 900 + client, status: 'Unmatched', stakeMatched: none, winningsMatched: none },
    ...{ stakeUnmatched: money(5_000_000), stakeVoided: none, at: 1_000 },
    ...over,
  };
}

/** What the generator remembers of an order, to tell of it what could be told. */
interface Life {
  readonly terms: SentOrder;
  report: ReportedOrder;
  readonly past: ReportedOrder[];
}

const MARKETS = ['m1', 'm2', 'm3', 'm4'] as const;
const WALLETS = ['main', 'other'] as const;
const STRATEGIES = ['a', 'b', 'c'] as const;

const KINDS = {
  ...{ sent: 30, adopted: 3, reported: 60, again: 20, rejected: 6, absent: 6, unknown: 8, reappeared: 4 },
  ...{
    settled: 8,
    marketDone: 3,
    trading: 3,
    heartbeat: 3,
    strategyHalted: 2,
    strategyLoaded: 3,
    history: 8,
    started: 1,
  },
} as const;

/** The same seed, the same records. */
export class MadeRecords {
  readonly #random: Random;
  readonly #lives = new Map<number, Life>();
  #client = 0;
  #at = 1_700_000_000_000;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  static of(seed: number, count: number): readonly TimedRecord[] {
    const made = new MadeRecords(seed);
    return Array.from({ length: count }, () => made.next());
  }

  next(): TimedRecord {
    // Mostly a moment, sometimes hours or days, and now and then a clock that is put back.
    this.#at += Number(
      this.#random.weighted({ '0': 5, '40': 60, '5000': 20, '4000000': 6, '200000000': 1, '-3000': 2 }),
    );
    return { at: this.#at, record: this.#record(this.#random.weighted(KINDS)) };
  }

  #record(kind: keyof typeof KINDS): JournalRecord {
    switch (kind) {
      case 'sent':
        return { kind, ...this.#newOrder() };
      case 'adopted':
        return { kind, order: 5_000 + this.#client, ...this.#newOrder() };
      case 'reported':
        return this.#reported(this.#some());
      case 'again':
        return this.#again(this.#some());
      case 'rejected':
        return { kind, client: this.#clientSeen(), code: 'MARKET_NOT_FOUND' };
      case 'absent':
        return { kind: 'rejected', client: this.#clientSeen(), code: 'PROVEN_ABSENT' };
      case 'unknown':
        return { kind, client: this.#clientSeen(), code: 'TIMEOUT' };
      case 'reappeared':
        return { kind, client: this.#clientSeen(), order: 1 };
      default:
        return this.#ofRun(kind);
    }
  }

  #ofRun(
    kind: Exclude<
      keyof typeof KINDS,
      'sent' | 'adopted' | 'reported' | 'again' | 'rejected' | 'absent' | 'unknown' | 'reappeared'
    >,
  ): JournalRecord {
    const random = this.#random;
    const [market, wallet, strategy] = [random.pick(MARKETS), random.pick(WALLETS), random.pick(STRATEGIES)];
    switch (kind) {
      case 'settled':
        return { kind, market, wallet, profit: this.#money(-9_000_000, 9_000_000), commission: this.#money(0, 90_000) };
      case 'marketDone':
        return { kind, market };
      case 'trading': {
        const by = random.pick(['drawdown', 'command', 'file']);
        const cause = random.pick(['resume', 'reload', 'by hand', 'limit']);
        return { kind, from: random.pick(TRADING_STATES), to: random.pick(TRADING_STATES), cause, by };
      }
      case 'heartbeat':
        return { kind, from: 'unarmed', to: random.pick(HEARTBEAT_STATES), cause: 'reply' };
      case 'strategyHalted':
        return { kind, strategy, code: random.pick(['STRATEGY_THROW', 'LATE']), details: 'x is not a function' };
      case 'strategyLoaded':
        return { kind, strategy, sha256: 'ab', cause: random.pick(['resume', 'reload', 'start']) };
      case 'started':
        return { kind, run: 'r1', version: '1', mode: 'live', config: 'cd', strategies: [] };
      case 'history':
        return random.pick<JournalRecord>([
          { kind: 'phase', from: 'arming', to: 'trading', cause: 'heartbeat' },
          { kind: 'cancelSent', client: this.#clientSeen() },
          { kind: 'requested', request: 'place', clients: [this.#clientSeen()] },
          { kind: 'freshness', feed: 'prices', market, isLate: true, ageMs: 2, budgetMs: 1 },
          { kind: 'ended', cause: 'signal', liveOrders: 2 },
        ]);
    }
  }

  #newOrder(): SentOrder {
    const random = this.#random;
    this.#client += random.chance(0.95) ? 1 : random.between(2, 50);
    const [market, wallet, strategy] = [random.pick(MARKETS), random.pick(WALLETS), random.pick(STRATEGIES)];
    const terms = sentOrder(this.#client, { market, wallet, strategy, stake: money(1_000 * random.between(1, 9_000)) });
    const report = reportedOrder(this.#client, { status: 'Pending', stakeUnmatched: terms.stake });
    this.#lives.set(this.#client, { terms, report, past: [] });
    return terms;
  }

  #some(): Life | undefined {
    const all = [...this.#lives.values()].slice(-12);
    return all.length === 0 ? undefined : this.#random.pick(all);
  }

  #clientSeen(): number {
    return this.#some()?.terms.client ?? 1;
  }

  #reported(life: Life | undefined): JournalRecord {
    if (life === undefined) return { kind: 'phase', from: 'a', to: 'b', cause: 'no order yet' };
    const { report, terms } = life;
    const status = this.#random.pick<OrderStatus>([report.status, ...ORDER_MOVES[report.status]]);
    const left = terms.stake - report.stakeMatched - report.stakeVoided;
    const matched = this.#matchedBy(status, report, left);
    const ends = status === 'Cancelled' || status === 'Failed' || status === 'Voided';
    const voided = ends ? left - (matched - report.stakeMatched) : 0;
    life.past.push(report);
    life.report = {
      ...report,
      ...{ status, at: this.#at, stakeMatched: money(matched), stakeVoided: money(report.stakeVoided + voided) },
      stakeUnmatched: money(terms.stake - matched - report.stakeVoided - voided),
    };
    return { kind: 'reported', ...life.report };
  }

  #matchedBy(status: OrderStatus, { stakeMatched }: ReportedOrder, left: number): number {
    if (status === 'Matched' || status === 'Won' || status === 'Lost') return stakeMatched + left;
    if (status !== 'PartiallyMatched') return stakeMatched;
    return stakeMatched + Math.floor((left * this.#random.between(1, 9)) / 10);
  }

  /** The newest report once more, or one that is older: it came by another way. */
  #again(life: Life | undefined): JournalRecord {
    if (life === undefined) return { kind: 'phase', from: 'a', to: 'b', cause: 'no order yet' };
    return { kind: 'reported', ...this.#random.pick([life.report, ...life.past]) };
  }

  #money(low: number, high: number): Money {
    return money(this.#random.between(low, high));
  }
}
