/** Markets, their types and their outcomes. */

import { document, flag, id, integer, maybe, moment, text } from '../../../codec/notation.ts';
import { InPlayStatusWord, LiquidityActionWord, MarketStatusWord } from '../basics/enums.ts';
import { Reference } from './references.ts';

const Range = document('Range', { min: integer, max: integer }, { needs: ['min', 'max'] });

const marketType = { id, outcomesRange: Range, winnersRange: Range };

export const MarketTypeSummary = document('MarketTypeSummary', marketType, { needs: ['id', 'winnersRange'] });
export const MarketType = document('MarketType', { ...marketType, createdAt: moment, modifiedAt: moment });

export const MarketOutcome = document(
  'MarketOutcome',
  { id, title: text, ordering: integer, winner: maybe(flag), participant: Reference },
  { needs: ['id'], uses: ['ordering', 'winner'] },
);

const market = {
  id,
  ownerAppId: id,
  event: Reference,
  name: text,
  marketType: Reference,
  /** One value for totals (`2.5`), or one for each outcome for handicaps, separated by spaces (`-3.75 3.75`). */
  marketValue: maybe(text),
  marketDiscriminator: maybe(text),
  currencyId: id,
  inPlayStatus: InPlayStatusWord,
  /** Whole seconds: a fractional delay fails the vendor's strict check. */
  inPlayDelay: maybe(integer),
  crossMatchingEnabled: flag,
  published: flag,
  suspended: flag,
  lockAt: moment,
  marketLockAction: LiquidityActionWord,
  eventStartAction: LiquidityActionWord,
  status: MarketStatusWord,
  marketOutcomes: Reference,
  createdAt: moment,
  modifiedAt: moment,
};

export const Market = document(
  'Market',
  { ...market, settledAt: maybe(moment), externalReferences: Reference },
  {
    needs: ['id', 'event', 'marketType', 'inPlayStatus', 'published', 'suspended', 'status', 'marketOutcomes'],
    uses: ['inPlayDelay', 'crossMatchingEnabled', 'lockAt', 'eventStartAction', 'settledAt', 'modifiedAt'],
  },
);

/** A row of the list of settled markets. */
export const MarketSettled = document('MarketSettled', {
  ...market,
  settledAt: moment,
  eventExpectedStartTime: moment,
});

export const MarketSummary = document('MarketSummary', {
  id,
  name: text,
  inPlayStatus: InPlayStatusWord,
  published: flag,
  suspended: flag,
  status: MarketStatusWord,
  lockAt: moment,
  settledAt: maybe(moment),
  event: Reference,
});
