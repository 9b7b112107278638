/** A small world of markets and own orders around the risk desk, moved by seeded chance, with the plain list of all orders. */

import { priceOfTick, TICK_COUNT, tick } from '../../../src/core/number/ladder.ts';
import type { Random } from '../../../src/core/number/random.ts';
import { type Money, money, price, profitAt } from '../../../src/core/number/units.ts';
import type { Refusal } from '../../../src/core/refusal.ts';
import type { RiskMemory } from '../../../src/core/run/run-state.ts';
import { sideOf } from '../../../src/core/side.ts';
import { NO_STAKES, type Stakes } from '../../../src/risk/exposure/exposure-book.ts';
import { isApproved } from '../../../src/risk/judge.ts';
import type { LimitsConfig } from '../../../src/risk/limits/limits.ts';
import { RiskDesk, TestMarket } from '../../risk/desk.ts';
import {
  type NaiveMarket,
  type NaiveOrder,
  naiveOutcomeLoss,
  naivePossibleLoss,
  naiveRequired,
} from '../naive-exposure.ts';

const STAKE_STEP = 1_000;

export interface WorldOptions {
  readonly limits: LimitsConfig;
  /** Ticks from 0 that orders are placed at: few make orders meet. */
  readonly ticks?: number;
  /** Largest stake in thousandths. */
  readonly stakes?: number;
}

/** Figures that limits are on, as an order of these terms sees them. */
export const FIGURES = ['outcome', 'market', 'event', 'strategy', 'wallet'] as const;
export type Figures = Readonly<Record<(typeof FIGURES)[number], number>>;

export class RiskWorld {
  readonly markets = [
    new TestMarket(0, { outcomes: 2, event: 'e0' }),
    new TestMarket(1, { outcomes: 4, event: 'e0', winners: { min: 2, max: 2 } }),
    new TestMarket(2, { outcomes: 3, event: 'e1' }),
    new TestMarket(3, { outcomes: 3, event: 'e1', winners: { min: 1, max: 2 } }),
  ];
  entry: RiskDesk;
  /** Every order of the bot that was ever accepted or adopted and that is not of a market begun anew. */
  readonly orders: NaiveOrder[] = [];
  readonly #random: Random;
  readonly #options: WorldOptions;

  constructor(random: Random, options: WorldOptions) {
    this.#random = random;
    this.#options = options;
    this.entry = new RiskDesk(options.limits, this.markets);
  }

