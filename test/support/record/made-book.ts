/** A live market as a test moves it. */

import type {
  InPlayStatus,
  LiquidityAction,
  MarketFacts,
  MarketStatus,
  OutcomeStatus,
} from '../../../src/core/market.ts';
import type { MinimumStake } from '../../../src/core/minimum-stake.ts';
import { TICK_COUNT } from '../../../src/core/number/ladder.ts';
import type { Instant, Money, Price } from '../../../src/core/number/units.ts';
import type { SideIndex } from '../../../src/core/side.ts';
import type { LiveBook } from '../../../src/recording/live/live-book.ts';

const OUTCOMES = 2;

export class MadeBook implements LiveBook {
  readonly index: number;
  readonly facts: MarketFacts;
  status: MarketStatus = 'Open';
  inPlayStatus: InPlayStatus = 'PrePlay';
  published = true;
  suspended = false;
  inPlayDelayMs = 5_000;
  lockAt: Instant | undefined;
  winners = { min: 1, max: 1 };
  crossMatching = false;
  updatedAt = 0 as Instant;
  eventStartAction: LiquidityAction = 'CancelUnmatchedLiquidity';
  publishedAt: Instant | undefined;
  winner: number | undefined;
  minimumStake: MinimumStake | undefined;
  readonly #amounts = new Float64Array(OUTCOMES * 2 * TICK_COUNT);
  readonly #matched = new Float64Array(OUTCOMES * 2 * TICK_COUNT);

  constructor(id: string, index = 0) {
    this.index = index;
    const outcomes = Array.from({ length: OUTCOMES }, (_, at) => ({ id: `${id}.${at}`, title: `${at}`, ordering: at }));
    this.facts = { id, name: id, eventId: 'E', eventName: 'Event', marketTypeId: 'T', outcomes };
  }

  get isOver(): boolean {
    return this.status === 'Settled' || this.status === 'Voided' || this.status === 'Closed';
  }

  rests(outcome: number, side: SideIndex, tick: number, amount: number): this {
    this.#amounts[cellOf(outcome, side, tick)] = amount;
    return this;
  }

  /** In all, since it opened. */
  matched(outcome: number, side: SideIndex, tick: number, amount: number): this {
    this.#matched[cellOf(outcome, side, tick)] = amount;
    return this;
  }

  outcomeStatus(outcome: number): OutcomeStatus {
    if (this.winner === undefined) return 'Active';
    return this.winner === outcome ? 'Winner' : 'Loser';
  }
  amountAt(outcome: number, side: SideIndex, tick: number): Money {
    return (this.#amounts[cellOf(outcome, side, tick)] ?? 0) as Money;
  }
  matchedAt(outcome: number, side: SideIndex, tick: number): Money {
    return (this.#matched[cellOf(outcome, side, tick)] ?? 0) as Money;
  }
  bestTick(): number {
    return -1;
  }
  nextTick(): number {
    return -1;
  }
  traded(): Money {
    return 0 as Money;
  }
  tradedAt(): Money {
    return 0 as Money;
  }
  startingPrice(): undefined {
    return undefined;
  }
  lastPrice(): Price | undefined {
    return undefined;
  }
}

function cellOf(outcome: number, side: SideIndex, tick: number): number {
  return (outcome * 2 + side) * TICK_COUNT + tick;
}
