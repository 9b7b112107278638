/** Sporting events and their participants. */

import { document, flag, id, maybe, moment, text } from '../../../codec/notation.ts';
import { ParticipantTypeWord } from '../basics/enums.ts';
import { Reference } from './references.ts';

export const Event = document('Event', {
  id,
  ownerAppId: id,
  eventGroup: Reference,
  name: text,
  code: text,
  active: flag,
  expectedStartTime: moment,
  actualStartTime: maybe(moment),
  actualEndTime: maybe(moment),
  createdAt: moment,
  modifiedAt: moment,
  participants: Reference,
  externalReferences: Reference,
});

export const EventSummary = document(
  'EventSummary',
  { id, eventGroup: Reference, name: text, code: text, expectedStartTime: moment, active: flag },
  { needs: ['id'], uses: ['expectedStartTime'] },
);

const participant = { id, code: text, name: text, type: ParticipantTypeWord };

/** In answers about events, `active` is left out. */
export const EventParticipant = document('EventParticipant', participant);
export const ParticipantSummary = document('ParticipantSummary', { ...participant, active: flag });
export const Participant = document('Participant', { ...participant, active: flag, externalReferences: Reference });
