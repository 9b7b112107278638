/** What we know of the exchange's heartbeat, as a state machine: unarmed, active, late, lapsed, cleared. */

import type { HeartbeatState } from '../../core/run/trading-state.ts';
import type { HeartbeatReply } from '../../exchange/gateway.ts';
import type { HeartbeatSettings } from './bot-settings.ts';

/** Refreshed after this part of the timeout; unconfirmed after twice as much it is late. */
const REFRESH_PART = 1 / 3;
const LATE_PART = 2 / 3;
/** Between two tries, as a part of the timeout. */
const RETRY_PART = 1 / 20;
/** A lapse reported of a time earlier than this part of the timeout after the last confirmation is an earlier lapse. */
const OLD_LAPSE_PART = 1 / 2;
/** So many refreshes by another run in a row: a refresh of our own that arrived late looks like another run's, once. */
const SHARED_AFTER = 3;

export type HeartbeatAction = 'arm' | 'clear';
/** What the heartbeat is to be. `asItIs`: one that is active is refreshed, none is armed. */
export type HeartbeatAim = 'armed' | 'asItIs' | 'cleared';

export interface HeartbeatMove {
  readonly from: HeartbeatState;
  readonly to: HeartbeatState;
  readonly cause: string;
}

/**
 * The deadline runs from when the confirmed request was SENT, so ours is never later than the exchange's. A deadline that passed
 * unconfirmed counts as a lapse. A lapse that the exchange reported is ended by DELETE only (profile section 4). Instants are
 * ms UTC.
 */
export class Heartbeat {
  readonly #settings: HeartbeatSettings;
  #state: HeartbeatState;
  /** When the request was sent that was last confirmed. */
  #confirmedAt = Number.NEGATIVE_INFINITY;
  /** The last request, until it is answered. */
  #awaited: HeartbeatAction | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;
  /**
   * The lapse was not reported: our deadline passed without a confirmation. Then nothing is deleted, because the heartbeat may
   * still protect live orders; the reply to a refresh, once feeds are read again, will say how it stands.
   */
  #isPresumed = false;
  /** How many of our refreshes in a row found that another run had refreshed it in between. */
  #sharedFor = 0;

  /** `before`: the state that an earlier process of the run left; its heartbeat may still be active, or have lapsed since. */
  constructor(settings: HeartbeatSettings, before: HeartbeatState = 'unarmed') {
    this.#settings = settings;
    this.#state = before === 'active' || before === 'late' ? 'late' : before;
  }

  get state(): HeartbeatState {
    return this.#state;
  }

  /** Another run of the app refreshes the same heartbeat, which then does not protect our orders if we die. */
  get isShared(): boolean {
    return this.#sharedFor >= SHARED_AFTER;
  }

  /** The operator resumed: the heartbeat counts as ours alone until another run refreshes it again. */
  resetShared(): void {
    this.#sharedFor = 0;
  }

