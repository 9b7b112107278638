/** The control surface of Betfair's face: its ids are Betfair's, and it has what only this face can do. */

import { Type } from '@sinclair/typebox';
import { STREAM_ERRORS } from '../../betfair/wire/stream/messages.ts';
import { id, integer, maybe, words } from '../../codec/notation.ts';
import type { FaceNames } from '../../sandbox/context/face-names.ts';
import {
  type AnyControlEndpoint,
  answered,
  change,
  controlEndpoint,
  refused,
  unknownId,
} from '../../sandbox/control/control-endpoint.ts';
import { Done } from '../../sandbox/control/control-shapes.ts';
import type { FaceControl } from '../../sandbox/control/face-control.ts';
import { findApp, findMarket, isControlProblem } from '../../sandbox/control/find-records.ts';
import type { AppRecord } from '../../sandbox/world/records.ts';
import { marketById, marketIdOf, runnersOf } from '../names/market-names.ts';
import { isAccount } from '../state/accounts.ts';
import type { FaceState } from '../state/face-state.ts';
import { streamErrorOf } from '../stream/exchange-stream.ts';
import type { StreamServer } from '../stream/stream-server.ts';
import { BETFAIR_FAULTS } from './betfair-faults.ts';

/** An account is known by its user name, a market and a runner by Betfair's ids. */
const BETFAIR_NAMES: FaceNames = {
  appId: nameOfAccount,
  app: (given, { registry }) => {
    const key = registry.keys.get(given);
    return key === undefined ? registry.appById(given) : registry.app(key.app);
  },
  marketId: marketIdOf,
  market: (given, { catalogue }) => marketById(catalogue, given),
  outcomeId: (market, outcome, { catalogue }) => String(runnersOf(catalogue, market)[outcome]?.selectionId ?? ''),
  outcome: (market, given, { catalogue }) => {
    const found = runnersOf(catalogue, market).findIndex(({ selectionId }) => String(selectionId) === given);
    return found < 0 ? undefined : found;
  },
};

function nameOfAccount(app: AppRecord): string {
  return isAccount(app) ? app.name : app.id;
}

export function betfairControl(state: FaceState, stream: () => Pick<StreamServer, 'connections' | 'cut'>): FaceControl {
  const endpoints = [endSessions(state), failStream(stream), goal(state)];
  return { names: BETFAIR_NAMES, faults: BETFAIR_FAULTS, endpoints };
}

function endSessions({ sessions }: FaceState): AnyControlEndpoint {
  return controlEndpoint({
    method: 'POST',
    path: '/sessions/end',
    summary: 'Ends the sessions of one account, or all: the next call has INVALID_SESSION_INFORMATION. Streams stay.',
    body: Type.Object({ appId: maybe(id) }),
    answer: Type.Object({ ended: integer }, { additionalProperties: false }),
    operate: (call) => {
      const { appId } = call.body;
      const app = appId === undefined ? undefined : findApp(call, appId);
      if (app !== undefined && isControlProblem(app)) return app;
      return answered({ ended: sessions.endAll(app?.app) });
    },
  });
}

function failStream(stream: () => Pick<StreamServer, 'connections' | 'cut'>): AnyControlEndpoint {
  return controlEndpoint({
    method: 'POST',
    path: '/stream/fail',
    summary: 'Ends one connection of the stream, or all, with a status that says why.',
    body: Type.Object({ connectionId: maybe(id), code: words('StreamErrorCode', STREAM_ERRORS) }),
    answer: Type.Object({ failed: integer }, { additionalProperties: false }),
    operate: ({ body: { connectionId, code: given } }) => {
      const code = streamErrorOf(given);
      const chosen = [...stream().connections].filter((each) => each.id === (connectionId ?? each.id));
      if (connectionId !== undefined && chosen.length === 0) return unknownId(`connection ${connectionId}`);
      if (code !== undefined) for (const each of chosen) each.fail({ code, message: 'an injected fault' });
      return answered({ failed: chosen.length });
    },
  });
}

const SUSPENDED_MAX_MS = 600_000;

function goal({ context, late }: FaceState): AnyControlEndpoint {
  return controlEndpoint({
    method: 'POST',
    path: '/markets/{id}/goal',
    summary: 'Suspends it as after a goal: what was not matched lapses, and after suspendedMs it is open again.',
    body: Type.Object({ suspendedMs: Type.Integer({ minimum: 1, maximum: SUSPENDED_MAX_MS, default: 30_000 }) }),
    answer: Done,
    operate: (call) => {
      const record = findMarket(call, call.path.id);
      if (isControlProblem(record)) return record;
      const { market } = record;
      if (context.world.exchange.market(market)?.suspended !== false) return refused(409, 'it is suspended already');
      const lapse = change(context, { kind: 'command', command: { kind: 'voidResting', market } });
      if (lapse !== undefined) return lapse;
      const suspend = (suspended: boolean) =>
        change(context, { kind: 'command', command: { kind: 'suspend', market, suspended } });
      // A market that was closed meanwhile refuses to be opened, and that is well.
      late.add(context.clock.schedule(() => void suspend(false), call.body.suspendedMs));
      return suspend(true) ?? answered({});
    },
  });
}
