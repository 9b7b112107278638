/** Whether another run of the app, on whatever machine, keeps the app's heartbeat: watched before ours is armed. */

import { concatMap, defer, first, map, mergeMap, type Observable, of, scan, timer } from 'rxjs';
import type { HeartbeatState } from '../../../core/run/trading-state.ts';
import type { Clock } from '../../../time/clock.ts';
import { readPages } from '../../lists/complete-lists.ts';
import type { Caller } from '../../lists/pages.ts';
import { readHeartbeat, type SeenHeartbeat } from './heartbeats.ts';

const LOOK_EVERY_MS = 1_000;
/** Beyond its timeout, for the way there and back. */
const SLACK_MS = 5_000;
const TIMEOUT_MAX_MS = 300_000;
/** Larger pages are refused for lists of orders (profile section 2). */
const ORDERS_A_PAGE = 500;

/** `free`: none is active. `owned`: somebody refreshed it while we watched. `unknown`: it could not be read. */
export type HeartbeatOwnership =
  | { readonly kind: 'free' }
  | { readonly kind: 'owned'; readonly timeoutMs: number; readonly lastSeenAt: string }
  | { readonly kind: 'unknown'; readonly code: string; readonly details: string };

/** A run that begins. */
export interface BeginningRun {
  readonly calls: Caller;
  readonly clock: Clock;
  readonly appId: string;
  /** The exchange's ids of those that it trades with. */
  readonly wallets: readonly string[];
  /** The last word of an earlier process of the run; undefined where there was none. */
  readonly before: HeartbeatState | undefined;
}

/**
 * One that an earlier process of the run left is the run's own: its orders go on living under it. But another run of the app
 * may have had it since, and be dead: where orders of the app live in other wallets, it is watched like any other.
 */
export function heartbeatFor(run: BeginningRun): Observable<HeartbeatOwnership> {
  const watched$ = defer(() => watchForOwner(run.calls, run.clock));
  if (run.before !== 'active' && run.before !== 'late') return watched$;
  return livesElsewhere(run).pipe(mergeMap((lives) => (lives === false ? of({ kind: 'free' } as const) : watched$)));
}

/** Undefined where that cannot be read. */
function livesElsewhere({ calls, appId, wallets }: BeginningRun): Observable<boolean | undefined> {
  const query = {
    appIds: [appId],
    statuses: ['Pending', 'Unmatched', 'PartiallyMatched'],
    size: ORDERS_A_PAGE,
  } as const;
  return readPages(calls, 'listOrders', { query: { ...query, appIds: [appId], statuses: [...query.statuses] } }).pipe(
    map((reading) =>
      reading.kind === 'failed'
        ? undefined
        : reading.answers.some(({ orders }) =>
            orders.some(({ walletId }) => walletId === undefined || !wallets.includes(walletId)),
          ),
    ),
  );
}

interface Watch {
  readonly seen: SeenHeartbeat;
  /** The first one that was active. */
  readonly active: (SeenHeartbeat & { readonly kind: 'armed' }) | undefined;
  readonly endsAt: number;
}

/**
 * Nobody is disturbed by it: one that is active is watched until somebody refreshes it, or until it lapses, which takes
 * its timeout at most. A run that is dead, or stopped, lets it lapse, and the exchange cancels that run's orders.
 */
function watchForOwner(calls: Caller, clock: Clock): Observable<HeartbeatOwnership> {
  const begin: Watch = { seen: UNREAD, active: undefined, endsAt: clock.now() + TIMEOUT_MAX_MS + SLACK_MS };
  return timer(0, LOOK_EVERY_MS, clock).pipe(
    concatMap(() => readHeartbeat(calls)),
    scan((watch: Watch, seen) => follow(watch, seen, clock.now()), begin),
    map((watch) => verdictOf(watch, clock.now())),
    first((verdict) => verdict !== undefined),
    map((verdict) => verdict ?? { kind: 'free' }),
  );
}

const UNREAD: SeenHeartbeat = { kind: 'unknown', code: 'NOT_SENT', details: 'it was not read yet' };

function follow({ active, endsAt }: Watch, seen: SeenHeartbeat, now: number): Watch {
  if (active !== undefined || seen.kind !== 'armed' || !seen.active) return { seen, active, endsAt };
  return { seen, active: seen, endsAt: now + seen.timeoutMs + SLACK_MS };
}

/** Undefined while it is to be watched. One that neither is refreshed nor lapses watches over nothing. */
function verdictOf({ seen, active, endsAt }: Watch, now: number): HeartbeatOwnership | undefined {
  if (seen.kind === 'none' || (seen.kind === 'armed' && !seen.active)) return { kind: 'free' };
  if (seen.kind === 'armed' && active !== undefined && seen.lastSeenAt !== active.lastSeenAt)
    return { kind: 'owned', timeoutMs: seen.timeoutMs, lastSeenAt: seen.lastSeenAt };
  if (now < endsAt) return undefined;
  return seen.kind === 'unknown' ? seen : { kind: 'free' };
}
