/** Markets in an answer and in the stream, converted to the core's types. */

import { FaultList, type WireResult } from '../../../codec/fault.ts';
import { instantFromWire } from '../../../codec/instants.ts';
import { Unreadable } from '../../../codec/lenient.ts';
import {
  anyWinners,
  IN_PLAY_STATUSES,
  LIQUIDITY_ACTIONS,
  MARKET_STATUSES,
  type WinnersRange,
} from '../../../core/market.ts';
import type { Instant } from '../../../core/number/units.ts';
import type { MarketCondition, MarketDefinition } from '../../../exchange-live/markets/market-definition.ts';
import type { GatewayNotice } from '../../../exchange-live/notice.ts';
import type { LenientAnswerOf } from '../../client/call.ts';
import type { ServerMessage } from '../../wire/messages/stream-codec.ts';

export type MarketsAnswer = LenientAnswerOf<'listMarkets'>;
type Readable<T> = Exclude<T, Unreadable>;
type MarketDocument = Readable<MarketsAnswer['markets'][number]>;
type OutcomeDocument = Readable<MarketsAnswer['marketOutcomes'][number]>;
export type MarketUpdate = Extract<ServerMessage, { readonly type: 'MarketUpdate' }>;
export type MarketStatusUpdate = Extract<ServerMessage, { readonly type: 'MarketStatusUpdate' }>;
type Note = (notice: GatewayNotice) => void;

/** The documents beside the markets of an answer, by id. */
export interface BesideMarkets {
  readonly types: ById<MarketsAnswer['marketTypes'][number]>;
  readonly events: ById<MarketsAnswer['events'][number]>;
  readonly outcomes: ById<MarketsAnswer['marketOutcomes'][number]>;
}

type ById<T> = ReadonlyMap<string | undefined, T>;

export function besideMarkets({ marketTypes, events, marketOutcomes }: MarketsAnswer): BesideMarkets {
  return { types: byId(marketTypes), events: byId(events), outcomes: byId(marketOutcomes) };
}

function byId<T extends { readonly id: string } | Unreadable<{ readonly id?: string }>>(
  documents: readonly T[],
): ById<T> {
  return new Map(documents.map((each) => [each instanceof Unreadable ? each.part.id : each.id, each]));
}

/** The definition of one market, with what the documents beside it say; or what is missing or wrong of what is used. */
export function definitionOf(
  document: MarketDocument,
  beside: BesideMarkets,
  note: Note,
): WireResult<MarketDefinition> {
  const faults = new FaultList();
  const [marketTypeId] = document.marketType._ids;
  const [eventId] = document.event._ids;
  if (marketTypeId === undefined) faults.add('MISSING', 'marketType._ids[0]');
  if (eventId === undefined) faults.add('MISSING', 'event._ids[0]');
  const event = beside.events.get(eventId);
  if (event instanceof Unreadable) faults.take({ kind: 'faults', faults: event.faults }, 'event');
  const { expectedStartTime, name: eventName = '' } = event === undefined || event instanceof Unreadable ? {} : event;
  const startsAt = optionalInstant(expectedStartTime);
  const outcomes = outcomesOf(document, beside, faults);
  if ((document.inPlayDelay ?? 0) < 0) faults.add('OUT_OF_RANGE', 'inPlayDelay');
  return faults.result({
    facts: {
      id: document.id,
      name: document.name ?? document.id,
      eventId: eventId ?? '',
      eventName,
      marketTypeId: marketTypeId ?? '',
      ...(startsAt === undefined ? {} : { expectedStartTime: startsAt }),
      outcomes: outcomes.map(({ id, title = id, ordering }, index) => ({ id, title, ordering: ordering ?? index })),
    },
    winners: winnersOf(beside.types.get(marketTypeId), outcomes.length),
    eventStartAction: LIQUIDITY_ACTIONS.find((each) => each === document.eventStartAction) ?? 'None',
    condition: {
      ...wordsOf(document, note),
      inPlayDelayMs: inPlayDelayMs(document.inPlayDelay),
      lockAt: optionalInstant(document.lockAt),
      crossMatching: document.crossMatchingEnabled ?? false,
      winnerIds: outcomes.filter(({ winner }) => winner === true).map(({ id }) => id),
      settledAt: optionalInstant(document.settledAt),
      modifiedAt: optionalInstant(document.modifiedAt),
    },
  });
}

