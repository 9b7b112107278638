/** A market with all that documents say of it, read together at one instant. */

import type { Instant } from '../../core/number/units.ts';
import type { MarketView } from '../../matching/state/views.ts';
import type { Catalogue } from '../../sandbox/world/catalogue.ts';
import type { EventRecord, MarketRecord } from '../../sandbox/world/records.ts';
import type { World } from '../../sandbox/world/world.ts';
import {
  competitionOf,
  eventIdOf,
  eventNameOf,
  eventTypeOf,
  type IdAndName,
  marketById,
  marketIdOf,
  marketTypeOf,
  RACING,
  type RunnerFacts,
  runnersOf,
} from '../names/market-names.ts';

export type MarketStatus = 'INACTIVE' | 'OPEN' | 'SUSPENDED' | 'CLOSED';

/** The records and the machine's view of a market, which may be gone since they were read. */
export interface MarketParts {
  readonly market: MarketRecord;
  readonly event: EventRecord;
  readonly view: MarketView;
}

export interface MarketFacts {
  readonly record: MarketRecord;
  readonly view: MarketView;
  readonly event: EventRecord;
  readonly id: string;
  readonly eventId: string;
  readonly eventName: string;
  readonly status: MarketStatus;
  /** The scheduled start. */
  readonly startsAt: Instant;
  readonly eventType: IdAndName;
  readonly competition: IdAndName;
  readonly marketType: IdAndName;
  readonly bettingType: string;
  readonly countryCode: string;
  readonly venue: string | undefined;
  readonly timezone: string;
  readonly bspMarket: boolean;
  readonly turnsInPlay: boolean;
  /** Whether an order may stay when the market turns in play. */
  readonly persists: boolean;
  readonly isInPlay: boolean;
  /** The base rate of commission in parts per million. */
  readonly basePpm: number;
  readonly runners: readonly RunnerFacts[];
  /** Counts up with each change of the market itself, not of its prices. */
  readonly version: number;
}

/** The country of synthetic markets, and of recorded ones that say nothing of it. */
const COUNTRY = 'GB';
export const TIME_ZONE = 'GMT';
const BASE_PPM = 50_000;
/** Versions have at most twelve digits. */
const VERSION_EPOCH = Date.UTC(2020, 0, 1);

/** The facts of a market that clients may see; undefined where there is none, or it is not published. */
export function factsById(world: World, id: string): MarketFacts | undefined {
  const record = marketById(world.catalogue, id);
  return record === undefined ? undefined : factsOfRecord(world, record);
}

export function factsOfRecord(world: World, market: MarketRecord): MarketFacts | undefined {
  const view = world.exchange.market(market.market);
  const event = world.catalogue.events.get(market.event);
  if (view?.published !== true || event === undefined) return undefined;
  return factsOf(world.catalogue, { market, event, view });
}

export function factsOf(catalogue: Catalogue, { market: record, event, view }: MarketParts): MarketFacts {
  const { recorded, shown } = record;
  const eventType = eventTypeOf(catalogue, record, event);
  const competition = competitionOf(catalogue, event);
  const venue = recorded?.facts.venue ?? (eventType.id === RACING ? competition.name : undefined);
  const turnsInPlay = view.inPlayStatus !== 'NotApplicable';
  return {
    ...{ record, view, event, eventType, competition, turnsInPlay },
    id: marketIdOf(record),
    eventId: eventIdOf(record),
    eventName: eventNameOf(record, event, venue),
    status: statusOf(view),
    startsAt: shown?.startsAt ?? event.expectedStartTime,
    marketType: marketTypeOf(record),
    bettingType: recorded?.bettingType ?? 'ODDS',
    countryCode: recorded?.facts.countryCode ?? COUNTRY,
    venue,
    timezone: recorded?.timezone ?? TIME_ZONE,
    bspMarket: recorded?.bspMarket ?? false,
    persists: recorded?.persistenceEnabled ?? turnsInPlay,
    isInPlay: view.inPlayStatus === 'InPlay',
    basePpm: shown?.commissionPpm ?? BASE_PPM,
    runners: runnersOf(catalogue, record),
    version: view.modifiedAt - VERSION_EPOCH,
  };
}

/** The facts of all markets that clients may see, the oldest first. */
export function* allFacts(world: World): IterableIterator<MarketFacts> {
  for (const record of world.catalogue.markets.values()) {
    const facts = factsOfRecord(world, record);
    if (facts !== undefined) yield facts;
  }
}

/** The outcome of a selection; undefined where the market has no such runner. */
export function outcomeOfSelection(
  { runners }: MarketFacts,
  { selectionId, handicap = 0 }: { readonly selectionId: number; readonly handicap?: number | undefined },
): number | undefined {
  const outcome = runners.findIndex((each) => each.selectionId === selectionId && each.handicap === handicap);
  return outcome < 0 ? undefined : outcome;
}

/** Betfair knows no locked market: one that waits for its result is suspended. */
function statusOf({ status, suspended }: MarketView): MarketStatus {
  switch (status) {
    case 'Initializing':
      return 'INACTIVE';
    case 'Open':
      return suspended ? 'SUSPENDED' : 'OPEN';
    case 'Locking':
    case 'Locked':
    case 'Settling':
    case 'Voiding':
      return 'SUSPENDED';
    case 'Settled':
    case 'Voided':
    case 'Closed':
      return 'CLOSED';
  }
}

export type RunnerStatus = 'ACTIVE' | 'WINNER' | 'LOSER' | 'REMOVED';

export function runnerStatusOf({ view, status, record }: MarketFacts, outcome: number): RunnerStatus {
  if (view.removed.includes(outcome)) return 'REMOVED';
  if (status !== 'CLOSED') return 'ACTIVE';
  // A market without any winner, although one must win, was voided.
  if (view.winners.length === 0 && record.winners.min > 0) return 'REMOVED';
  return view.winners.includes(outcome) ? 'WINNER' : 'LOSER';
}
