/**
 * One of the client's connections over time: it reconnects when the socket ends, and replaces the socket before it grows too
 * old.
 */

import { Subscription } from 'rxjs';
import { Backoff } from '../../exchange-live/connection/backoff.ts';
import type { RequestWindow } from '../../exchange-live/connection/request-window.ts';
import type { SubscriptionType } from '../wire/basics/enums.ts';
import { type HeldUpdate, HeldUpdates } from './held-updates.ts';
import type { ResyncReason, StreamEndCode, StreamEvent, StreamTroubleCode } from './stream-event.ts';
import type { StreamSettings } from './stream-settings.ts';
import { SubscribedConnection } from './subscribed-connection.ts';
import type { SubscriptionKey } from './subscription-states.ts';

/** What all connections of a client share. */
export interface LastingConnectionContext {
  readonly settings: StreamSettings;
  readonly window: RequestWindow;
  emit(event: StreamEvent): void;
  /** Takes the one socket that is kept free for rotations; returns false if it is in use. */
  takeSpare(): boolean;
  returnSpare(): void;
}

/** The new socket of a rotation. */
interface Successor {
  readonly connection: SubscribedConnection;
  readonly held: HeldUpdates;
}

/** It keeps its subscriptions through reconnects and rotations. */
export class LastingConnection {
  readonly #context: LastingConnectionContext;
  readonly #index: number;
  readonly #backoff: Backoff;
  readonly #wanted = new Map<SubscriptionType, Set<string>>();
  #size = 0;
  #serving: SubscribedConnection | undefined;
  #successor: Successor | undefined;
  #isUp = false;
  #wasUp = false;
  #isClosed = false;
  #isRefused = false;
  #retry = new Subscription();
  #stable = new Subscription();
  #rotation = new Subscription();
  #barrier = new Subscription();
  /** A timer that runs while another resync would come too soon. */
  #lost = Subscription.EMPTY;
  #hasLost = false;

  constructor(context: LastingConnectionContext, index: number) {
    this.#context = context;
    this.#index = index;
    const { random, limits } = context.settings;
    this.#backoff = new Backoff({ firstMs: limits.retryFirstMs, maxMs: limits.retryMaxMs, random });
  }

  /** The number of wanted subscriptions. */
  get size(): number {
    return this.#size;
  }

  has(type: SubscriptionType, id: string): boolean {
    return this.#wanted.get(type)?.has(id) === true;
  }

  /** Connects at the next turn of the clock, so that no event is emitted during this call. */
  open(): void {
    this.#retry = this.#context.settings.clock.schedule(() => this.#connect(), 0);
  }

  /** Adds subscriptions. None of the ids may already be subscribed to here. */
  subscribe(type: SubscriptionType, ids: readonly string[]): void {
    const wanted = this.#wanted.get(type) ?? new Set();
    this.#wanted.set(type, wanted);
    for (const id of ids) wanted.add(id);
    this.#size += ids.length;
    this.#serving?.subscribe(type, ids);
    this.#successor?.connection.subscribe(type, ids);
  }

  /** Ends subscriptions. All of the ids must be subscribed to here. */
  unsubscribe(type: SubscriptionType, ids: readonly string[]): void {
    for (const id of ids) this.#wanted.get(type)?.delete(id);
    this.#size -= ids.length;
    this.#serving?.unsubscribe(type, ids);
    this.#successor?.connection.unsubscribe(type, ids);
  }

