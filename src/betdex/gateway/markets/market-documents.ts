/** Markets in an answer and in the stream, converted to the core's types. */

import { anyWinners, IN_PLAY_STATUSES, LIQUIDITY_ACTIONS, MARKET_STATUSES } from '../../../core/market.ts';
import type { Instant } from '../../../core/number/units.ts';
import type { MarketCondition, MarketDefinition } from '../../../exchange-live/markets/market-definition.ts';
import type { GatewayNotice } from '../../../exchange-live/notice.ts';
import type { AnswerOf } from '../../client/call.ts';
import { instantFromWire } from '../../wire/codec/instants.ts';
import type { ServerMessage } from '../../wire/messages/stream-codec.ts';

export type MarketsAnswer = AnswerOf<'listMarkets'>;
export type MarketDocument = MarketsAnswer['markets'][number];
export type MarketUpdate = Extract<ServerMessage, { readonly type: 'MarketUpdate' }>;
export type MarketStatusUpdate = Extract<ServerMessage, { readonly type: 'MarketStatusUpdate' }>;
type Note = (notice: GatewayNotice) => void;

/** The definition of one market in an answer, with the documents about it from the arrays beside it. */
export function definitionOf(document: MarketDocument, answer: MarketsAnswer, note: Note): MarketDefinition {
  const type = answer.marketTypes.find(({ id }) => id === document.marketType._ids[0]);
  const event = answer.events.find(({ id }) => id === document.event._ids[0]);
  const outcomeIds = new Set(document.marketOutcomes._ids);
  const outcomes = answer.marketOutcomes
    .filter(({ id }) => outcomeIds.has(id))
    .sort((a, b) => a.ordering - b.ordering)
    .map(({ id, title, ordering }) => ({ id, title, ordering }));
  const startsAt = event === undefined ? undefined : optionalInstant(event.expectedStartTime);
  const winnerIds = answer.marketOutcomes
    .filter(({ id, winner }) => winner === true && outcomeIds.has(id))
    .map(({ id }) => id);
  return {
    facts: {
      id: document.id,
      name: document.name,
      eventId: event?.id ?? document.event._ids[0] ?? '',
      eventName: event?.name ?? '',
      marketTypeId: type?.id ?? document.marketType._ids[0] ?? '',
      ...(startsAt === undefined ? {} : { expectedStartTime: startsAt }),
      outcomes,
    },
    winners: type?.winnersRange ?? anyWinners(outcomes.length),
    eventStartAction: LIQUIDITY_ACTIONS.find((each) => each === document.eventStartAction) ?? 'None',
    condition: { ...conditionOf(document, note), crossMatching: document.crossMatchingEnabled, winnerIds },
  };
}

/** The changeable fields in the stream's update of a whole market. */
export function conditionOfUpdate(update: MarketUpdate, note: Note): Partial<MarketCondition> {
  const winnerIds = update.marketOutcomes.filter(({ winner }) => winner === true).map(({ outcomeId }) => outcomeId);
  return {
    ...conditionOf({ ...update, id: update.marketId }, note),
    crossMatching: update.crossMatchingEnabled,
    winnerIds,
  };
}

/** The changeable fields in the stream's update of a status. */
export function conditionOfStatus(update: MarketStatusUpdate, note: Note): Partial<MarketCondition> {
  return wordsOf({ ...update, id: update.marketId }, note);
}

type Words = Pick<MarketDocument, 'id' | 'status' | 'inPlayStatus' | 'published' | 'suspended'>;
type Times = Pick<MarketDocument, 'lockAt' | 'modifiedAt'> & {
  readonly inPlayDelay?: number | undefined;
  readonly settledAt?: string | undefined;
};

function conditionOf(from: Words & Times, note: Note) {
  return {
    ...wordsOf(from, note),
    inPlayDelayMs: (from.inPlayDelay ?? 0) * 1_000,
    lockAt: optionalInstant(from.lockAt),
    settledAt: optionalInstant(from.settledAt),
    modifiedAt: optionalInstant(from.modifiedAt),
  };
}

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