/** All outcomes of the market in their order. One that is not there or cannot be read is a fault: without it, nothing about the others is certain. */
function outcomesOf(
  { marketOutcomes }: MarketDocument,
  beside: BesideMarkets,
  faults: FaultList,
): readonly OutcomeDocument[] {
  const ids = marketOutcomes._ids;
  if (ids.length === 0 || new Set(ids).size < ids.length) faults.add('OUT_OF_RANGE', 'marketOutcomes._ids');
  const outcomes: OutcomeDocument[] = [];
  for (const [index, id] of ids.entries()) {
    const outcome = beside.outcomes.get(id);
    if (outcome instanceof Unreadable)
      faults.take({ kind: 'faults', faults: outcome.faults }, `marketOutcomes[${index}]`);
    else if (outcome === undefined) faults.add('MISSING', `marketOutcomes[${index}]`);
    else outcomes.push(outcome);
  }
  const place = new Map(outcomes.map((outcome, index) => [outcome, outcome.ordering ?? index]));
  return outcomes.sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
}

/** Without its type, or with a range that cannot be, any number of outcomes may win. */
function winnersOf(type: MarketsAnswer['marketTypes'][number] | undefined, outcomes: number): WinnersRange {
  if (type === undefined || type instanceof Unreadable) return anyWinners(outcomes);
  const { min, max } = type.winnersRange;
  const isPossible = Number.isInteger(min) && Number.isInteger(max) && min >= 0 && max >= Math.max(min, 1);
  return isPossible ? { min, max } : anyWinners(outcomes);
}

function inPlayDelayMs(seconds = 0): number {
  return Math.ceil(seconds * 1_000);
}

/** The changeable fields in the stream's update of a whole market: what it leaves out stays as it was. */
export function conditionOfUpdate(update: MarketUpdate, note: Note): Partial<MarketCondition> {
  const { inPlayDelay, lockAt, settledAt, modifiedAt, crossMatchingEnabled, marketOutcomes = [] } = update;
  const outcomes = marketOutcomes.filter((each): each is Readable<typeof each> => !(each instanceof Unreadable));
  const isWhole = outcomes.length > 0 && outcomes.length === marketOutcomes.length;
  return {
    ...conditionOfStatus(update, note),
    ...(inPlayDelay === undefined || inPlayDelay < 0 ? {} : { inPlayDelayMs: inPlayDelayMs(inPlayDelay) }),
    ...(lockAt === undefined ? {} : { lockAt: optionalInstant(lockAt) }),
    ...(settledAt === undefined ? {} : { settledAt: optionalInstant(settledAt) }),
    ...(modifiedAt === undefined ? {} : { modifiedAt: optionalInstant(modifiedAt) }),
    ...(crossMatchingEnabled === undefined ? {} : { crossMatching: crossMatchingEnabled }),
    ...(isWhole
      ? { winnerIds: outcomes.filter(({ winner }) => winner === true).map(({ outcomeId }) => outcomeId) }
      : {}),
  };
}

/** The changeable fields in the stream's update of a status. */
export function conditionOfStatus(update: MarketStatusUpdate | MarketUpdate, note: Note): Partial<MarketCondition> {
  return wordsOf({ ...update, id: update.marketId }, note);
}

type Words = Pick<MarketDocument, 'id' | 'status' | 'inPlayStatus' | 'published' | 'suspended'>;

/** A status newer than this client is read as the one that allows least: not tradable, and in play. */
function wordsOf({ id, status, inPlayStatus, published, suspended }: Words, note: Note) {
  const knownStatus = MARKET_STATUSES.find((each) => each === status);
  const knownInPlay = IN_PLAY_STATUSES.find((each) => each === inPlayStatus);
  if (knownStatus === undefined || knownInPlay === undefined) {
    const details = `a status newer than this client: ${status}, ${inPlayStatus}`;
    note({ kind: 'unreadable', what: `market ${id}`, details });
  }
  return {
    status: knownStatus ?? ('Locked' as const),
    inPlayStatus: knownInPlay ?? ('InPlay' as const),
    published,
    suspended,
  };
}

function optionalInstant(value: string | undefined): Instant | undefined {
  const result = instantFromWire(value);
  return result.kind === 'read' ? result.value : undefined;
}
