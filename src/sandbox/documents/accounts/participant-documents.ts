/** Those who take part, in each form that the answers use. */

import type { Written } from '../../../betdex/wire/codec/notation.ts';
import type { EventParticipant, Participant, ParticipantSummary } from '../../../betdex/wire/shapes/events.ts';
import { present } from '../../../core/checks/assert.ts';
import type { Catalogue } from '../../world/catalogue.ts';
import type { ParticipantRecord } from '../../world/records.ts';
import { refersToExternal } from '../text/external-references.ts';

/** Beside events, and in the list of an event's participants: without `active`. */
export function eventParticipant({ id, code, name, type }: ParticipantRecord): Written<typeof EventParticipant> {
  return { id, code, name, type };
}

/** Beside markets. */
export function participantSummary(record: ParticipantRecord): Written<typeof ParticipantSummary> {
  return { ...eventParticipant(record), active: record.active };
}

export function participantDocument(catalogue: Catalogue, record: ParticipantRecord): Written<typeof Participant> {
  return { ...participantSummary(record), externalReferences: refersToExternal(catalogue, 'participant', record.id) };
}

/** Each once, in the order in which they are first named. */
export function participantsOf(catalogue: Catalogue, ids: Iterable<string>): ParticipantRecord[] {
  return [...new Set(ids)].map((id) => present(catalogue.participants.get(id), 'what takes part is in the catalogue'));
}