  /** The exchange has no heartbeat of ours. */
  get isGone(): boolean {
    return (this.#state === 'unarmed' || this.#state === 'cleared') && this.#awaited !== 'arm';
  }

  /** When the exchange will cancel our orders unless the heartbeat is confirmed again. */
  get until(): number {
    return this.#confirmedAt + this.#settings.timeoutMs;
  }

  /** Moves to late or lapsed if a deadline has passed. */
  checkDeadlines(now: number): HeartbeatMove | undefined {
    if (this.#state !== 'active' && this.#state !== 'late') return undefined;
    const { timeoutMs } = this.#settings;
    const age = now - this.#confirmedAt;
    // The heartbeat of an earlier process has no known age: the reply to our first refresh will say how it stands.
    if (Number.isFinite(age) && age >= timeoutMs) {
      this.#isPresumed = true;
      return this.#move('lapsed', `unconfirmed for ${timeoutMs} ms`);
    }
    if (this.#state === 'active' && age >= timeoutMs * LATE_PART)
      return this.#move('late', `unconfirmed for ${Math.round(age)} ms`);
    return undefined;
  }

  /**
   * The request that is due now. `polledAt`: when the pipeline last processed a whole reading of the feeds. A pipeline that is
   * stuck, or reads nothing, refreshes no heartbeat, so that the exchange cancels our orders.
   */
  nextAction(
    now: number,
    situation: { readonly polledAt: number; readonly wants: HeartbeatAim },
  ): HeartbeatAction | undefined {
    const { timeoutMs, pollBudgetMs } = this.#settings;
    // The other run may be dead by now: our refreshes would keep its orders alive, which nothing watches over.
    if (this.isShared) return undefined;
    // At the end of the run a refresh that hangs is not waited for; if it takes effect late, it is cleared once more.
    const isHeldUp = this.#awaited === 'clear' || (this.#awaited === 'arm' && situation.wants !== 'cleared');
    if (isHeldUp || now - this.#triedAt < timeoutMs * RETRY_PART) return undefined;
    if (this.#state === 'lapsed' && !this.#isPresumed) return 'clear';
    if (situation.wants === 'cleared') return this.isGone ? undefined : 'clear';
    if (now - situation.polledAt > pollBudgetMs) return undefined;
    if (this.isGone) return situation.wants === 'armed' ? 'arm' : undefined;
    return this.#state !== 'active' || now - this.#confirmedAt >= timeoutMs * REFRESH_PART ? 'arm' : undefined;
  }

  /** A request was sent. */
  onRequested(now: number, action: HeartbeatAction): void {
    this.#awaited = action;
    this.#triedAt = now;
  }

  /** The reply to `arm`, which was sent at `sentAt`. */
  onArmReply(reply: HeartbeatReply, sentAt: number): HeartbeatMove | undefined {
    if (this.#awaited === 'arm') this.#awaited = undefined;
    if (reply.kind === 'unknown')
      return this.#state === 'active' ? this.#move('late', `refresh unanswered: ${reply.code}`) : undefined;
    if (!reply.active) return this.onLapse('the exchange says that it lapsed');
    this.#sharedFor = reply.isShared === true ? this.#sharedFor + 1 : 0;
    // It may confirm a request that was sent before the lapse that is known by now.
    if (this.#state === 'lapsed' && !this.#isPresumed) return undefined;
    this.#confirmedAt = Math.max(this.#confirmedAt, sentAt);
    return this.#move('active', 'confirmed');
  }

  /** The reply to `clear`. */
  onClearReply(reply: HeartbeatReply): HeartbeatMove | undefined {
    this.#awaited = undefined;
    if (reply.kind === 'unknown') return undefined;
    if (reply.active) {
      // Not cleared, because orders of the app are live: the reply to a refresh will say how it stands.
      this.#isPresumed = true;
      return undefined;
    }
    this.#confirmedAt = Number.NEGATIVE_INFINITY;
    return this.#move('cleared', 'the block was lifted');
  }

  /** Something happened that a lapse would explain: late until the next refresh is confirmed. */
  resyncRequired(cause: string): HeartbeatMove | undefined {
    return this.#state === 'active' ? this.#move('late', cause) : undefined;
  }

  /**
   * The exchange reported a lapse, as with an order that it cancelled for one. A heartbeat that was confirmed cannot lapse before
   * its timeout is over, so a report of an earlier time is of an earlier lapse, and only the next refresh is awaited. (The
   * exchange's clock may differ from ours by up to half a timeout.)
   */
  onLapse(cause: string, at = Number.POSITIVE_INFINITY): HeartbeatMove | undefined {
    if (at < this.#confirmedAt + this.#settings.timeoutMs * OLD_LAPSE_PART) return this.resyncRequired(cause);
    this.#isPresumed = false;
    return this.#move('lapsed', cause);
  }

  /** The clock was set back: the heartbeat is late until the next refresh is confirmed. */
  onClockSetBack(now: number): HeartbeatMove | undefined {
    this.#triedAt = Number.NEGATIVE_INFINITY;
    this.#confirmedAt = Math.min(this.#confirmedAt, now);
    return this.#state === 'active' ? this.#move('late', 'the clock went back') : undefined;
  }

  #move(to: HeartbeatState, cause: string): HeartbeatMove | undefined {
    const from = this.#state;
    if (from === to) return undefined;
    this.#state = to;
    return { from, to, cause };
  }
}
