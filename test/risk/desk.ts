/** A risk desk to test at: markets whose state a test may set, an exposure book, limits, and orders with defaults. */

import type { InPlayStatus, MarketFacts, MarketStatus, OutcomeStatus, WinnersRange } from '../../src/core/market.ts';
import type { MarketState } from '../../src/core/market-state.ts';
import type { MinimumStake } from '../../src/core/minimum-stake.ts';
import { NO_TICK, type Tick, tickOfDecimal } from '../../src/core/number/ladder.ts';
import {
  type Instant,
  instant,
  type Money,
  money,
  moneyFromDecimal,
  type Price,
  price,
} from '../../src/core/number/units.ts';
import type { Refusal } from '../../src/core/refusal.ts';
import { FOR, type Side, type SideIndex } from '../../src/core/side.ts';
import type { JudgedOrder } from '../../src/risk/exposure/exposed.ts';
import { ExposureBook } from '../../src/risk/exposure/exposure-book.ts';
import { type Approved, isApproved, judge } from '../../src/risk/judge.ts';
import type { Limits, LimitsConfig } from '../../src/risk/limits/limits.ts';
import { parseLimits } from '../../src/risk/limits/parse-limits.ts';
import { RiskState } from '../../src/risk/risk-state.ts';
import { madeFacts } from '../support/made-market.ts';

export const NOON = instant(Date.UTC(2026, 2, 24, 12));

/** Money of a decimal amount. */
export function units(amount: number): Money {
  return moneyFromDecimal(amount) ?? money(Number.NaN);
}

export function at(decimal: number): Tick {
  const found = tickOfDecimal(decimal);
  if (found === undefined) throw new Error(`${decimal} is not on the ladder`);
  return found;
}

/** An open market of three outcomes, best prices 2.0 and 2.02 on each; every field may be set. */
export class TestMarket implements MarketState {
  readonly index: number;
  readonly facts: MarketFacts;
  status: MarketStatus = 'Open';
  inPlayStatus: InPlayStatus = 'PrePlay';
  published = true;
  suspended = false;
  inPlayDelayMs = 0;
  lockAt: Instant | undefined;
  winners: WinnersRange;
  crossMatching = false;
  minimumStake: MinimumStake | undefined;
  updatedAt = NOON;
  bestFor: number = at(2.02);
  bestAgainst: number = at(2);
  last: Price | undefined;
  readonly statuses: OutcomeStatus[];

  constructor(index: number, options: { outcomes?: number; winners?: WinnersRange; event?: string } = {}) {
    const count = options.outcomes ?? 3;
    this.index = index;
    this.winners = options.winners ?? { min: 1, max: 1 };
    this.statuses = Array.from({ length: count }, () => 'Active');
    this.facts = madeFacts(`m${index}`, count, { eventId: options.event ?? 'e0' });
  }

  outcomeStatus(outcome: number): OutcomeStatus {
    return this.statuses[outcome] ?? 'Hidden';
  }
  bestTick(_outcome: number, side: SideIndex): number {
    return side === FOR ? this.bestFor : this.bestAgainst;
  }
  nextTick(): number {
    return NO_TICK;
  }
  amountAt(): Money {
    return units(100);
  }
  traded(): Money {
    return units(0);
  }
  tradedAt(): Money {
    return units(0);
  }
  startingPrice(): undefined {
    return undefined;
  }
  lastPrice(): Price | undefined {
    return this.last;
  }
  setLast(decimal: number): void {
    this.last = price(Math.round(decimal * 1000));
  }
}

/** An order in words: `stake` and `price` are decimals; what is left out is For 10 @ 2.0 on outcome 0. */
export interface OrderSketch {
  readonly market?: number;
  readonly strategy?: number;
  readonly wallet?: number;
  readonly outcome?: number;
  readonly side?: Side;
  readonly price?: number;
  readonly stake?: number;
}

export function order(sketch: OrderSketch = {}): JudgedOrder {
  return {
    market: sketch.market ?? 0,
    strategy: sketch.strategy ?? 0,
    wallet: sketch.wallet ?? 0,
    outcome: sketch.outcome ?? 0,
    side: sketch.side ?? 'For',
    tick: at(sketch.price ?? 2),
    stake: units(sketch.stake ?? 10),
  };
}

/** Worst losses without the order, or with it: a copy, since the book measures each order into one object. */
export function lossesOf(book: ExposureBook, judged: JudgedOrder, which: 'before' | 'after'): Record<string, Money> {
  const { losses } = book.effectOf(judged);
  return Object.fromEntries(Object.entries(losses).map(([scope, change]) => [scope, change[which]]));
}

/** Limits of decimals that are known to be right. */
export function limitsOf(config: LimitsConfig): Limits {
  const parsed = parseLimits(config);
  if (parsed.kind === 'fault') throw new Error(`${parsed.key}: ${parsed.expected}`);
  return parsed.limits;
}

export class RiskDesk {
  readonly exposure = new ExposureBook();
  readonly state: RiskState;
  readonly #markets: readonly TestMarket[];
  now = NOON;

  constructor(limits: LimitsConfig, markets: readonly TestMarket[] = [new TestMarket(0)]) {
    this.state = new RiskState(limitsOf(limits));
    this.#markets = markets;
    for (const { index, facts, winners } of markets) {
      this.exposure.openMarket({ market: index, event: facts.eventId, outcomes: facts.outcomes.length, winners });
    }
  }

  judge(sketch: OrderSketch = {}): Approved | Refusal {
    return this.judgeOrder(order(sketch));
  }

  judgeOrder(judged: JudgedOrder): Approved | Refusal {
    const market = this.#markets[judged.market];
    if (market === undefined) throw new Error(`no market ${judged.market}`);
    return judge(judged, {
      exposure: this.exposure,
      state: this.state,
      market,
      now: this.now,
      freshAt: market.updatedAt,
    });
  }

  /** 'sent' or the code of the refusal. */
  verdict(sketch: OrderSketch = {}): string {
    const verdict = this.judge(sketch);
    return isApproved(verdict) ? 'sent' : verdict.code;
  }

  /** Matches a whole order at its own price, as if it had been sent before. */
  matched(sketch: OrderSketch): void {
    const { stake, ...rest } = order(sketch);
    const winnings = money(Math.round(stake * ((sketch.price ?? 2) - 1)));
    this.exposure.reserve(rest, stake);
    this.exposure.change(
      rest,
      { stakeUnmatched: stake, stakeMatched: units(0), winningsMatched: units(0) },
      { stakeUnmatched: units(0), stakeMatched: stake, winningsMatched: winnings },
    );
  }
}
