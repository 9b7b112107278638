/** A market as the last poll returned it: a copy that does not change until the next poll. */

import { PriceLadders } from '../../core/book/price-ladders.ts';
import type { InPlayStatus, MarketFacts, MarketStatus, OutcomeStatus, WinnersRange } from '../../core/market.ts';
import type { MarketState } from '../../core/market-state.ts';
import type { MinimumStake } from '../../core/minimum-stake.ts';
import { NO_TICK } from '../../core/number/ladder.ts';
import type { Instant, Money, Price } from '../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../core/side.ts';

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
  updatedAt: Instant;
  isCutOff = false;
  readonly #live: MarketState;
  readonly #ladders: PriceLadders;
  readonly #traded: Float64Array;
  readonly #lastPrices: (Price | undefined)[] = [];
  readonly #statuses: OutcomeStatus[] = [];

  constructor(live: MarketState) {
    this.#live = live;
    this.index = live.index;
    this.facts = live.facts;
    this.winners = live.winners;
    this.minimumStake = live.minimumStake;
    this.updatedAt = live.updatedAt;
    const outcomes = live.outcomesMax ?? live.facts.outcomes.length;
    this.outcomesMax = outcomes;
    this.#ladders = new PriceLadders(outcomes);
    this.#traded = new Float64Array(outcomes);
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
    for (let outcome = 0; outcome < live.facts.outcomes.length; outcome += 1) {
      this.#takeSide(outcome, FOR);
      this.#takeSide(outcome, AGAINST);
      this.#traded[outcome] = live.traded(outcome);
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

  traded(outcome: number): Money {
    return (this.#traded[outcome] ?? 0) as Money;
  }

  lastPrice(outcome: number): Price | undefined {
    return this.#lastPrices[outcome];
  }

  #takeSide(outcome: number, side: SideIndex): void {
    const live = this.#live;
    for (let at = live.bestTick(outcome, side); at !== NO_TICK; at = live.nextTick(outcome, side, at))
      this.#ladders.set(outcome, side, at, live.amountAt(outcome, side, at));
  }
}
