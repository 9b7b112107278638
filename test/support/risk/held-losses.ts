/** What the exposure book holds for a market, as rules are given it with the next order. */

import { tick } from '../../../src/core/number/ladder.ts';
import { type Money, ZERO } from '../../../src/core/number/units.ts';
import type { ExposureBook } from '../../../src/risk/exposure/exposure-book.ts';

export function lossInMarket(book: ExposureBook, market: number): Money {
  return lossesIn(book, market, 0).market.before;
}

/** Over all markets of the market's event. */
export function lossInEventOf(book: ExposureBook, market: number): Money {
  return lossesIn(book, market, 0).event.before;
}

/** The bets on one outcome by themselves, over all strategies. */
export function outcomeLoss(book: ExposureBook, market: number, outcome: number): Money {
  return lossesIn(book, market, outcome).outcome.before;
}

function lossesIn(book: ExposureBook, market: number, outcome: number) {
  return book.effectOf({ market, outcome, strategy: 0, wallet: 0, side: 'For', tick: tick(0), stake: ZERO }).losses;
}
