/** What is set per app: its commission rates and its heartbeat. */

import { instantToWire } from '../../../betdex/wire/codec/instants.ts';
import { present } from '../../../core/checks/assert.ts';
import type { Heartbeat } from '../../../matching/records/accounts.ts';
import type { World } from '../../world/world.ts';
import { upToDate } from '../shared/advance-then-read.ts';
import type { Caller, Operate } from '../shared/operation.ts';
import { plainMeta } from '../shared/paging.ts';
import { refusedBy, refuseWalletKey, unknown } from '../shared/scope.ts';

/** 10,000 parts of a million are 1, which on the wire is 1 % (profile section 7). */
const PPM_PER_PERCENT = 10_000;

export const getCommissionRates: Operate<'getCommissionRates'> = ({ context, caller, path }) => {
  const refusal = refuseWalletKey(caller);
  if (refusal !== undefined) return refusal;
  const { holders } = context.world;
  if (holders.app(caller.app).id !== path.id) return unknown(`app ${path.id}`);
  const commissionRates = holders.rates
    .filter(({ app }) => app === caller.app)
    .map(({ id, ratePpm, createdAt }) => ({
      ...{ id, rate: ratePpm / PPM_PER_PERCENT, createdAt: instantToWire(createdAt) },
    }));
  return {
    kind: 'answer',
    answer: { _meta: plainMeta('commissionRates', commissionRates.length), commissionRates },
  };
};

/** After a lapse it changes nothing: the answer says so with `active: false` (profile section 4). */
export const armHeartbeat: Operate<'armHeartbeat'> = ({ context, caller, body }) => {
  const refusal = refuseWalletKey(caller);
  if (refusal !== undefined) return refusal;
  const { timeoutMs } = body;
  const command = { kind: 'heartbeat', app: caller.app, timeoutMs } as const;
  const changed = context.apply({ at: context.now(), kind: 'command', command });
  if (changed.kind === 'refused') return refusedBy(changed.refusal);
  const armed = present(context.world.exchange.heartbeat(caller.app), 'a heartbeat was armed');
  return answerOf(context.world, caller, armed);
};

export const getHeartbeat: Operate<'getHeartbeat'> = ({ context, caller }) => {
  const refusal = refuseWalletKey(caller);
  if (refusal !== undefined) return refusal;
  const world = upToDate(context);
  const armed = world.exchange.heartbeat(caller.app);
  return armed === undefined ? unknown('heartbeat') : answerOf(world, caller, armed);
};

/** Shows it as it was, and lifts the block of one that lapsed. */
export const deleteHeartbeat: Operate<'deleteHeartbeat'> = ({ context, caller }) => {
  const refusal = refuseWalletKey(caller);
  if (refusal !== undefined) return refusal;
  const world = upToDate(context);
  const armed = world.exchange.heartbeat(caller.app);
  if (armed === undefined) return unknown('heartbeat');
  const answer = answerOf(world, caller, armed);
  context.apply({ at: context.now(), kind: 'command', command: { kind: 'deleteHeartbeat', app: caller.app } });
  return answer;
};

function answerOf({ holders }: World, caller: Caller, { active, timeoutMs, lastSeenAt }: Readonly<Heartbeat>) {
  const appId = holders.app(caller.app).id;
  const heartbeats = [{ appId, active, timeoutMs, lastSeenAt: instantToWire(lastSeenAt) }];
  return { kind: 'answer' as const, answer: { _meta: plainMeta('heartbeats', 1), heartbeats } };
}