  /** An order by chance, its whole stake unmatched. */
  candidate(): NaiveOrder {
    const random = this.#random;
    const market = random.below(this.markets.length);
    return {
      market,
      strategy: random.below(3),
      wallet: random.below(2),
      outcome: random.below(this.markets[market]?.facts.outcomes.length ?? 1),
      side: sideOf(random.below(2)),
      tick: tick(random.below(this.#options.ticks ?? TICK_COUNT / 2)),
      held: { ...NO_STAKES, stakeUnmatched: money(STAKE_STEP * (1 + random.below(this.#options.stakes ?? 40_000))) },
    };
  }

  /** Judges it; an approved one is live from now on. */
  place(candidate: NaiveOrder): Refusal | 'sent' {
    const verdict = this.entry.judgeOrder({ ...candidate, stake: candidate.held.stakeUnmatched });
    if (!isApproved(verdict)) return verdict;
    this.orders.push(candidate);
    return 'sent';
  }

  /** An order of others is counted as ours, whatever the limits say. */
  adopt(stray: NaiveOrder): void {
    this.entry.exposure.change(stray, NO_STAKES, stray.held);
    this.orders.push(stray);
  }

  live(): readonly NaiveOrder[] {
    return this.orders.filter((order) => order.held.stakeUnmatched > 0);
  }

  /** One live order is filled in part or in full at its limit or better, or cancelled; answers whether one first matched. */
  exchangeActs(): boolean {
    const live = this.live();
    const order = live[this.#random.below(Math.max(1, live.length))];
    if (order === undefined) return false;
    if (this.#random.chance(0.4)) {
      this.#change(order, { ...order.held, stakeUnmatched: money(0) });
      return false;
    }
    const isFirst = order.held.stakeMatched === 0;
    this.#fillSome(order);
    return isFirst;
  }

  /** Matches all that is left of an order at its limit. */
  fill(order: NaiveOrder): void {
    const { stakeUnmatched, stakeMatched, winningsMatched } = order.held;
    this.#change(order, {
      stakeUnmatched: money(0),
      stakeMatched: money(stakeMatched + stakeUnmatched),
      winningsMatched: money(winningsMatched + profitAt(stakeUnmatched, priceOfTick(order.tick))),
    });
  }

  /** A bet that was matched before the test begins. */
  hold(order: NaiveOrder): void {
    this.adopt(order);
    this.fill(order);
  }

  /** A new process: nothing is known but the memory of the limits, the trading state and the orders. */
  restart(memory: RiskMemory): void {
    const { now, state } = this.entry;
    this.entry = new RiskDesk({}, this.markets);
    this.entry.now = now;
    this.entry.state.setLimits(state.limits);
    this.entry.state.restore(memory);
    this.entry.state.moveTrading({ to: state.trading, cause: state.tradingCause, by: 'recovery' });
    for (const order of this.orders) this.entry.exposure.change(order, NO_STAKES, order.held);
  }

  /** The market settles and a new one takes its place, with no order in it. */
  begin(market: number): void {
    const { facts, winners } = this.#market(market);
    this.entry.exposure.closeMarket(market);
    this.entry.exposure.openMarket({ market, event: facts.eventId, outcomes: facts.outcomes.length, winners });
    const others = this.orders.filter((order) => order.market !== market);
    this.orders.splice(0, this.orders.length, ...others);
  }

  /** Worst losses worked out from the list of all orders. */
  figures(about: NaiveOrder, orders: readonly NaiveOrder[] = this.orders): Figures {
    const event = this.#market(about.market).facts.eventId;
    const inMarket = orders.filter((order) => order.market === about.market);
    return {
      outcome: naiveOutcomeLoss(inMarket, about.outcome),
      market: this.required(inMarket),
      event: this.required(orders.filter((order) => this.#market(order.market).facts.eventId === event)),
      strategy: this.required(orders.filter((order) => order.strategy === about.strategy)),
      wallet: this.required(orders.filter((order) => order.wallet === about.wallet)),
    };
  }

  /** R of a list of orders, summed over its markets. */
  required(orders: readonly NaiveOrder[]): number {
    return this.#sum(orders, naiveRequired);
  }

  /** What a list of orders can lose whatever is filled, summed over its markets. */
  possibleLoss(orders: readonly NaiveOrder[]): number {
    return this.#sum(orders, naivePossibleLoss);
  }

  #sum(orders: readonly NaiveOrder[], of: (market: NaiveMarket, orders: readonly NaiveOrder[]) => number): number {
    return this.markets.reduce((sum, market) => {
      const inMarket = orders.filter((order) => order.market === market.index);
      return inMarket.length === 0 ? sum : sum + of(naiveMarket(market), inMarket);
    }, 0);
  }

  #fillSome(order: NaiveOrder): void {
    const { stakeUnmatched, stakeMatched, winningsMatched } = order.held;
    const steps = stakeUnmatched / STAKE_STEP;
    const stake = money(STAKE_STEP * (1 + this.#random.below(steps)));
    const limit = priceOfTick(order.tick);
    const better = this.#random.below(3) * 10;
    const got = order.side === 'For' ? limit + better : Math.max(1_001, limit - better);
    this.#change(order, {
      stakeUnmatched: money(stakeUnmatched - stake),
      stakeMatched: money(stakeMatched + stake),
      winningsMatched: (winningsMatched + profitAt(stake, price(got))) as Money,
    });
  }

  #change(order: NaiveOrder, to: Stakes): void {
    this.entry.exposure.change(order, order.held, to);
    order.held = to;
  }

  #market(index: number): TestMarket {
    const market = this.markets[index];
    if (market === undefined) throw new Error(`no market ${index}`);
    return market;
  }
}

function naiveMarket({ index, facts, winners }: TestMarket): NaiveMarket {
  return { market: index, event: facts.eventId, outcomes: facts.outcomes.length, winners, removed: new Set() };
}
