/** Reads of events and of those who take part in them. */

import type { EVENT_ENDPOINTS } from '../../../betdex/wire/endpoints.ts';
import type { Instant } from '../../../core/number/units.ts';
import { eventParticipant, participantsOf } from '../../documents/accounts/participant-documents.ts';
import { eventArrays } from '../../documents/markets/event-documents.ts';
import { isActive, subcategoryOfEvent } from '../../documents/markets/tree.ts';
import { countOfId } from '../../world/ids.ts';
import type { EventRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { type Call, type Operations, type Problem, problem } from '../shared/operation.ts';
import { type PageQuery, page, pagedMeta, plainMeta, type Sortable } from '../shared/paging.ts';
import { type Period, period, within } from '../shared/period.ts';
import { all, equalTo, oneOf, type Question } from '../shared/selection.ts';
import { CATALOGUE_OPERATIONS } from './catalogue.ts';

type EventsQuery = Call<'listEvents'>['query'];

export const EVENT_OPERATIONS: Operations<keyof typeof EVENT_ENDPOINTS> = {
  ...CATALOGUE_OPERATIONS,
  listEvents({ context, query }) {
    const starts = period(query.fromDateTime, query.toDateTime, ['fromDateTime', 'toDateTime']);
    if (starts.kind === 'problem') return starts;
    const isWanted = eventFilter(context.world, query, starts, context.now());
    return pageOfEvents(context.world, [...candidates(context.world, query.ids)].filter(isWanted), query);
  },
  getEvent({ context: { world }, path }) {
    const found = eventById(world, path.id);
    if (found === undefined) return unknownEvent(path.id);
    return { kind: 'answer', answer: { _meta: plainMeta('events', 1), ...eventArrays(world, [found]) } };
  },
  findEvents({ context: { world }, path, query }) {
    const ids = world.catalogue.idsByReference('event', path.source, path.reference);
    return pageOfEvents(world, candidates(world, ids), query);
  },
  listEventParticipants({ context: { world }, path }) {
    const found = eventById(world, path.id);
    if (found === undefined) return unknownEvent(path.id);
    const participants = participantsOf(world.catalogue, found.participantIds).map(eventParticipant);
    return { kind: 'answer', answer: { _meta: plainMeta('participants', participants.length), participants } };
  },
};

const SORTABLE: Sortable<EventRecord> = {
  id: ({ event }) => event,
  createdAt: ({ createdAt }) => createdAt,
  modifiedAt: ({ modifiedAt }) => modifiedAt,
  expectedStartTime: ({ expectedStartTime }) => expectedStartTime,
  name: ({ name }) => name,
};

function pageOfEvents(world: World, records: Iterable<EventRecord>, query: PageQuery) {
  const found = page(records, query, SORTABLE);
  if (found.kind === 'problem') return found;
  const answer = { _meta: pagedMeta('events', found), ...eventArrays(world, found.items) };
  return { kind: 'answer', answer } as const;
}

/** Those that a list of ids names, each once; all without one. */
function candidates(world: World, ids: readonly string[] | undefined): Iterable<EventRecord> {
  if (ids === undefined) return world.catalogue.events.values();
  return new Set(ids.flatMap((id) => eventById(world, id) ?? []));
}

function eventById(world: World, id: string): EventRecord | undefined {
  const event = countOfId(id);
  return event === undefined ? undefined : world.catalogue.events.get(event);
}

/** The dates bound the expected start, whatever `starting` says; both must hold. */
function eventFilter(world: World, query: EventsQuery, starts: Period, now: Instant): (record: EventRecord) => boolean {
  const { catalogue, holders } = world;
  const groupOf = ({ eventGroupId }: EventRecord) => eventGroupId;
  const subcategoryOf = (record: EventRecord) => subcategoryOfEvent(catalogue, record).id;
  const categoryOf = (record: EventRecord) => subcategoryOfEvent(catalogue, record).categoryId;
  return all(
    within(starts, ({ expectedStartTime }) => expectedStartTime),
    query.starting === undefined ? undefined : startingFilter(query.starting, now),
    equalTo(query.active, (record) => isActive(world, record)),
    oneOf(query.ownerAppIds, ({ app }) => holders.app(app).id),
    oneOf(query.eventGroupIds, groupOf),
    oneOf(query.subcategoryIds, subcategoryOf),
    oneOf(query.categoryIds, categoryOf),
  );
}

const DAY_MS = 86_400_000;
const dayOf = (at: Instant) => Math.floor(at / DAY_MS);

/**
 * The words of `starting`, which the profile leaves open: Live has started and not ended, by its actual times; Today is
 * expected to start in the current day of UTC, or was; Later on a later day; Range whenever the dates given say.
 */
function startingFilter(starting: NonNullable<EventsQuery['starting']>, now: Instant): Question<EventRecord> {
  switch (starting) {
    case 'Live':
      return ({ actualStartTime: start, actualEndTime: end }) =>
        start !== undefined && start <= now && (end === undefined || end > now);
    case 'Today':
      return ({ expectedStartTime }) => dayOf(expectedStartTime) === dayOf(now);
    case 'Later':
      return ({ expectedStartTime }) => dayOf(expectedStartTime) > dayOf(now);
    case 'Range':
      return undefined;
  }
}

function unknownEvent(id: string): Problem {
  return problem(404, 'Unknown event', `no event ${id}`);
}
