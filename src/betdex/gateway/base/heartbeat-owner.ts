/** Finds out whether another run of the app, on any machine, keeps the app's heartbeat, before this run arms it. */

import { concatMap, defer, first, map, mergeMap, type Observable, of, scan, timer } from 'rxjs';
import { Unreadable } from '../../../codec/lenient.ts';
import { LIVE_STATUSES } from '../../../core/order.ts';
import type { BeginningRun, HeartbeatOwnership } from '../../../exchange-live/adapter/exchange.ts';
import type { Clock } from '../../../time/clock.ts';
import type { LenientCaller } from '../../client/call.ts';
import { readPages } from '../../lists/complete-lists.ts';
import { readHeartbeat, type SeenHeartbeat } from './heartbeats.ts';

const LOOK_EVERY_MS = 1_000;
/** Added to the heartbeat's timeout for the time that requests take on the network. */
const SLACK_MS = 5_000;
const TIMEOUT_MAX_MS = 300_000;
/** Page size of order lists; the exchange refuses larger ones (profile section 2). */
const ORDERS_A_PAGE = 500;

/** What is known about the run that is starting. */
interface BeginningApp extends BeginningRun {
  readonly calls: LenientCaller;
  readonly clock: Clock;
  readonly appId: string;
}

/**
 * Decides whether this run may use the app's heartbeat. A heartbeat that an earlier process of this run left belongs to this
 * run: its orders go on living under it. But another run of the app may have refreshed it since and have died: if the app has
 * live orders in other wallets, the heartbeat is watched as if it belonged to another run.
 */
export function heartbeatFor(run: BeginningApp): Observable<HeartbeatOwnership> {
  const watched$ = defer(() => watchForOwner(run.calls, run.clock));
  if (run.before !== 'active' && run.before !== 'late') return watched$;
  return livesElsewhere(run).pipe(mergeMap((lives) => (lives === false ? of({ kind: 'free' } as const) : watched$)));
}

/** Whether the app has live orders in other wallets than ours; undefined if that cannot be read. */
function livesElsewhere({ calls, appId, wallets }: BeginningApp): Observable<boolean | undefined> {
  const query = { appIds: [appId], statuses: LIVE_STATUSES, size: ORDERS_A_PAGE };
  return readPages(calls, 'listOrders', { query }).pipe(
    map((reading) =>
      reading.kind === 'failed'
        ? undefined
        : reading.answers.some(({ orders }) =>
            orders.some((order) => {
              const { walletId } = order instanceof Unreadable ? order.part : order;
              return walletId === undefined || !wallets.includes(walletId);
            }),
          ),
    ),
  );
}

interface Watch {
  readonly seen: SeenHeartbeat;
  /** The first active heartbeat that was seen. */
  readonly active: (SeenHeartbeat & { readonly kind: 'armed' }) | undefined;
  readonly endsAt: number;
}

/**
 * Watches an active heartbeat without disturbing it, until it is refreshed or lapses, which takes its timeout at most. A run
 * that is dead or stopped lets it lapse, and then the exchange cancels that run's orders.
 */
function watchForOwner(calls: LenientCaller, clock: Clock): Observable<HeartbeatOwnership> {
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

/**
 * Undefined while the heartbeat must still be watched. A heartbeat that is neither refreshed nor lapses protects nothing, and
 * counts as free.
 */
function verdictOf({ seen, active, endsAt }: Watch, now: number): HeartbeatOwnership | undefined {
  if (seen.kind === 'none' || (seen.kind === 'armed' && !seen.active)) return { kind: 'free' };
  if (seen.kind === 'armed' && active !== undefined && seen.lastSeenAt !== active.lastSeenAt)
    return { kind: 'owned', timeoutMs: seen.timeoutMs, lastSeenAt: seen.lastSeenAt };
  if (now < endsAt) return undefined;
  return seen.kind === 'unknown' ? seen : { kind: 'free' };
}
