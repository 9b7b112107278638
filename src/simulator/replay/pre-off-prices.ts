/** What the recorded book of a market showed when its trading last stopped before the off: the close of its betting before the event. */

import type { Instant } from '../../core/number/units.ts';
import { AGAINST, FOR } from '../../core/side.ts';
import type { RecordedBook } from '../overlay/recorded-book.ts';

/** The prices by outcome; NO_TICK where there was no price. Plain data, which may be sent between threads. */
export interface PreOffPrices {
  at: Instant;
  readonly bestFor: Int16Array;
  readonly bestAgainst: Int16Array;
  readonly lastTick: Int16Array;
  /** Backer's stake, 10⁻⁶. */
  readonly traded: Float64Array;
}

/** Reads the book as it is now; `into`, where it is given, is written over. */
export function readPreOff(book: RecordedBook, at: Instant, into: PreOffPrices | undefined): PreOffPrices {
  const prices = into ?? newPrices(book.outcomes, at);
  prices.at = at;
  for (let outcome = 0; outcome < book.outcomes; outcome += 1) {
    prices.bestFor[outcome] = book.bestTick(outcome, FOR);
    prices.bestAgainst[outcome] = book.bestTick(outcome, AGAINST);
    prices.lastTick[outcome] = book.lastTick(outcome);
    prices.traded[outcome] = book.traded(outcome);
  }
  return prices;
}

function newPrices(outcomes: number, at: Instant): PreOffPrices {
  return {
    at,
    bestFor: new Int16Array(outcomes),
    bestAgainst: new Int16Array(outcomes),
    lastTick: new Int16Array(outcomes),
    traded: new Float64Array(outcomes),
  };
}
