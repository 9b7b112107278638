/** What we know of the exchange's heartbeat, as a state machine: unarmed, active, late, lapsed, cleared. */

import type { HeartbeatState } from '../../core/run/trading-state.ts';
import type { HeartbeatReply } from '../../exchange/gateway.ts';
import type { HeartbeatSettings } from './bot-settings.ts';

/** Refreshed after this part of the timeout; unconfirmed after twice as much it is late. */
const REFRESH_PART = 1 / 3;
const LATE_PART = 2 / 3;
/** Between two tries, as a part of the timeout. */
const RETRY_PART = 1 / 20;
const OLD_NEWS_PART = 1 / 2;
/** A refresh of our own that arrived late looks like somebody else's, once. */
const SHARED_AFTER = 3;

export type HeartbeatAction = 'arm' | 'clear';
/** `asItIs`: one that is active is kept, none is armed anew. */
export type HeartbeatWish = 'armed' | 'asItIs' | 'cleared';

export interface HeartbeatMove {
  readonly from: HeartbeatState;
  readonly to: HeartbeatState;
  readonly cause: string;
}

/**
 * Counted from the SENDING of what was confirmed, so that the exchange's own deadline never comes before ours. Whatever
 * is not known counts as the worse: a deadline that passed unconfirmed counts as a lapse. Only DELETE leads out of one
 * that the exchange told of (profile section 4). Instants are ms UTC.
 */
export class Heartbeat {
  readonly #settings: HeartbeatSettings;
  #state: HeartbeatState;
  /** When what was last confirmed was sent. */
  #confirmedAt = Number.NEGATIVE_INFINITY;
  /** What was asked last, while it is not answered. */
  #awaited: HeartbeatAction | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;
  /**
   * Nobody told of the lapse: the deadline passed. Then nothing is deleted, which would take the exchange's watch off
   * orders that may still be live: a refresh, once the pipeline reads again, tells how it stands.
   */
  #isPresumed = false;
  /** Refreshes in a row before each of which somebody else had refreshed it. */
  #sharedFor = 0;

  /** `before`: the last word of an earlier process of the run, whose heartbeat may stand, or have lapsed since. */
  constructor(settings: HeartbeatSettings, before: HeartbeatState = 'unarmed') {
    this.#settings = settings;
    this.#state = before === 'active' || before === 'late' ? 'late' : before;
  }

  get state(): HeartbeatState {
    return this.#state;
  }

  /** Another run of the app keeps it, too: it says nothing of who watches over which orders. */
  get isShared(): boolean {
    return this.#sharedFor >= SHARED_AFTER;
  }

  /** Somebody looked after that: it is ours alone until the contrary shows. */
  trusted(): void {
    this.#sharedFor = 0;
  }

  /** Nothing of it is at the exchange. */
  get isGone(): boolean {
    return (this.#state === 'unarmed' || this.#state === 'cleared') && this.#awaited !== 'arm';
  }

  /** Until when orders may rest on it. */
  get until(): number {
    return this.#confirmedAt + this.#settings.timeoutMs;
  }

  /** Time went on: a deadline may have passed. */
  look(now: number): HeartbeatMove | undefined {
    if (this.#state !== 'active' && this.#state !== 'late') return undefined;
    const { timeoutMs } = this.#settings;
    const age = now - this.#confirmedAt;
    // Of an earlier process nothing is known but that it may stand: the exchange's answer will say.
    if (Number.isFinite(age) && age >= timeoutMs) {
      this.#isPresumed = true;
      return this.#move('lapsed', `unconfirmed for ${timeoutMs} ms`);
    }
    if (this.#state === 'active' && age >= timeoutMs * LATE_PART)
      return this.#move('late', `unconfirmed for ${Math.round(age)} ms`);
    return undefined;
  }

  /**
   * What is to be asked of the exchange now. `polledAt`: when the pipeline last processed a whole reading: one that is
   * stuck, or blind, refreshes nothing and lets the exchange cancel for it.
   */
  nextAction(
    now: number,
    situation: { readonly polledAt: number; readonly wants: HeartbeatWish },
  ): HeartbeatAction | undefined {
    const { timeoutMs, pollBudgetMs } = this.#settings;
    // Who keeps it with us may be dead by now: whatever is refreshed would vouch for orders that nobody watches.
    if (this.isShared) return undefined;
    // A refresh may hang for longer than the end has time: it is not waited for. What it did late is cleared once more.
    const isHeldUp = this.#awaited === 'clear' || (this.#awaited === 'arm' && situation.wants !== 'cleared');
    if (isHeldUp || now - this.#triedAt < timeoutMs * RETRY_PART) return undefined;
    if (this.#state === 'lapsed' && !this.#isPresumed) return 'clear';
    if (situation.wants === 'cleared') return this.isGone ? undefined : 'clear';
    if (now - situation.polledAt > pollBudgetMs) return undefined;
    if (this.isGone) return situation.wants === 'armed' ? 'arm' : undefined;
    return this.#state !== 'active' || now - this.#confirmedAt >= timeoutMs * REFRESH_PART ? 'arm' : undefined;
  }

  asked(now: number, action: HeartbeatAction): void {
    this.#awaited = action;
    this.#triedAt = now;
  }

  /** The answer to `arm`, which left at `sentAt`. */
  armed(reply: HeartbeatReply, sentAt: number): HeartbeatMove | undefined {
    if (this.#awaited === 'arm') this.#awaited = undefined;
    if (reply.kind === 'unknown')
      return this.#state === 'active' ? this.#move('late', `refresh unanswered: ${reply.code}`) : undefined;
    if (!reply.active) return this.heardLapse('the exchange says that it lapsed');
    this.#sharedFor = reply.isShared === true ? this.#sharedFor + 1 : 0;
    // A confirmation of what was sent before a lapse was heard of says nothing of now.
    if (this.#state === 'lapsed' && !this.#isPresumed) return undefined;
    this.#confirmedAt = Math.max(this.#confirmedAt, sentAt);
    return this.#move('active', 'confirmed');
  }

  /** The answer to `clear`. */
  cleared(reply: HeartbeatReply): HeartbeatMove | undefined {
    this.#awaited = undefined;
    if (reply.kind === 'unknown') return undefined;
    if (reply.active) {
      // Orders of the app are live, so that it was left: to go on, a refresh tells how it stands.
      this.#isPresumed = true;
      return undefined;
    }
    this.#confirmedAt = Number.NEGATIVE_INFINITY;
    return this.#move('cleared', 'the block was lifted');
  }

  /** Something happened that a lapse would explain: the next refresh will tell. */
  resyncRequired(cause: string): HeartbeatMove | undefined {
    return this.#state === 'active' ? this.#move('late', cause) : undefined;
  }

  /**
   * The exchange told of a lapse by other ways, such as an order that it cancelled. What was confirmed last cannot have
   * lapsed before its timeout was over: news of a time before that (by the exchange's clock, which may differ from ours by
   * up to half a timeout) is of an earlier lapse, and a refresh makes sure.
   */
  heardLapse(cause: string, at = Number.POSITIVE_INFINITY): HeartbeatMove | undefined {
    if (at < this.#confirmedAt + this.#settings.timeoutMs * OLD_NEWS_PART) return this.resyncRequired(cause);
    this.#isPresumed = false;
    return this.#move('lapsed', cause);
  }

  /** The clock went back: nothing that was counted in it holds any more. */
  clockWentBack(now: number): HeartbeatMove | undefined {
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
