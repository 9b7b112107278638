/** Stands in for a market that holds orders of an earlier process and that the feed does not bring. */

import type { MarketFacts, WinnersRange } from '../market.ts';
import type { MarketState } from '../market-state.ts';
import { NO_TICK } from '../number/ladder.ts';
import { type Instant, instant, ZERO } from '../number/units.ts';
import type { SentOrder } from './kept-order.ts';

/** No gateway counts its markets so far. */
const FIRST_INDEX = 2 ** 40;
const NEVER = instant(0);

/**
 * What is known of it is in the journal: its name, its event, and the outcomes that orders are on. Its status was never known, so that it is
 * dark; any number of these outcomes may win.
 */
export class UnseenMarket implements MarketState {
  readonly index: number;
  readonly facts: MarketFacts;
  readonly winners: WinnersRange;
  readonly status = 'Open';
  readonly inPlayStatus = 'NotApplicable';
  readonly published = false;
  readonly suspended = true;
  readonly inPlayDelayMs = 0;
  readonly lockAt = undefined;
  readonly crossMatching = false;
  readonly updatedAt: Instant = NEVER;
  readonly freshAt: Instant = NEVER;
  readonly statusFreshAt: Instant = NEVER;

  /** `number`: of this among all that stand in for a market; `orders`: those that are known of it, at least one. */
  constructor(number: number, orders: readonly SentOrder[]) {
    const titles = new Map(orders.map(({ outcome, outcomeTitle }) => [outcome, outcomeTitle]));
    const [{ market: id, marketName: name } = { market: '', marketName: '' }] = orders;
    this.index = FIRST_INDEX + number;
    const outcomes = [...titles].map(([outcome, title], ordering) => ({ id: outcome, title, ordering }));
    const eventId = orders.find(({ event }) => event !== undefined)?.event ?? id;
    this.facts = { id, name, eventId, eventName: name, marketTypeId: '', outcomes };
    this.winners = { min: 0, max: outcomes.length };
  }

  outcomeStatus(): 'Active' {
    return 'Active';
  }
  bestTick(): number {
    return NO_TICK;
  }
  nextTick(): number {
    return NO_TICK;
  }
  amountAt(): typeof ZERO {
    return ZERO;
  }
  traded(): typeof ZERO {
    return ZERO;
  }
  tradedAt(): typeof ZERO {
    return ZERO;
  }
  startingPrice(): undefined {
    return undefined;
  }
  lastPrice(): undefined {
    return undefined;
  }
}
