/** Heartbeats: arming, refreshing, lapsing (which cancels the app's orders, and may block it) and deleting. */

import { defined } from '../../core/checks/assert.ts';
import { NEVER } from '../columns/due-heap.ts';
import { reasonCode } from '../messages/codes.ts';
import type { App } from '../records/accounts.ts';
import type { State } from '../state/state.ts';
import { cancelApp } from './cancel.ts';

const HEARTBEAT_LAPSED = reasonCode('HeartbeatLapsed');

/** Whether the app may not place, because its heartbeat lapsed. */
export function isBlocked(state: State, app: App): boolean {
  return app.heartbeat?.active === false && state.rules.lapseBlocks;
}

/**
 * Arms or refreshes an app's heartbeat. Events: heartbeatChanged; refused for an unknown app or a timeout out of
 * bounds.
 */
export function beat(state: State, appId: number, timeoutMs: number): void {
  const app = state.accounts.apps[appId];
  if (app === undefined) return state.log.refused('UNKNOWN_ID');
  const { heartbeatTimeoutMinMs: min, heartbeatTimeoutMaxMs: max } = state.rules;
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < min || timeoutMs > max)
    return state.log.refused('INVALID_ARGUMENT');
  // After a lapse that blocks, only deleting the heartbeat lifts the block.
  if (isBlocked(state, app)) return;
  app.heartbeat = { timeoutMs, lastSeenAt: state.now, active: true };
  state.log.heartbeatChanged(app.id, true, timeoutMs, state.now);
  state.heartbeatDue = nextLapse(state).due;
}

/** Deletes an app's heartbeat and lifts the block of a lapse. Events: heartbeatDeleted; refused where there is none. */
export function deleteHeartbeat(state: State, appId: number): void {
  const app = state.accounts.apps[appId];
  if (app === undefined) return state.log.refused('UNKNOWN_ID');
  const { heartbeat } = app;
  if (heartbeat === undefined) return state.log.refused('NO_HEARTBEAT');
  app.heartbeat = undefined;
  state.log.heartbeatDeleted(app.id, heartbeat.active);
  state.heartbeatDue = nextLapse(state).due;
}

/** Cancels the unmatched stake of the app whose heartbeat lapses first. */
export function lapse(state: State): void {
  const app = defined(nextLapse(state).app, 'a heartbeat is due');
  const heartbeat = defined(app.heartbeat, 'the app has a heartbeat');
  heartbeat.active = false;
  state.log.heartbeatChanged(app.id, false, heartbeat.timeoutMs, heartbeat.lastSeenAt);
  cancelApp(state, app, HEARTBEAT_LAPSED);
  state.heartbeatDue = nextLapse(state).due;
}

/**
 * Finds the heartbeat that lapses next, by time, then by app id. Apps are few, and this runs only when one of them
 * beats.
 */
function nextLapse(state: State): { due: number; app: App | undefined } {
  let first: App | undefined;
  let due: number = NEVER;
  for (const app of state.accounts.apps) {
    const { heartbeat } = app;
    if (heartbeat === undefined || !heartbeat.active) continue;
    if (heartbeat.lastSeenAt + heartbeat.timeoutMs >= due) continue;
    due = heartbeat.lastSeenAt + heartbeat.timeoutMs;
    first = app;
  }
  return { due, app: first };
}
