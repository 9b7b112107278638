/** A live market as a test moves it. */

import type {
  InPlayStatus,
  LiquidityAction,
  MarketFacts,
  MarketStatus,
  OutcomeStatus,
} from '../../../src/core/market.ts';
import type { SideIndex } from '../../../src/core/side.ts';
import type { Instant, Money, Price } from '../../../src/core/units.ts';
import type { LiveBook } from '../../../src/recording/live/live-book.ts';

const OUTCOMES = 2;

export class MadeBook implements LiveBook {
  readonly index = 0;
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
  readonly #amounts = new Map<string, number>();
  readonly #matched = new Map<string, number>();

  constructor(id: string) {
    const outcomes = Array.from({ length: OUTCOMES }, (_, at) => ({ id: `${id}.${at}`, title: `${at}`, ordering: at }));
    this.facts = { id, name: id, eventId: 'E', eventName: 'Event', marketTypeId: 'T', outcomes };
  }

  get isOver(): boolean {
    return this.status === 'Settled' || this.status === 'Voided' || this.status === 'Closed';
  }

  rests(outcome: number, side: SideIndex, tick: number, amount: number): this {
    this.#amounts.set(`${outcome} ${side} ${tick}`, amount);
    return this;
  }

  /** In all, since it opened. */
  matched(outcome: number, side: SideIndex, tick: number, amount: number): this {
    this.#matched.set(`${outcome} ${side} ${tick}`, amount);
    return this;
  }

  outcomeStatus(outcome: number): OutcomeStatus {
    if (this.winner === undefined) return 'Active';
    return this.winner === outcome ? 'Winner' : 'Loser';
  }
  amountAt(outcome: number, side: SideIndex, tick: number): Money {
    return (this.#amounts.get(`${outcome} ${side} ${tick}`) ?? 0) as Money;
  }
  matchedAt(outcome: number, side: SideIndex, tick: number): Money {
    return (this.#matched.get(`${outcome} ${side} ${tick}`) ?? 0) as Money;
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
  lastPrice(): Price | undefined {
    return undefined;
  }
}
