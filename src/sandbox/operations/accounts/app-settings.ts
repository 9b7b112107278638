/** Operations on settings of an app: its commission rates and its heartbeat. */

import { instantToWire } from '../../../codec/instants.ts';
import { defined } from '../../../core/checks/assert.ts';
import type { Heartbeat } from '../../../matching/records/accounts.ts';
import type { World } from '../../world/world.ts';
import { plainAnswer } from '../shared/answers.ts';
import type { Caller, Operate } from '../shared/operation.ts';
import { appKeyOnly, refusedBy, unknown } from '../shared/scope.ts';

/** 10,000 parts per million are 1 %, which is 1 on the wire (profile section 7). */
const PPM_PER_PERCENT = 10_000;

export const getCommissionRates: Operate<'getCommissionRates'> = appKeyOnly(({ world: { registry }, caller, path }) => {
  if (registry.app(caller.app).id !== path.id) return unknown(`app ${path.id}`);
  const commissionRates = registry.rates
    .filter(({ app }) => app === caller.app)
    .map(({ id, ratePpm, createdAt }) => ({
      id,
      rate: ratePpm / PPM_PER_PERCENT,
      createdAt: instantToWire(createdAt),
    }));
  return plainAnswer('commissionRates', commissionRates.length, { commissionRates });
});

/**
 * Arms or refreshes the heartbeat. After a lapse this changes nothing, and the answer shows `active: false` (profile
 * section 4).
 */
export const armHeartbeat: Operate<'armHeartbeat'> = appKeyOnly(({ context, world, caller, body }) => {
  const { timeoutMs } = body;
  const command = { kind: 'heartbeat', app: caller.app, timeoutMs } as const;
  const changed = context.apply({ at: context.now(), kind: 'command', command });
  if (changed.kind === 'refused') return refusedBy(changed.refusal);
  const armed = defined(world.exchange.heartbeat(caller.app), 'a heartbeat was armed');
  return answerOf(world, caller, armed);
});

export const getHeartbeat: Operate<'getHeartbeat'> = appKeyOnly(({ world, caller }) => {
  const armed = world.exchange.heartbeat(caller.app);
  return armed === undefined ? unknown('heartbeat') : answerOf(world, caller, armed);
});

/** Deletes the heartbeat, which lifts the block of a lapsed one; answers with its state before. */
export const deleteHeartbeat: Operate<'deleteHeartbeat'> = appKeyOnly(({ context, world, caller }) => {
  const armed = world.exchange.heartbeat(caller.app);
  if (armed === undefined) return unknown('heartbeat');
  const answer = answerOf(world, caller, armed);
  context.apply({ at: context.now(), kind: 'command', command: { kind: 'deleteHeartbeat', app: caller.app } });
  return answer;
});

function answerOf({ registry }: World, caller: Caller, { active, timeoutMs, lastSeenAt }: Readonly<Heartbeat>) {
  const appId = registry.app(caller.app).id;
  const heartbeats = [{ appId, active, timeoutMs, lastSeenAt: instantToWire(lastSeenAt) }];
  return plainAnswer('heartbeats', 1, { heartbeats });
}
