/** Handles the frames of a client: confirmations, snapshots, problems, or no answer. */

import type { SubscriptionType } from '../../betdex/wire/basics/enums.ts';
import { type ClientMessage, clientFrameFromWire } from '../../betdex/wire/messages/stream-codec.ts';
import { faultText } from '../../codec/fault.ts';
import type { Clock } from '../../time/clock.ts';
import type { Caller } from '../operations/shared/operation.ts';
import type { World } from '../world/world.ts';
import type { AppUsage } from './app-usage.ts';
import type { Feed } from './feed.ts';
import { frame } from './frame.ts';
import { type Peer, POLICY } from './peer.ts';
import type { SnapshotQueues } from './snapshot-queues.ts';
import type { StreamLimits } from './stream-limits.ts';
import type { Subscriptions } from './subscriptions.ts';
import { isForeignOrderTopic } from './visibility.ts';

type Subscribing = Exclude<ClientMessage, { readonly action: 'authenticate' }>;

export interface RequestContext {
  readonly clock: Clock;
  readonly world: World;
  readonly limits: StreamLimits;
  readonly feed: Feed;
  readonly subscriptions: Subscriptions<Peer>;
  readonly snapshots: SnapshotQueues;
  /** The caller of an access token; undefined where it is not valid. */
  readonly callerOf: (token: string) => Caller | undefined;
  readonly usage: AppUsage;
}

export class Requests {
  readonly #context: RequestContext;
  readonly #peer: Peer;

  constructor(context: RequestContext, peer: Peer) {
    this.#context = context;
    this.#peer = peer;
  }

  handle(text: string): void {
    for (const message of clientFrameFromWire(text)) {
      // An earlier message of the frame may have ended the connection.
      if (this.#peer.hasEnded) return;
      if (message.kind !== 'read') this.#problem(message.faults.map(faultText).join('; '));
      else this.#handleMessage(message.value);
    }
  }

  /** Answers a binary frame with a problem. */
  refuseBinary(): void {
    this.#problem('a frame is text');
  }

  #handleMessage(message: ClientMessage): void {
    if (message.action === 'authenticate') this.#authenticate(message.accessToken);
    else this.#subscribing(message);
  }

  /** An invalid token gets no reply and changes nothing (profile section 5). */
  #authenticate(token: string): void {
    const peer = this.#peer;
    const caller = this.#context.callerOf(token);
    if (caller === undefined) return;
    const refusal = this.#context.usage.refuseConnection(peer, caller.app);
    if (refusal !== undefined) {
      this.#problem(refusal);
      return peer.close(POLICY, refusal);
    }
    peer.caller = caller;
    peer.send(frame({ type: 'AuthenticationUpdate', connectionId: peer.id }));
  }

  #subscribing({ action, subscriptionType: type, subscriptionIds }: Subscribing): void {
    const peer = this.#peer;
    const { limits } = this.#context;
    const { caller } = peer;
    if (caller === undefined)
      return peer.send(frame({ type: 'SubscribeNotAuthenticatedUpdate', connectionId: peer.id }));
    if (subscriptionIds.some((id) => id.length > limits.subscriptionIdMax))
      return this.#problem(`an id has at most ${limits.subscriptionIdMax} characters`);
    const ids = [...new Set(subscriptionIds)];
    if (action === 'unsubscribe') this.#unsubscribe(type, ids);
    else this.#subscribe(caller, type, ids);
  }

  /** Subscribes to ids. Every id is confirmed, even one that names nothing yet. */
  #subscribe(caller: Caller, type: SubscriptionType, asked: readonly string[]): void {
    const peer = this.#peer;
    const { limits, subscriptions, snapshots, feed, usage, clock } = this.#context;
    if (!usage.takeRequests(caller.app, asked.length, clock.now()))
      return this.#problem(`an app subscribes to at most ${limits.requestsPerMinute} ids a minute`);
    const ids = this.#withoutForeign(caller, type, asked);
    const fresh = ids.filter((id) => !subscriptions.has(peer, type, id));
    if (!usage.hasRoomFor(caller.app, fresh.length))
      return this.#problem(`an app has at most ${limits.subscriptionsMax} active subscriptions`);
    for (const id of ids) {
      subscriptions.add(peer, type, id);
      peer.send(frame({ type: 'SubscribeUpdate', subscriptionType: type, subscriptionId: id }));
    }
    if (type === 'MarketPriceUpdate') for (const id of ids) snapshots.requestSnapshots(peer, feed.marketsOf(peer, id));
  }

  /** The ids that the caller may subscribe to; each of the others is answered by a problem. */
  #withoutForeign(caller: Caller, type: SubscriptionType, ids: readonly string[]): readonly string[] {
    if (type !== 'OrderUpdate') return ids;
    return ids.filter((id) => {
      const isForeign = isForeignOrderTopic(this.#context.world, caller, id);
      if (isForeign) this.#problem(`${id}: orders of another app are not reported`);
      return !isForeign;
    });
  }

  #unsubscribe(type: SubscriptionType, ids: readonly string[]): void {
    for (const id of ids) {
      this.#context.subscriptions.remove(this.#peer, type, id);
      this.#peer.send(frame({ type: 'UnsubscribeUpdate', subscriptionType: type, subscriptionId: id }));
    }
  }

  #problem(message: string): void {
    const peer = this.#peer;
    peer.send(frame({ message, connectionId: peer.id, requestId: peer.nextRequestId() }));
  }
}
