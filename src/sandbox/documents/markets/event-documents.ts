/** Events in full, and the documents beside them in an answer, which have dates here, unlike elsewhere. */

import type { EVENTS } from '../../../betdex/wire/answers.ts';
import type { Event } from '../../../betdex/wire/shapes/events.ts';
import { referTo } from '../../../betdex/wire/shapes/references.ts';
import { instantToWire } from '../../../codec/instants.ts';
import type { Written } from '../../../codec/notation.ts';
import type { EventRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { eventParticipant, participantsOf } from '../accounts/participant-documents.ts';
import { externalReferencesOf, refersToExternal } from '../text/external-references.ts';
import { categoryDocument, eventGroupDated, subcategoryDated } from './catalogue-documents.ts';
import { branchesOf, isActive } from './tree.ts';

export type EventArrays = { readonly [Name in keyof typeof EVENTS]: Written<(typeof EVENTS)[Name]> };

export function eventArrays(world: World, records: readonly EventRecord[]): EventArrays {
  const { catalogue } = world;
  const { eventGroups, subcategories, categories } = branchesOf(catalogue, records);
  const participantIds = records.flatMap((record) => record.participantIds);
  return {
    events: records.map((record) => eventDocument(world, record)),
    eventGroups: eventGroups.map(eventGroupDated),
    subcategories: subcategories.map(subcategoryDated),
    categories: categories.map(categoryDocument),
    participants: participantsOf(catalogue, participantIds).map(eventParticipant),
    externalReferences: externalReferencesOf(
      catalogue,
      'event',
      records.map(({ id }) => id),
    ),
  };
}

function eventDocument(world: World, record: EventRecord): Written<typeof Event> {
  const { id, name, code, eventGroupId, participantIds, actualStartTime, actualEndTime } = record;
  return {
    id,
    name,
    code,
    ownerAppId: world.registry.app(record.app).id,
    eventGroup: referTo('eventGroups', [eventGroupId]),
    active: isActive(world, record),
    expectedStartTime: instantToWire(record.expectedStartTime),
    ...(actualStartTime === undefined ? {} : { actualStartTime: instantToWire(actualStartTime) }),
    ...(actualEndTime === undefined ? {} : { actualEndTime: instantToWire(actualEndTime) }),
    createdAt: instantToWire(record.createdAt),
    modifiedAt: instantToWire(record.modifiedAt),
    participants: referTo('participants', participantIds),
    externalReferences: refersToExternal(world.catalogue, 'event', id),
  };
}
