/** What a client's frames ask for, and the answers: confirmations, snapshots, problems, or silence. */

import type { Clock } from '../../time/clock.ts';
import type { SubscriptionType } from '../../wire/enums.ts';
import { faultText } from '../../wire/fault.ts';
import { type ClientMessage, clientFrameFromWire } from '../../wire/stream-codec.ts';
import type { Caller } from '../operations/operation.ts';
import type { Feed } from './feed.ts';
import { frame } from './frame.ts';
import { type Peer, POLICY } from './peer.ts';
import { RequestWindow } from './request-window.ts';
import type { SnapshotQueues } from './snapshot-queues.ts';
import type { StreamLimits } from './stream-limits.ts';
import type { Subscriptions } from './subscriptions.ts';

type Subscribing = Exclude<ClientMessage, { readonly action: 'authenticate' }>;

export interface RequestDesk {
  readonly clock: Clock;
  readonly limits: StreamLimits;
  readonly feed: Feed;
  readonly subscriptions: Subscriptions<Peer>;
  readonly snapshots: SnapshotQueues;
  /** Who a token speaks for; undefined where it is good for nothing. */
  readonly callerOf: (token: string) => Caller | undefined;
  /** How many connections of the app there are besides this one. */
  readonly othersOf: (peer: Peer, app: number) => number;
}

export class Requests {
  readonly #desk: RequestDesk;
  readonly #peer: Peer;
  readonly #window: RequestWindow;

  constructor(desk: RequestDesk, peer: Peer) {
    this.#desk = desk;
    this.#peer = peer;
    this.#window = new RequestWindow(desk.limits.requestsPerMinute);
  }

  handle(text: string): void {
    const message = clientFrameFromWire(text);
    if (message.kind !== 'read') return this.#problem(message.faults.map(faultText).join('; '));
    if (message.value.action === 'authenticate') this.#authenticate(message.value.accessToken);
    else this.#subscribing(message.value);
  }

  /** What is no text cannot be read at all. */
  refuseBinary(): void {
    this.#problem('a frame is text');
  }

  /** A bad token gets no reply, and changes nothing (profile section 5). */
  #authenticate(token: string): void {
    const peer = this.#peer;
    const caller = this.#desk.callerOf(token);
    if (caller === undefined) return;
    const { connectionsPerApp } = this.#desk.limits;
    if (this.#desk.othersOf(peer, caller.app) >= connectionsPerApp) {
      this.#problem(`an app has at most ${connectionsPerApp} connections`);
      return peer.close(POLICY, 'too many connections');
    }
    peer.caller = caller;
    peer.send(frame({ type: 'AuthenticationUpdate', connectionId: peer.id }));
  }

  #subscribing(message: Subscribing): void {
    const peer = this.#peer;
    const { limits, clock } = this.#desk;
    if (peer.caller === undefined)
      return peer.send(frame({ type: 'SubscribeNotAuthenticatedUpdate', connectionId: peer.id }));
    if (!this.#window.take(clock.now()))
      return this.#problem(`a connection makes at most ${limits.requestsPerMinute} requests a minute`);
    if (message.subscriptionIds.some((id) => id.length > limits.subscriptionIdMax))
      return this.#problem(`an id has at most ${limits.subscriptionIdMax} characters`);
    const ids = [...new Set(message.subscriptionIds)];
    if (message.action === 'unsubscribe') this.#unsubscribe(message.subscriptionType, ids);
    else this.#subscribe(message.subscriptionType, ids);
  }

  /** Every id is confirmed, also one that names nothing; what it names is told from then on. */
  #subscribe(type: SubscriptionType, ids: readonly string[]): void {
    const peer = this.#peer;
    const { limits, subscriptions, snapshots, feed } = this.#desk;
    const fresh = ids.filter((id) => !subscriptions.has(peer, type, id));
    if (subscriptions.count(peer) + fresh.length > limits.subscriptionsMax)
      return this.#problem(`a connection has at most ${limits.subscriptionsMax} active subscriptions`);
    for (const id of ids) {
      subscriptions.add(peer, type, id);
      peer.send(frame({ type: 'SubscribeUpdate', subscriptionType: type, subscriptionId: id }));
    }
    if (type === 'MarketPriceUpdate') for (const id of ids) snapshots.ask(peer, feed.marketsOf(peer, id));
  }

  #unsubscribe(type: SubscriptionType, ids: readonly string[]): void {
    for (const id of ids) {
      this.#desk.subscriptions.remove(this.#peer, type, id);
      this.#peer.send(frame({ type: 'UnsubscribeUpdate', subscriptionType: type, subscriptionId: id }));
    }
  }

  #problem(message: string): void {
    const peer = this.#peer;
    peer.send(frame({ message, connectionId: peer.id, requestId: peer.nextRequestId() }));
  }
}
