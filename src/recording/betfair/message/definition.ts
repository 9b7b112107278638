/** Translates Betfair's market definition into ours. */

import { marketStateOf, outcomeStatusOf, placesOf, startActionOf } from '../../../betfair/wire/basics/market-state.ts';
import type { SourceDefinition, SourceRunner } from '../../../betfair/wire/mcm/source-definition.ts';
import type { MarketFacts, OutcomeStatus } from '../../../core/market.ts';
import type { Instant } from '../../../core/number/units.ts';
import type { RecordedDefinition, RecordedOutcome } from '../../tape/definition.ts';
import type { SourceFacts } from '../../tape/tape-schema.ts';

const PPM_PER_PERCENT = 10_000;

/** A runner's names in a market's facts and in its latest definition; undefined where a definition has none. */
export interface RunnerName {
  readonly id: string;
  /** The name in the first definition that lists the runner. */
  readonly title: string | undefined;
  readonly ordering: number | undefined;
  readonly latestTitle: string | undefined;
  /** Whether the latest definition that lists the runner says that it was removed. */
  readonly isRemoved: boolean;
}

/**
 * Translates one definition. `order` lists the outcomes as the tape numbers them; the map finds a definition's runner
 * by outcome id.
 */
export function recordedDefinition(
  source: SourceDefinition,
  order: readonly RunnerName[],
  runners: ReadonlyMap<string, SourceRunner>,
): RecordedDefinition {
  const expectedStartTime = instantOf(source.marketTime);
  const { status: word, inPlay, turnInPlayEnabled: turnsInPlay, betDelay } = source;
  const places = winnerCountOf(source);
  return {
    ...marketStateOf({ status: word, inPlay, turnsInPlay, betDelay, places }, statesOf(order, runners)),
    ...(source.betDelayModels ? { inPlayDelayModels: source.betDelayModels } : {}),
    ...(expectedStartTime === undefined ? {} : { expectedStartTime }),
    winnerCount: places,
    eventStartAction: startActionOf(turnsInPlay),
    commissionPpm: Math.round((source.marketBaseRate ?? 0) * PPM_PER_PERCENT),
    outcomes: order.map((name) => {
      const outcome = source.runners === undefined ? UNLISTED : recordedOutcome(runners.get(name.id));
      return name.latestTitle === name.title ? outcome : { ...outcome, title: name.latestTitle ?? name.id };
    }),
  };
}

/**
 * The state of an outcome where the definition lists no runners at all: prices are quoted, so the outcome is active.
 */
const UNLISTED: RecordedOutcome = { status: 'Active' };

/** A runner that was removed and is listed no more is removed still. */
function statesOf(order: readonly RunnerName[], runners: ReadonlyMap<string, SourceRunner>): readonly OutcomeStatus[] {
  return order.map(({ id, isRemoved }) => {
    const runner = runners.get(id);
    return runner === undefined && isRemoved ? 'Removed' : outcomeStatusOf(runner?.status);
  });
}

/** How many outcomes the market pays; 0 where that is open. */
export function winnerCountOf({ marketType = '', numberOfWinners = 1 }: SourceDefinition): number {
  return placesOf(marketType, numberOfWinners);
}

export function isRemoved({ status }: SourceRunner): boolean {
  return outcomeStatusOf(status) === 'Removed';
}

function recordedOutcome(runner: SourceRunner | undefined): RecordedOutcome {
  // A runner that other definitions list and this one does not cannot be bet on now.
  if (runner === undefined) return { status: 'Hidden' };
  const status = outcomeStatusOf(runner.status);
  const removedAt = instantOf(runner.removalDate);
  const startingPrice = Number(runner.bsp);
  const removed = status === 'Removed';
  const known = runner.adjustmentFactor === undefined ? undefined : factorOf(runner);
  const factorPpm = removed ? (known ?? 0) : known;
  return {
    status,
    ...(factorPpm === undefined ? {} : { factorPpm }),
    ...(removed && removedAt !== undefined ? { removedAt } : {}),
    ...(Number.isFinite(startingPrice) && startingPrice > 1 ? { startingPrice } : {}),
  };
}

/** The reduction factor, parts per million; undefined where it is none that a price could be reduced by. */
export function factorOf({ adjustmentFactor = 0 }: SourceRunner): number | undefined {
  const factorPpm = Math.round(adjustmentFactor * PPM_PER_PERCENT);
  return factorPpm >= 0 && factorPpm < PPM_PER_PERCENT * 100 ? factorPpm : undefined;
}

/** The facts of a source, with the type of each: what is of another type is left out. */
const SOURCE_FACTS = {
  eventTypeId: 'string',
  timezone: 'string',
  openDate: 'string',
  raceType: 'string',
  bspMarket: 'boolean',
  persistenceEnabled: 'boolean',
  discountAllowed: 'boolean',
} as const satisfies Record<keyof SourceFacts, string>;

/** What a definition says for an exchange that plays the recording. */
export function sourceFactsOf(source: SourceDefinition): SourceFacts {
  const said = Object.entries(source);
  const types: Readonly<Record<string, string>> = SOURCE_FACTS;
  return Object.fromEntries(said.filter(([key, value]) => Object.hasOwn(types, key) && typeof value === types[key]));
}

function instantOf(text: string | undefined): Instant | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : (ms as Instant);
}

/**
 * The first definition's facts, together with what only later ones say about event, venue and the like, which the
 * exchange's catalogue would say beforehand. A later start time or outcome name is not taken: definitions carry those.
 */
export function factsOf(
  id: string,
  definitions: { readonly first: SourceDefinition; readonly latest: SourceDefinition },
  runners: readonly RunnerName[],
): MarketFacts {
  const { first, latest } = definitions;
  const expectedStartTime = instantOf(first.marketTime);
  const venue = first.venue ?? latest.venue;
  const countryCode = first.countryCode ?? latest.countryCode;
  const eventId = first.eventId ?? latest.eventId ?? '';
  const marketTypeId = first.marketType ?? latest.marketType ?? '';
  return {
    id,
    name: first.name ?? latest.name ?? marketTypeId,
    eventId,
    eventName: first.eventName ?? latest.eventName ?? eventId,
    marketTypeId,
    ...(venue === undefined ? {} : { venue }),
    ...(countryCode === undefined ? {} : { countryCode }),
    ...(expectedStartTime === undefined ? {} : { expectedStartTime }),
    outcomes: runners.map((runner, index) => ({
      id: runner.id,
      title: runner.title ?? runner.id,
      ordering: runner.ordering ?? index + 1,
    })),
  };
}
