/** Participants as documents, in each form that answers use. */

import type { EventParticipant, Participant, ParticipantSummary } from '../../../betdex/wire/shapes/events.ts';
import type { Written } from '../../../codec/notation.ts';
import { defined } from '../../../core/checks/assert.ts';
import type { Catalogue } from '../../world/catalogue.ts';
import type { ParticipantRecord } from '../../world/records.ts';
import { refersToExternal } from '../text/external-references.ts';

/** The form beside events and in the list of an event's participants: without `active`. */
export function eventParticipant({ id, code, name, type }: ParticipantRecord): Written<typeof EventParticipant> {
  return { id, code, name, type };
}

/** The form beside markets. */
export function participantSummary(record: ParticipantRecord): Written<typeof ParticipantSummary> {
  return { ...eventParticipant(record), active: record.active };
}

export function participantDocument(catalogue: Catalogue, record: ParticipantRecord): Written<typeof Participant> {
  return { ...participantSummary(record), externalReferences: refersToExternal(catalogue, 'participant', record.id) };
}

/** The records of the ids, each once, in the order of first mention. */
export function participantsOf(catalogue: Catalogue, ids: Iterable<string>): ParticipantRecord[] {
  return [...new Set(ids)].map((id) => defined(catalogue.participants.get(id), 'what takes part is in the catalogue'));
}
