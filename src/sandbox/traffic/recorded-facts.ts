/** What a recording shows of a market beside its prices and its life, as the records of the world keep it. */

import type { StartingPriceKind } from '../../core/market.ts';
import type { Instant } from '../../core/number/units.ts';
import type { RecordedDefinition } from '../../recording/tape/definition.ts';
import type { TapeMarket } from '../../recording/tape/tape-schema.ts';
import type { RecordedBook } from '../../simulator/overlay/recorded-book.ts';
import type { RecordedFacts, ShownMarket, ShownOutcome } from '../world/change.ts';

const THOUSANDTHS = 1_000;

/** The market as recorded: ids, names and times are not those of this exchange. */
export function recordedFacts({ facts, bettingType, sourceFacts = {} }: TapeMarket): RecordedFacts {
  return { facts, bettingType, ...sourceFacts };
}

/** What the recording shows now. `clockTime` gives the time at which a time of the tape is played. */
export function shownMarket(
  definition: RecordedDefinition,
  book: RecordedBook,
  clockTime: (tapeAt: Instant) => Instant,
): ShownMarket {
  const outcomes = definition.outcomes.map((recorded, outcome): ShownOutcome => {
    const { factorPpm, removedAt, startingPrice } = recorded;
    const prices: { [Kind in StartingPriceKind]?: number } = {};
    for (const kind of ['near', 'far'] as const) {
      const price = book.projectedStart(outcome, kind);
      if (price > 0) prices[kind] = price;
    }
    if (startingPrice !== undefined) prices.actual = Math.round(startingPrice * THOUSANDTHS);
    return {
      ...(factorPpm === undefined ? {} : { factorPpm }),
      ...(removedAt === undefined ? {} : { removedAt: clockTime(removedAt) }),
      ...(Object.keys(prices).length === 0 ? {} : { startingPrices: prices }),
    };
  });
  const { commissionPpm, expectedStartTime } = definition;
  return {
    ...(expectedStartTime === undefined ? {} : { startsAt: clockTime(expectedStartTime) }),
    commissionPpm,
    outcomes,
  };
}
