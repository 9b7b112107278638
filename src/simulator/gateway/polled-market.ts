/** A market as the last poll returned it: a copy that does not change until the next poll. */

import { PriceLadders } from '../../core/book/price-ladders.ts';
import type {
  InPlayStatus,
  MarketFacts,
  MarketStatus,
  OutcomeStatus,
  StartingPriceKind,
  WinnersRange,
} from '../../core/market.ts';
import { type MarketState, NO_OWN_STAKE, type OwnStake } from '../../core/market-state.ts';
import type { MinimumStake } from '../../core/minimum-stake.ts';
import { NO_TICK, TICK_COUNT } from '../../core/number/ladder.ts';
import type { Instant, Money, Price } from '../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../core/side.ts';
import { cellOf } from '../overlay/level-cell.ts';

const STARTING_PRICES: readonly StartingPriceKind[] = ['near', 'far', 'actual'];

/** The market as strategies see it between two polls. */
export class PolledMarket implements MarketState {
  readonly index: number;
  facts: MarketFacts;
  readonly outcomesMax: number;
  status: MarketStatus = 'Initializing';
  inPlayStatus: InPlayStatus = 'NotApplicable';
  published = false;
  suspended = false;
  inPlayDelayMs = 0;
  lockAt: Instant | undefined;
  winners: WinnersRange;
  crossMatching = false;
  readonly minimumStake: MinimumStake | undefined;
  readonly canReduce: boolean;
  updatedAt: Instant;
  isCutOff = false;
  readonly #live: MarketState;
  readonly #ladders: PriceLadders;
  /** Our orders in the levels, by cell. */
  readonly #own = new Map<number, readonly OwnStake[]>();
  readonly #traded: Float64Array;
  readonly #tradedAt: Float64Array;
  readonly #startingPrices: (Price | undefined)[] = [];
  readonly #lastPrices: (Price | undefined)[] = [];
  readonly #statuses: OutcomeStatus[] = [];

  constructor(live: MarketState) {
    this.#live = live;
    this.index = live.index;
    this.facts = live.facts;
    this.winners = live.winners;
    this.minimumStake = live.minimumStake;
    this.canReduce = live.canReduce === true;
    this.updatedAt = live.updatedAt;
    const outcomes = live.outcomesMax ?? live.facts.outcomes.length;
    this.outcomesMax = outcomes;
    this.#ladders = new PriceLadders(outcomes);
    this.#traded = new Float64Array(outcomes);
    this.#tradedAt = new Float64Array(outcomes * TICK_COUNT);
  }

  /** Copies the market as it is now. */
  refresh(): void {
    const live = this.#live;
    this.facts = live.facts;
    this.status = live.status;
    this.inPlayStatus = live.inPlayStatus;
    this.published = live.published;
    this.suspended = live.suspended;
    this.inPlayDelayMs = live.inPlayDelayMs;
    this.lockAt = live.lockAt;
    this.winners = live.winners;
    this.crossMatching = live.crossMatching;
    this.updatedAt = live.updatedAt;
    this.isCutOff = live.isCutOff === true;
    this.#ladders.clear();
    this.#own.clear();
    for (let outcome = 0; outcome < live.facts.outcomes.length; outcome += 1) {
      this.#takeSide(outcome, FOR);
      this.#takeSide(outcome, AGAINST);
      if (live.traded(outcome) !== this.#traded[outcome]) this.#takeTraded(outcome);
      for (const [at, which] of STARTING_PRICES.entries())
        this.#startingPrices[outcome * STARTING_PRICES.length + at] = live.startingPrice(outcome, which);
      this.#lastPrices[outcome] = live.lastPrice(outcome);
      this.#statuses[outcome] = live.outcomeStatus(outcome);
    }
  }

  outcomeStatus(outcome: number): OutcomeStatus {
    return this.#statuses[outcome] ?? 'Hidden';
  }

  bestTick(outcome: number, side: SideIndex): number {
    return this.#ladders.bestTick(outcome, side);
  }

  nextTick(outcome: number, side: SideIndex, from: number): number {
    return this.#ladders.nextTick(outcome, side, from);
  }

  amountAt(outcome: number, side: SideIndex, at: number): Money {
    return this.#ladders.amountAt(outcome, side, at);
  }

  ownAt(outcome: number, side: SideIndex, at: number): readonly OwnStake[] {
    return this.#own.get(cellOf(outcome, side, at)) ?? NO_OWN_STAKE;
  }

  traded(outcome: number): Money {
    return (this.#traded[outcome] ?? 0) as Money;
  }

  tradedAt(outcome: number, tick: number): Money {
    return (this.#tradedAt[outcome * TICK_COUNT + tick] ?? 0) as Money;
  }

  startingPrice(outcome: number, which: StartingPriceKind): Price | undefined {
    return this.#startingPrices[outcome * STARTING_PRICES.length + STARTING_PRICES.indexOf(which)];
  }

  lastPrice(outcome: number): Price | undefined {
    return this.#lastPrices[outcome];
  }

  /** Only where something was traded since the last poll, which is seldom. */
  #takeTraded(outcome: number): void {
    this.#traded[outcome] = this.#live.traded(outcome);
    const first = outcome * TICK_COUNT;
    for (let at = 0; at < TICK_COUNT; at += 1) this.#tradedAt[first + at] = this.#live.tradedAt(outcome, at);
  }

  #takeSide(outcome: number, side: SideIndex): void {
    const live = this.#live;
    for (let at = live.bestTick(outcome, side); at !== NO_TICK; at = live.nextTick(outcome, side, at)) {
      this.#ladders.set(outcome, side, at, live.amountAt(outcome, side, at));
      const own = live.ownAt?.(outcome, side, at) ?? NO_OWN_STAKE;
      if (own.length > 0) this.#own.set(cellOf(outcome, side, at), own);
    }
  }
}
