/** A market as the catalogue describes it: names, event, rules, runners. */

import { document, flag, id, integer, maybe, moment, number, text } from '../../../codec/notation.ts';
import { BettingTypeWord, PriceLadderTypeWord } from '../basics/codes.ts';
import { byName, rows } from '../basics/shapes.ts';
import { Competition, Event, EventType } from './filter.ts';

export const PriceLadderDescription = document('PriceLadderDescription', { type: PriceLadderTypeWord });

const MarketLineRangeInfo = document('MarketLineRangeInfo', {
  maxUnitValue: number,
  minUnitValue: number,
  interval: number,
  marketUnit: text,
});

const MarketDescription = document('MarketDescription', {
  persistenceEnabled: maybe(flag),
  bspMarket: flag,
  marketTime: moment,
  suspendTime: moment,
  settleTime: maybe(moment),
  bettingType: BettingTypeWord,
  turnInPlayEnabled: flag,
  marketType: text,
  regulator: maybe(text),
  marketBaseRate: maybe(number),
  discountAllowed: maybe(flag),
  wallet: maybe(text),
  rules: maybe(text),
  rulesHasDate: maybe(flag),
  clarifications: maybe(text),
  eachWayDivisor: maybe(number),
  lineRangeInfo: maybe(MarketLineRangeInfo),
  raceType: maybe(text),
  priceLadderDescription: maybe(PriceLadderDescription),
});

const RunnerCatalog = document(
  'RunnerCatalog',
  {
    selectionId: integer,
    runnerName: text,
    handicap: number,
    sortPriority: integer,
    metadata: maybe(byName(text)),
  },
  { needs: ['selectionId', 'runnerName'], uses: ['handicap'] },
);

export const MarketCatalogue = document(
  'MarketCatalogue',
  {
    marketId: id,
    marketName: text,
    marketStartTime: maybe(moment),
    description: maybe(MarketDescription),
    totalMatched: maybe(number),
    runners: rows(RunnerCatalog),
    eventType: maybe(EventType),
    competition: maybe(Competition),
    event: maybe(Event),
  },
  { needs: ['marketId', 'marketName', 'runners'] },
);
