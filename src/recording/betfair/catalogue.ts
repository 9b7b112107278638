/** Betfair's market catalogue (answers of listMarketCatalogue): what it says of markets that their recordings do not. */

import { outcomeIdOf } from '../../betfair/wire/basics/runners.ts';
import { isRecord } from '../../betfair/wire/mcm/source-definition.ts';
import type { MarketFacts, OutcomeFacts } from '../../core/market.ts';
import type { Instant } from '../../core/number/units.ts';
import type { MarketDescription } from '../tape/tape-schema.ts';

/** What a catalogue says of one market; all but the id may be absent. Plain data, so that it may cross threads. */
export interface CatalogueMarket {
  readonly id: string;
  readonly facts: Partial<Omit<MarketFacts, 'id' | 'outcomes'>>;
  readonly outcomes: readonly CatalogueOutcome[];
}

type CatalogueOutcome = Pick<OutcomeFacts, 'id'> & Partial<OutcomeFacts>;

/** The markets of a catalogue: one of them, an array, an answer over JSON-RPC, or one of these a line. Undefined for any other text. */
export function catalogueOf(text: string): readonly CatalogueMarket[] | undefined {
  const answers = parsed(text) ?? linesOf(text);
  const items = answers?.flatMap(resultsOf) ?? [];
  const markets = items.map(marketOf).filter((market) => market !== undefined);
  return markets.length > 0 && markets.length === items.length ? markets : undefined;
}

/** The description with what it lacks: what the recording itself says stays. */
export function completed(description: MarketDescription, { facts, outcomes }: CatalogueMarket): MarketDescription {
  const own = description.facts;
  const outcomeById = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  return {
    ...description,
    facts: {
      ...facts,
      ...own,
      // A recording without these has ids in their place.
      marketTypeId: own.marketTypeId === '' ? (facts.marketTypeId ?? '') : own.marketTypeId,
      name: own.name === own.marketTypeId ? (facts.name ?? own.name) : own.name,
      eventId: own.eventId === '' ? (facts.eventId ?? '') : own.eventId,
      eventName: own.eventName === own.eventId ? (facts.eventName ?? own.eventName) : own.eventName,
      outcomes: own.outcomes.map((outcome) => completedOutcome(outcome, outcomeById.get(outcome.id))),
    },
  };
}

function completedOutcome(own: OutcomeFacts, catalogue: CatalogueOutcome | undefined): OutcomeFacts {
  return { ...catalogue, ...own, title: own.title === own.id ? (catalogue?.title ?? own.title) : own.title };
}

function parsed(text: string): readonly unknown[] | undefined {
  try {
    return [JSON.parse(text)];
  } catch {
    return undefined;
  }
}

function linesOf(text: string): readonly unknown[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const items = lines.map(parsed);
  return items.every((item) => item !== undefined) ? items.flat() : undefined;
}

function resultsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(resultsOf);
  return isRecord(value) && 'result' in value ? resultsOf(value['result']) : [value];
}

function marketOf(value: unknown): CatalogueMarket | undefined {
  if (!isRecord(value)) return undefined;
  const id = textIn(value['marketId']);
  const name = textIn(value['marketName']);
  if (id === undefined || name === undefined) return undefined;
  const event = recordOf(value['event']);
  const startsAt = Date.parse(textIn(value['marketStartTime']) ?? '');
  const runners = Array.isArray(value['runners']) ? value['runners'] : [];
  return {
    id,
    facts: defined({
      name,
      eventId: textIn(event['id']),
      eventName: textIn(event['name']),
      marketTypeId: textIn(recordOf(value['description'])['marketType']),
      venue: textIn(event['venue']),
      countryCode: textIn(event['countryCode']),
      expectedStartTime: Number.isNaN(startsAt) ? undefined : (startsAt as Instant),
    }),
    outcomes: runners.map(outcomeOf).filter((outcome) => outcome !== undefined),
  };
}

function outcomeOf(value: unknown): CatalogueOutcome | undefined {
  if (!isRecord(value) || typeof value['selectionId'] !== 'number') return undefined;
  const id = outcomeIdOf({ selectionId: value['selectionId'], handicap: Number(value['handicap'] ?? 0) });
  // The runner's id is the outcome's, and nothing that is known of it.
  const { runnerId: _id, ...rest } = recordOf(value['metadata']);
  const metadata = Object.fromEntries(Object.entries(rest).flatMap(([key, of]) => (isText(of) ? [[key, of]] : [])));
  return {
    id,
    ...defined({ title: textIn(value['runnerName']) }),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function textIn(value: unknown): string | undefined {
  return isText(value) ? value : undefined;
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** The object without what is undefined. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
