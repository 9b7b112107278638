/** A small world of markets and own orders around the risk desk, moved by seeded chance, with the plain list of all orders. */

import { anyWinners, type WinnersRange } from '../../../src/core/market.ts';
import { priceOfTick, TICK_COUNT, tick } from '../../../src/core/number/ladder.ts';
import type { Random } from '../../../src/core/number/random.ts';
import { type Money, money, price, profitAt } from '../../../src/core/number/units.ts';
import type { Refusal } from '../../../src/core/refusal.ts';
import type { RiskMemory } from '../../../src/core/run/risk-memory.ts';
import { opposite, sideOf } from '../../../src/core/side.ts';
import { NO_STAKES, type Stakes } from '../../../src/risk/exposure/exposure-book.ts';
import { isApproved } from '../../../src/risk/judge.ts';
import type { LimitsConfig } from '../../../src/risk/limits/limits.ts';
import { RiskDesk, TestMarket } from '../../risk/desk.ts';
import { type NaiveMarket, type NaiveOrder, naiveOutcomeLoss, naivePossibleLoss } from '../naive-exposure.ts';

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
    new TestMarket(4, { outcomes: 3, event: 'e2', winners: anyWinners(3) }),
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

  /** Often the other side of something held, since orders by chance rarely close anything. */
  closingCandidate(): NaiveOrder {
    const any = this.candidate();
    const held = this.orders[this.#random.below(Math.max(1, this.orders.length))];
    if (held === undefined || this.#random.chance(0.4)) return any;
    const { market, strategy, wallet, outcome, side } = held;
    return { ...any, market, strategy, wallet, outcome, side: opposite(side) };
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

  /** One of these live orders is filled in part or in full at its limit or better, or cancelled; answers whether one first matched. */
  exchangeActs(live: readonly NaiveOrder[] = this.live()): boolean {
    const order = live[this.#random.below(Math.max(1, live.length))];
    if (order === undefined) return false;
    if (this.#random.chance(0.4)) {
      this.report(order, { ...order.held, stakeUnmatched: money(0) });
      return false;
    }
    const isFirst = order.held.stakeMatched === 0;
    this.#fillSome(order);
    return isFirst;
  }

  /** The exchange says what an order holds now. */
  report(order: NaiveOrder, to: Stakes): void {
    this.entry.exposure.change(order, order.held, to);
    order.held = to;
  }

  /** The outcome cannot win any more, and the bets on it are void. */
  remove(market: number, outcome: number): void {
    this.#market(market).statuses[outcome] = 'Removed';
    this.entry.exposure.removeOutcome(market, outcome);
    for (const order of this.orders)
      if (order.market === market && order.outcome === outcome) this.report(order, NO_STAKES);
  }

  setWinners(market: number, winners: WinnersRange): void {
    this.#market(market).winners = winners;
    this.entry.exposure.setWinners(market, winners);
  }

  /** Matches all that is left of an order at its limit. */
  fill(order: NaiveOrder): void {
    const { stakeUnmatched, stakeMatched, winningsMatched } = order.held;
    this.report(order, {
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
    const { facts, winners, statuses } = this.#market(market);
    statuses.fill('Active');
    this.entry.exposure.closeMarket(market);
    this.entry.exposure.openMarket({ market, event: facts.eventId, outcomes: facts.outcomes.length, winners });
    const others = this.orders.filter((order) => order.market !== market);
    this.orders.splice(0, this.orders.length, ...others);
  }

  /** Worst losses worked out from the list of all orders, by one way or another. */
  figures(about: NaiveOrder, orders: readonly NaiveOrder[] = this.orders, of = naivePossibleLoss): Figures {
    const event = this.#market(about.market).facts.eventId;
    const inMarket = orders.filter((order) => order.market === about.market);
    const sum = (isOf: (order: NaiveOrder) => boolean) => this.lossBy(of, orders.filter(isOf));
    return {
      outcome: naiveOutcomeLoss(inMarket, about.outcome),
      market: this.lossBy(of, inMarket),
      event: sum((order) => this.#market(order.market).facts.eventId === event),
      strategy: sum((order) => order.strategy === about.strategy),
      wallet: sum((order) => order.wallet === about.wallet),
    };
  }

  /** What a list of orders can lose whatever is filled, summed over its markets. */
  possibleLoss(orders: readonly NaiveOrder[]): number {
    return this.lossBy(naivePossibleLoss, orders);
  }

  /** The same by another way to work out what a market can lose; one in which no result is a loss adds none. */
  lossBy(of: (market: NaiveMarket, orders: readonly NaiveOrder[]) => number, orders: readonly NaiveOrder[]): number {
    return this.markets.reduce((sum, market) => {
      const inMarket = orders.filter((order) => order.market === market.index);
      return inMarket.length === 0 ? sum : sum + Math.max(0, of(naiveMarket(market), inMarket));
    }, 0);
  }

  #fillSome(order: NaiveOrder): void {
    const { stakeUnmatched, stakeMatched, winningsMatched } = order.held;
    const steps = stakeUnmatched / STAKE_STEP;
    const stake = money(STAKE_STEP * (1 + this.#random.below(steps)));
    const limit = priceOfTick(order.tick);
    const better = this.#random.below(3) * 10;
    const got = order.side === 'For' ? limit + better : Math.max(1_001, limit - better);
    this.report(order, {
      stakeUnmatched: money(stakeUnmatched - stake),
      stakeMatched: money(stakeMatched + stake),
      winningsMatched: (winningsMatched + profitAt(stake, price(got))) as Money,
    });
  }

  #market(index: number): TestMarket {
    const market = this.markets[index];
    if (market === undefined) throw new Error(`no market ${index}`);
    return market;
  }
}

function naiveMarket({ index, facts, winners, statuses }: TestMarket): NaiveMarket {
  const removed = new Set(statuses.flatMap((status, outcome) => (status === 'Removed' ? [outcome] : [])));
  return { market: index, event: facts.eventId, outcomes: facts.outcomes.length, winners, removed };
}
