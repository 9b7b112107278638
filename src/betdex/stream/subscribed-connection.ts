/** A connection that subscribes to what is wanted of it, within the limit on requests a minute. */

import { Subscription } from 'rxjs';
import type { Instant } from '../../core/number/units.ts';
import type { RequestWindow } from '../../exchange-live/connection/request-window.ts';
import type { SubscriptionType } from '../wire/basics/enums.ts';
import { StreamConnection, type SubscriberMessage } from './connection.ts';
import type { StreamEndCode, StreamTroubleCode, StreamUpdate } from './stream-event.ts';
import type { StreamSettings } from './stream-settings.ts';
import { type SubscriptionKey, SubscriptionStates } from './subscription-states.ts';

/** Its functions are called in the order in which things happen; none is called after `ended` or `drop`. */
export interface SubscribedListener {
  updated(message: StreamUpdate, receivedAt: Instant): void;
  confirmed(key: SubscriptionKey): void;
  unsubscribed(key: SubscriptionKey): void;
  /** Called each time when the last open subscription was confirmed or given up; also if there is none at the start. */
  settled(connectionId: string): void;
  trouble(code: StreamTroubleCode, details: string): void;
  ended(code: StreamEndCode, details: string): void;
}

/** At most this many ids are named in a text. */
const NAMED_MAX = 10;

/** A socket with the subscriptions that are wanted of it. */
export class SubscribedConnection {
  readonly #settings: StreamSettings;
  readonly #window: RequestWindow;
  readonly #listener: SubscribedListener;
  readonly #connection: StreamConnection;
  readonly #states: SubscriptionStates;
  #connectionId: string | undefined;
  #isEnded = false;
  #wasSettled = false;
  #isShort = false;
  #pumpTimer = new Subscription();
  #confirmTimer = new Subscription();
  #againTimer = Subscription.EMPTY;

  constructor({
    settings,
    window,
    wanted,
    listener,
  }: {
    readonly settings: StreamSettings;
    /** Limits the requests of all connections of a client together. */
    readonly window: RequestWindow;
    readonly wanted: Iterable<SubscriptionKey>;
    readonly listener: SubscribedListener;
  }) {
    this.#settings = settings;
    this.#window = window;
    this.#listener = listener;
    this.#states = new SubscriptionStates(wanted);
    this.#connection = new StreamConnection(settings, {
      authenticated: (connectionId) => this.#onAuthenticated(connectionId),
      message: (message, receivedAt) => this.#onMessage(message, receivedAt),
      trouble: (code, details) => listener.trouble(code, details),
      ended: (code, details) => {
        this.#finish();
        listener.ended(code, details);
      },
    });
  }

  get isSettled(): boolean {
    return this.#connectionId !== undefined && this.#states.isSettled;
  }

  open(refused: boolean): void {
    this.#connection.open(refused);
  }

  subscribe(type: SubscriptionType, ids: readonly string[]): void {
    for (const id of ids) this.#states.want(type, id);
    this.#pump();
  }

  unsubscribe(type: SubscriptionType, ids: readonly string[]): void {
    const subscriptionIds = ids.filter((id) => this.#states.unwant(type, id)).sort();
    if (subscriptionIds.length > 0)
      this.#connection.send({ action: 'unsubscribe', subscriptionType: type, subscriptionIds });
    this.#checkSettled();
  }

  isConfirmed(key: SubscriptionKey): boolean {
    return this.#states.isConfirmed(key);
  }

  confirmed(): readonly SubscriptionKey[] {
    return this.#states.confirmed();
  }

  /** Calls `done` once everything that the exchange has sent until now was received. */
  probe(done: () => void): void {
    this.#connection.probe(done);
  }

  /** Ends the connection without reporting it. */
  drop(): void {
    this.#finish();
    this.#connection.drop();
  }

  #onAuthenticated(connectionId: string): void {
    this.#connectionId = connectionId;
    this.#pump();
  }

  #onMessage(message: SubscriberMessage, receivedAt: Instant): void {
    if (message.type !== 'SubscribeUpdate' && message.type !== 'UnsubscribeUpdate')
      return this.#listener.updated(message, receivedAt);
    const key = this.#states.reply(message.type, message.subscriptionType, message.subscriptionId);
    if (key === undefined) return;
    if (message.type === 'SubscribeUpdate') this.#listener.confirmed(key);
    else this.#listener.unsubscribed(key);
    this.#checkSettled();
  }

  /** Sends as many subscriptions as the request limit allows, and schedules the rest. */
  #pump(): void {
    if (this.#connectionId === undefined || this.#isEnded) return;
    this.#pumpTimer.unsubscribe();
    const now = this.#settings.clock.now();
    for (const { type, ids } of this.#states.ask(this.#window.room(now), now)) {
      this.#window.take(now, ids.length);
      this.#connection.send({ action: 'subscribe', subscriptionType: type, subscriptionIds: [...ids] });
    }
    this.#watchConfirmations();
    this.#waitForRoom(now);
    this.#checkSettled();
  }

  #waitForRoom(now: number): void {
    const { waiting } = this.#states;
    const wasShort = this.#isShort;
    this.#isShort = waiting > 0;
    if (waiting === 0 || this.#isEnded) return;
    this.#pumpTimer = this.#settings.clock.schedule(() => this.#pump(), this.#window.openAt(now) - now);
    if (!wasShort) this.#listener.trouble('REQUEST_LIMIT', `${waiting} subscriptions wait`);
  }

  #watchConfirmations(): void {
    const { firstAskedAt } = this.#states;
    this.#confirmTimer.unsubscribe();
    if (firstAskedAt === undefined || this.#isEnded) return;
    const { clock, limits } = this.#settings;
    const dueAt = firstAskedAt + limits.confirmTimeoutMs;
    this.#confirmTimer = clock.schedule(() => this.#onConfirmTimeout(), Math.max(0, dueAt - clock.now()));
  }

  #onConfirmTimeout(): void {
    const { clock, limits } = this.#settings;
    const late = this.#states.giveUp(clock.now() - limits.confirmTimeoutMs);
    if (late.length > 0) this.#listener.trouble('NOT_CONFIRMED', namesOf(late));
    if (this.#isEnded) return;
    this.#askAgainLater();
    this.#watchConfirmations();
    this.#checkSettled();
  }

  /** Schedules one new try for all subscriptions that are given up meanwhile. */
  #askAgainLater(): void {
    if (!this.#againTimer.closed) return;
    const { clock, limits } = this.#settings;
    this.#againTimer = clock.schedule(() => {
      this.#againTimer = Subscription.EMPTY;
      this.#states.askAgain();
      this.#pump();
    }, limits.confirmRetryMs);
  }

  #checkSettled(): void {
    if (this.#isEnded) return;
    const { isSettled } = this;
    const isNew = isSettled && !this.#wasSettled;
    this.#wasSettled = isSettled;
    if (isNew && this.#connectionId !== undefined) this.#listener.settled(this.#connectionId);
  }

  #finish(): void {
    this.#isEnded = true;
    this.#pumpTimer.unsubscribe();
    this.#confirmTimer.unsubscribe();
    this.#againTimer.unsubscribe();
  }
}

function namesOf(keys: readonly SubscriptionKey[]): string {
  const names = keys.slice(0, NAMED_MAX).map(({ type, id }) => `${type} ${id}`);
  return keys.length > NAMED_MAX ? `${names.join(', ')} and ${keys.length - NAMED_MAX} more` : names.join(', ');
}
