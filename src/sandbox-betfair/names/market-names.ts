/** What markets, events and runners are called at Betfair: as recorded, or by its words for what the world calls otherwise. */

import { defined } from '../../core/checks/assert.ts';
import type { Catalogue } from '../../sandbox/world/catalogue.ts';
import { countOfId } from '../../sandbox/world/ids.ts';
import type { EventRecord, MarketRecord } from '../../sandbox/world/records.ts';

export interface IdAndName {
  readonly id: string;
  readonly name: string;
}

/** Ids have as many digits as real ones, since clients show and sort them, and are far above those that recordings have. */
const MARKET_BASE = 900_000_000;
const EVENT_BASE = 90_000_000;
const COMPETITION_BASE = 10_000_000;
const PARTICIPANT_BASE = 20_000_000;
const OUTCOME_BASE = 40_000_000;
/** Betfair's counter of bets stood near this in 2023. */
const BET_BASE = 300_000_000_001;

export function marketIdOf({ market, recorded }: MarketRecord): string {
  return recorded?.facts.id ?? `1.${MARKET_BASE + market}`;
}

/** The market with one of Betfair's ids, the newest where a tape was played twice; undefined where there is none. */
export function marketById({ markets }: Catalogue, id: string): MarketRecord | undefined {
  const number = /^1\.(\d{9,15})$/.exec(id)?.[1];
  const made = number === undefined ? undefined : markets.get(Number(number) - MARKET_BASE);
  if (made !== undefined && made.recorded === undefined) return made;
  let found: MarketRecord | undefined;
  for (const record of markets.values()) if (record.recorded?.facts.id === id) found = record;
  return found;
}

