/** Operations that read events and their participants. */

import type { EVENT_ENDPOINTS } from '../../../betdex/wire/endpoints.ts';
import type { Instant } from '../../../core/number/units.ts';
import { eventParticipant, participantsOf } from '../../documents/accounts/participant-documents.ts';
import { eventArrays } from '../../documents/markets/event-documents.ts';
import { branchOf, isActive } from '../../documents/markets/tree.ts';
import { countOfId } from '../../world/ids.ts';
import type { EventRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { pagedAnswer, plainAnswer } from '../shared/answers.ts';
import { type Call, type Operations, type Problem, problem } from '../shared/operation.ts';
import type { PageQuery, Sortable } from '../shared/paging.ts';
import { type Period, period, within } from '../shared/period.ts';
import { allOf, type Condition, equalTo, oneOf } from '../shared/selection.ts';
import { CATALOGUE_OPERATIONS } from './catalogue.ts';

type EventsQuery = Call<'listEvents'>['query'];

export const EVENT_OPERATIONS: Operations<keyof typeof EVENT_ENDPOINTS> = {
  ...CATALOGUE_OPERATIONS,
  listEvents({ context, world, query }) {
    const starts = period(query.fromDateTime, query.toDateTime, ['fromDateTime', 'toDateTime']);
    if (starts.kind === 'problem') return starts;
    const isWanted = eventFilter(world, query, starts, context.now());
    return pageOfEvents(world, [...candidates(world, query.ids)].filter(isWanted), query);
  },
  getEvent({ world, path }) {
    const found = eventById(world, path.id);
    if (found === undefined) return unknownEvent(path.id);
    return plainAnswer('events', 1, eventArrays(world, [found]));
  },
  findEvents({ world, path, query }) {
    const ids = world.catalogue.idsByReference('event', path.source, path.reference);
    return pageOfEvents(world, candidates(world, ids), query);
  },
  listEventParticipants({ world, path }) {
    const found = eventById(world, path.id);
    if (found === undefined) return unknownEvent(path.id);
    const participants = participantsOf(world.catalogue, found.participantIds).map(eventParticipant);
    return plainAnswer('participants', participants.length, { participants });
  },
};

const SORTABLE: Sortable<EventRecord> = {
  id: ({ event }) => event,
  createdAt: ({ createdAt }) => createdAt,
  modifiedAt: ({ modifiedAt }) => modifiedAt,
  expectedStartTime: ({ expectedStartTime }) => expectedStartTime,
  name: ({ name }) => name,
};

function pageOfEvents(world: World, rows: Iterable<EventRecord>, query: PageQuery) {
  const documents = (records: readonly EventRecord[]) => eventArrays(world, records);
  return pagedAnswer({ primary: 'events', rows, query, sortable: SORTABLE, documents });
}

/** The events with these ids, each once; all events without a list. */
function candidates(world: World, ids: readonly string[] | undefined): Iterable<EventRecord> {
  if (ids === undefined) return world.catalogue.events.values();
  return new Set(ids.flatMap((id) => eventById(world, id) ?? []));
}

function eventById(world: World, id: string): EventRecord | undefined {
  const event = countOfId(id);
  return event === undefined ? undefined : world.catalogue.events.get(event);
}

/** The filter of a query. The dates bound the expected start whatever `starting` says; both conditions must hold. */
function eventFilter(world: World, query: EventsQuery, starts: Period, now: Instant): (record: EventRecord) => boolean {
  const { catalogue, registry } = world;
  const groupOf = ({ eventGroupId }: EventRecord) => eventGroupId;
  const subcategoryOf = (record: EventRecord) => branchOf(catalogue, record).subcategory.id;
  const categoryOf = (record: EventRecord) => branchOf(catalogue, record).subcategory.categoryId;
  return allOf(
    within(starts, ({ expectedStartTime }) => expectedStartTime),
    query.starting === undefined ? undefined : startingFilter(query.starting, now),
    equalTo(query.active, (record) => isActive(world, record)),
    oneOf(query.ownerAppIds, ({ app }) => registry.app(app).id),
    oneOf(query.eventGroupIds, groupOf),
    oneOf(query.subcategoryIds, subcategoryOf),
    oneOf(query.categoryIds, categoryOf),
  );
}

const DAY_MS = 86_400_000;
const dayOf = (at: Instant) => Math.floor(at / DAY_MS);

/**
 * The values of `starting`, which the profile leaves open. Live: started and not ended, by actual times. Today:
 * expected start within the current UTC day. Later: on a later day. Range: no condition besides the given dates.
 */
function startingFilter(starting: NonNullable<EventsQuery['starting']>, now: Instant): Condition<EventRecord> {
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