  /** Closes the connection for good, without further events. */
  close(): void {
    this.#isClosed = true;
    for (const timer of [this.#retry, this.#stable, this.#rotation, this.#barrier, this.#lost]) timer.unsubscribe();
    this.#takeSuccessor()?.connection.drop();
    this.#serving?.drop();
    this.#serving = undefined;
  }

  #connect(): void {
    const connection = this.#make();
    this.#serving = connection;
    connection.open(this.#isRefused);
  }

  #make(): SubscribedConnection {
    const { settings, window } = this.#context;
    const connection: SubscribedConnection = new SubscribedConnection({
      settings,
      window,
      wanted: this.#keys(),
      listener: {
        updated: (message, receivedAt) => this.#onUpdate(connection, { message, receivedAt }),
        confirmed: (key) => this.#onReply(connection, 'confirmed', key),
        unsubscribed: (key) => this.#onReply(connection, 'unsubscribed', key),
        settled: (connectionId) => this.#onSettled(connection, connectionId),
        trouble: (code, details) => this.#onTrouble(connection, code, details),
        ended: (code, details) => this.#onEnded(connection, code, details),
      },
    });
    return connection;
  }

  *#keys(): Iterable<SubscriptionKey> {
    for (const [type, ids] of this.#wanted) for (const id of ids) yield { type, id };
  }

  #onUpdate(connection: SubscribedConnection, update: HeldUpdate): void {
    if (connection === this.#serving) this.#context.emit({ kind: 'message', ...update });
    else if (this.#successor?.held.add(update) === false) this.#abandonRotation('too many updates came meanwhile');
  }

  #onReply(connection: SubscribedConnection, kind: 'confirmed' | 'unsubscribed', { type, id }: SubscriptionKey): void {
    if (connection === this.#serving) this.#context.emit({ kind, type, id });
  }

  #onTrouble(connection: SubscribedConnection, code: StreamTroubleCode, details: string): void {
    this.#trouble(code, details);
    if (code !== 'BAD_FRAME') return;
    if (connection === this.#serving) this.#resyncLost();
    else this.#successor?.held.noteGap();
  }

  /**
   * Requests a resync at once, and then at most once in `resyncSpanMs`: a flood of bad frames must not become a flood of REST
   * calls.
   */
  #resyncLost(): void {
    this.#hasLost = true;
    if (!this.#lost.closed) return;
    const { clock, limits } = this.#context.settings;
    this.#lost = clock.schedule(() => {
      this.#lost = Subscription.EMPTY;
      if (this.#hasLost) this.#resyncLost();
    }, limits.resyncSpanMs);
    this.#hasLost = false;
    this.#resync('lost');
  }

  #onSettled(connection: SubscribedConnection, connectionId: string): void {
    if (connection === this.#successor?.connection) this.#prepareSwitch();
    else if (!this.#isUp) this.#comeUp(connectionId);
  }

  #comeUp(connectionId: string): void {
    const { clock, limits } = this.#context.settings;
    const reason = this.#wasUp ? 'reconnected' : 'connected';
    this.#isUp = true;
    this.#wasUp = true;
    this.#isRefused = false;
    this.#stable.unsubscribe();
    this.#stable = clock.schedule(() => this.#backoff.reset(), limits.stableMs);
    this.#scheduleRotation(this.#rotationAge());
    this.#context.emit({ kind: 'up', connection: this.#index, connectionId });
    if (this.#isUp) this.#resync(reason);
  }

  #onEnded(connection: SubscribedConnection, code: StreamEndCode, details: string): void {
    this.#isRefused = code === 'NOT_AUTHENTICATED';
    if (connection !== this.#serving) return this.#abandonRotation(`${code}: ${details}`);
    // Its last updates may be missing, but the resync of the rotation follows at once.
    if (this.#successor?.connection.isSettled === true) return this.#switch();
    this.#serving = undefined;
    this.#isUp = false;
    this.#stable.unsubscribe();
    this.#rotation.unsubscribe();
    const successor = this.#takeSuccessor();
    const retryMs = successor === undefined ? this.#backoff.next() : 0;
    if (successor !== undefined) this.#serving = successor.connection;
    else this.#retry = this.#context.settings.clock.schedule(() => this.#connect(), retryMs);
    this.#context.emit({ kind: 'down', connection: this.#index, code, details, retryMs });
    if (successor === undefined) return;
    for (const { type, id } of successor.connection.confirmed()) this.#emit({ kind: 'confirmed', type, id });
    this.#releaseHeld(successor);
  }

  #scheduleRotation(delayMs: number): void {
    this.#rotation.unsubscribe();
    this.#rotation = this.#context.settings.clock.schedule(() => this.#rotate(), delayMs);
  }

  #rotationAge(): number {
    const { random, limits } = this.#context.settings;
    return Math.ceil(limits.rotateAfterMs * (1 - random.uniform() / 10));
  }

  /** Starts a rotation: the old socket serves until the new one has all its subscriptions. */
  #rotate(): void {
    const { settings } = this.#context;
    if (!this.#context.takeSpare()) return this.#scheduleRotation(settings.limits.rotateRetryMs);
    const connection = this.#make();
    this.#successor = { connection, held: new HeldUpdates(settings.limits.heldMax) };
    connection.open(this.#isRefused);
  }

  /**
   * Waits before the new socket takes over. What the exchange sent on the old one before it confirmed the new one's
   * subscriptions may still be on its way; the answer to a ping comes after all of it.
   */
  #prepareSwitch(): void {
    const serving = this.#serving;
    const next = this.#successor?.connection;
    if (serving === undefined || next === undefined) return;
    const missing = serving.confirmed().filter((key) => !next.isConfirmed(key));
    if (missing.length > 0) return this.#abandonRotation(`${missing.length} subscriptions were not confirmed`);
    const proceed = (): void => {
      if (this.#successor?.connection === next && next.isSettled) this.#switch();
    };
    this.#barrier.unsubscribe();
    this.#barrier = this.#context.settings.clock.schedule(proceed, this.#context.settings.limits.pongTimeoutMs);
    serving.probe(proceed);
  }

  #switch(): void {
    const old = this.#serving;
    const successor = this.#takeSuccessor();
    if (old === undefined || successor === undefined) return;
    this.#serving = successor.connection;
    old.drop();
    this.#scheduleRotation(this.#rotationAge());
    for (const key of successor.connection.confirmed())
      if (!old.isConfirmed(key)) this.#emit({ kind: 'confirmed', type: key.type, id: key.id });
    this.#releaseHeld(successor);
    this.#resync('rotated');
  }

  #releaseHeld(successor: Successor): void {
    for (const update of successor.held.release()) this.#emit({ kind: 'message', ...update });
    if (successor.held.hasGap) this.#resyncLost();
  }

  #abandonRotation(why: string): void {
    const successor = this.#takeSuccessor();
    if (successor === undefined) return;
    successor.connection.drop();
    this.#scheduleRotation(this.#context.settings.limits.rotateRetryMs);
    this.#trouble('ROTATION_FAILED', why);
  }

  #takeSuccessor(): Successor | undefined {
    const successor = this.#successor;
    if (successor === undefined) return undefined;
    this.#successor = undefined;
    this.#barrier.unsubscribe();
    this.#context.returnSpare();
    return successor;
  }

  #resync(reason: ResyncReason): void {
    this.#emit({ kind: 'resync', connection: this.#index, reason });
  }

  #trouble(code: StreamTroubleCode, details: string): void {
    this.#emit({ kind: 'trouble', connection: this.#index, code, details });
  }

  /**
   * Emits an event unless the connection was closed: a listener may close the client while it handles an event, and then gets
   * no more.
   */
  #emit(event: StreamEvent): void {
    if (!this.#isClosed) this.#context.emit(event);
  }
}