export function eventIdOf({ recorded, event }: MarketRecord): string {
  return recorded?.facts.eventId ?? String(EVENT_BASE + event);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A race's event is its meeting: the venue and the day, such as `Ascot 28th Nov`. */
export function eventNameOf({ recorded }: MarketRecord, event: EventRecord, venue: string | undefined): string {
  if (recorded !== undefined) return recorded.facts.eventName;
  if (venue === undefined) return event.name;
  const start = new Date(event.expectedStartTime);
  const day = start.getUTCDate();
  const ending = { 1: 'st', 2: 'nd', 3: 'rd' }[Math.floor(day / 10) === 1 ? 0 : day % 10] ?? 'th';
  return `${venue} ${day}${ending} ${MONTHS[start.getUTCMonth()]}`;
}

export function betIdOf(order: number): string {
  return String(BET_BASE + order);
}

/** The machine's number of a bet; undefined for a text that is no bet's id. */
export function orderOfBet(id: string): number | undefined {
  const count = countOfId(id);
  return count === undefined || count + 1 < BET_BASE ? undefined : count + 1 - BET_BASE;
}

export interface RunnerFacts {
  readonly selectionId: number;
  readonly handicap: number;
  readonly name: string;
  readonly sortPriority: number;
}

/** The runners in the order of the market's outcomes. */
export function runnersOf(catalogue: Catalogue, record: MarketRecord): readonly RunnerFacts[] {
  const { recorded } = record;
  if (recorded !== undefined)
    return recorded.facts.outcomes.map(({ id, title, ordering }) => {
      const [selection, handicap = '0'] = id.split('@');
      const selectionId = Number(selection);
      return { selectionId, handicap: Number(handicap), name: title, sortPriority: ordering };
    });
  return record.outcomes.map(({ id, title, ordering, participantId }) => ({
    ...(SELECTIONS[title] ?? { selectionId: selectionIdOf(catalogue, id, participantId), name: title }),
    handicap: 0,
    sortPriority: ordering,
  }));
}

/** Selections that have the same id and name in all of Betfair's markets: bots know them by heart. */
const SELECTIONS: Readonly<Record<string, { readonly selectionId: number; readonly name: string }>> = {
  Draw: { selectionId: 58_805, name: 'The Draw' },
  'The Draw': { selectionId: 58_805, name: 'The Draw' },
  'Under 2.5': { selectionId: 47_972, name: 'Under 2.5 Goals' },
  'Over 2.5': { selectionId: 47_973, name: 'Over 2.5 Goals' },
};

/** A participant has one id in all its markets; any other outcome has one of its own. */
function selectionIdOf({ participants }: Catalogue, id: string, participantId: string | undefined): number {
  if (participantId === undefined) return OUTCOME_BASE + Number(id);
  return PARTICIPANT_BASE + placeIn(participants.keys(), participantId);
}

export const RACING = '7';

/** Betfair's names of the event types that recordings are of. */
const EVENT_TYPE_NAMES: Readonly<Record<string, string>> = {
  1: 'Soccer',
  2: 'Tennis',
  3: 'Golf',
  4: 'Cricket',
  [RACING]: 'Horse Racing',
  4339: 'Greyhound Racing',
  6423: 'American Football',
  7522: 'Basketball',
};
/** Its event types by the name of the world's subcategory. */
const EVENT_TYPES: Readonly<Record<string, string>> = {
  Football: '1',
  Tennis: '2',
  Basketball: '7522',
  'Horse Racing': RACING,
  Racing: RACING,
};
/** The id of all others: no event type of Betfair has it. */
const OTHER_EVENT_TYPE = '99000000';

/** A tape of before does not say what sport it is of: only races have a venue. */
export function eventTypeOf(catalogue: Catalogue, { recorded }: MarketRecord, event: EventRecord): IdAndName {
  const group = defined(catalogue.eventGroups.get(event.eventGroupId), 'an event is of a known group');
  const { name } = defined(catalogue.subcategories.get(group.subcategoryId), 'a group is of a known subcategory');
  const guessed = recorded?.facts.venue === undefined ? EVENT_TYPES[name] : RACING;
  const id = recorded?.eventTypeId ?? guessed ?? OTHER_EVENT_TYPE;
  return { id, name: EVENT_TYPE_NAMES[id] ?? name };
}

export function competitionOf({ eventGroups }: Catalogue, { eventGroupId }: EventRecord): IdAndName {
  const { name } = defined(eventGroups.get(eventGroupId), 'an event is of a known group');
  return { id: String(COMPETITION_BASE + placeIn(eventGroups.keys(), eventGroupId)), name };
}

/** Betfair's market types by the world's. */
const MARKET_TYPES: Readonly<Record<string, IdAndName>> = {
  FOOTBALL_FULL_TIME_RESULT: { id: 'MATCH_ODDS', name: 'Match Odds' },
  FOOTBALL_FULL_TIME_RESULT_HANDICAP: { id: 'HANDICAP', name: 'Handicap' },
  TENNIS_MATCH_WINNER: { id: 'MATCH_ODDS', name: 'Match Odds' },
  TENNIS_WINNER: { id: 'MATCH_ODDS', name: 'Match Odds' },
  BASKETBALL_MATCH_WINNER: { id: 'MATCH_ODDS', name: 'Match Odds' },
  HORSE_RACING_WIN: { id: 'WIN', name: 'Win' },
  HORSE_RACING_PLACE: { id: 'PLACE', name: 'To Be Placed' },
};

/** The type and name of a market. Over and under have a type for each line, such as OVER_UNDER_25. */
export function marketTypeOf({ recorded, marketTypeId, name, marketValue }: MarketRecord): IdAndName {
  if (recorded !== undefined) return { id: recorded.facts.marketTypeId, name: recorded.facts.name };
  if (marketTypeId === 'FOOTBALL_OVER_UNDER_TOTAL_GOALS' && marketValue !== undefined)
    return { id: `OVER_UNDER_${marketValue.replace('.', '')}`, name };
  return MARKET_TYPES[marketTypeId] ?? { id: marketTypeId, name };
}

/** Keys are never removed from these maps, so that a place is an id for good. */
function placeIn(keys: Iterable<string>, wanted: string): number {
  let place = 0;
  for (const key of keys) {
    if (key === wanted) return place;
    place += 1;
  }
  return place;
}
