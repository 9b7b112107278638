/** The filter of markets, and the lists that group the markets which it finds. */

import { document, flag, id, integer, maybe, moment, request, text } from '../../../codec/notation.ts';
import { BettingTypeWord, OrderStatusWord } from '../basics/codes.ts';
import { rows, TimeRange } from '../basics/shapes.ts';

export const MarketFilter = request('MarketFilter', {
  textQuery: maybe(text),
  exchangeIds: rows(id),
  eventTypeIds: rows(id),
  eventIds: rows(id),
  competitionIds: rows(id),
  marketIds: rows(id),
  venues: rows(text),
  bspOnly: maybe(flag),
  turnInPlayEnabled: maybe(flag),
  inPlayOnly: maybe(flag),
  marketBettingTypes: rows(BettingTypeWord),
  marketCountries: rows(text),
  marketTypeCodes: rows(text),
  marketStartTime: maybe(TimeRange),
  withOrders: rows(OrderStatusWord),
  raceTypes: rows(text),
});

export const EventType = document('EventType', { id: maybe(id), name: maybe(text) });
export const Competition = document('Competition', { id: maybe(id), name: maybe(text) });
export const Event = document('Event', {
  id: maybe(id),
  name: maybe(text),
  countryCode: maybe(text),
  timezone: maybe(text),
  venue: maybe(text),
  openDate: maybe(moment),
});

const marketCount = maybe(integer);
export const EventTypeResult = document('EventTypeResult', { eventType: maybe(EventType), marketCount });
export const CompetitionResult = document('CompetitionResult', {
  competition: maybe(Competition),
  marketCount,
  competitionRegion: maybe(text),
});
export const EventResult = document('EventResult', { event: maybe(Event), marketCount });
export const MarketTypeResult = document('MarketTypeResult', { marketType: maybe(text), marketCount });
export const CountryCodeResult = document('CountryCodeResult', { countryCode: maybe(text), marketCount });
export const VenueResult = document('VenueResult', { venue: maybe(text), marketCount });
export const TimeRangeResult = document('TimeRangeResult', { timeRange: maybe(TimeRange), marketCount });
