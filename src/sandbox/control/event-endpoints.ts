/** Control endpoints for events: creating them, setting their times, making them active or inactive. */

import { Type } from '@sinclair/typebox';
import { flag, id, maybe, moment, text } from '../../codec/notation.ts';
import { defined } from '../../core/checks/assert.ts';
import type { Instant } from '../../core/number/units.ts';
import { numericId } from '../world/ids.ts';
import { answered, change, controlEndpoint } from './control-endpoint.ts';
import { Created, Done, readTimestamp } from './control-shapes.ts';
import { findEvent, findOwner, isControlProblem } from './find-records.ts';

const createEvent = controlEndpoint({
  method: 'POST',
  path: '/events',
  summary: 'Creates an event; active unless it says otherwise.',
  body: Type.Object({
    ownerAppId: maybe(id),
    eventGroupId: id,
    name: text,
    code: text,
    expectedStartTime: moment,
    participantIds: Type.Array(id, { default: [] }),
    active: Type.Boolean({ default: true }),
  }),
  answer: Created,
  operate: ({ context, names, body }) => {
    const owner = findOwner({ context, names }, body.ownerAppId);
    if (isControlProblem(owner)) return owner;
    const { eventGroupId, name, code, participantIds } = body;
    const expectedStartTime = readTimestamp(body.expectedStartTime);
    const problem = change(context, {
      kind: 'createEvent',
      app: owner.app,
      eventGroupId,
      name,
      code,
      expectedStartTime,
      participantIds,
    });
    if (problem !== undefined) return problem;
    const { event } = defined([...context.world.catalogue.events.values()].at(-1), 'an event was made');
    const off = body.active
      ? undefined
      : change(context, { kind: 'command', command: { kind: 'setEventActive', event, active: false } });
    return off ?? answered({ id: numericId(event) });
  },
});

const setTimes = controlEndpoint({
  method: 'POST',
  path: '/events/{id}/times',
  summary: 'Sets the times that are given.',
  body: Type.Object(
    { expectedStartTime: maybe(moment), actualStartTime: maybe(moment), actualEndTime: maybe(moment) },
    { minProperties: 1 },
  ),
  answer: Done,
  operate: ({ context, path, body }) => {
    const event = findEvent(context, path.id);
    if (isControlProblem(event)) return event;
    const times: Partial<Record<keyof typeof body, Instant>> = {};
    for (const name of ['expectedStartTime', 'actualStartTime', 'actualEndTime'] as const) {
      const given = body[name];
      if (given !== undefined) times[name] = readTimestamp(given);
    }
    return change(context, { kind: 'setEventTimes', event: event.event, ...times }) ?? answered({});
  },
});

const setActive = controlEndpoint({
  method: 'POST',
  path: '/events/{id}/active',
  summary: 'Makes its markets tradable, or not.',
  body: Type.Object({ active: flag }),
  answer: Done,
  operate: ({ context, path, body: { active } }) => {
    const event = findEvent(context, path.id);
    if (isControlProblem(event)) return event;
    const command = { kind: 'setEventActive', event: event.event, active } as const;
    return change(context, { kind: 'command', command }) ?? answered({});
  },
});

export const EVENT_CONTROL = [createEvent, setTimes, setActive];
