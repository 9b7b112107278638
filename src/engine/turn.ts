/** One pass through the pipeline: an input, whom it concerns, what they wish, and what is sent. */

import type { Intent } from '../core/intent.ts';
import type { CancelReply, FeedMessage, HeartbeatReply, PlaceReply } from '../exchange/gateway.ts';
import type { Approved } from '../risk/judge.ts';
import type { Why } from '../strategy/contract.ts';
import type { OwnOrder } from './own-order.ts';
import type { Runtime } from './runtime.ts';

/** Everything that can make the engine act, in one stream. */
export type Input =
  | FeedMessage
  | { readonly kind: 'placeReply'; readonly orders: readonly OwnOrder[]; readonly reply: PlaceReply }
  | { readonly kind: 'cancelReply'; readonly orders: readonly OwnOrder[]; readonly reply: CancelReply }
  | { readonly kind: 'heartbeatReply'; readonly reply: HeartbeatReply; readonly sentAt: number }
  | { readonly kind: 'timer'; readonly runtime: Runtime; readonly due: number }
  /** A stream strategy emitted outside a call. */
  | { readonly kind: 'intents'; readonly runtime: Runtime; readonly intents: readonly Intent[] }
  | { readonly kind: 'kill' };

/** Reused from pass to pass: only `takePlaces` and `takeCancels` hand out what may be kept. */
export class Turn {
  at = 0;
  readonly calls: Runtime[] = [];
  readonly whys: Why[] = [];
  readonly wishers: Runtime[] = [];
  readonly wishes: (readonly Intent[])[] = [];
  #number = 0;
  #places: OwnOrder[] = [];
  #cancels: OwnOrder[] = [];

  begin(at: number): void {
    this.at = at;
    this.#number += 1;
    this.calls.length = 0;
    this.whys.length = 0;
    this.wishers.length = 0;
    this.wishes.length = 0;
  }

  /** Once per turn, however many of its orders a reply speaks of: a second call could not know what the first asked for. */
  call(runtime: Runtime, why: Why): void {
    if (runtime.calledIn === this.#number) return;
    runtime.calledIn = this.#number;
    this.calls.push(runtime);
    this.whys.push(why);
  }

  wish(runtime: Runtime, intents: readonly Intent[]): void {
    if (intents.length === 0) return;
    this.wishers.push(runtime);
    this.wishes.push(intents);
  }

  /** Only what risk approved is sent. */
  place(order: OwnOrder, _approval: Approved): void {
    this.#places.push(order);
  }

  cancel(order: OwnOrder): void {
    this.#cancels.push(order);
  }

  get hasPlaces(): boolean {
    return this.#places.length > 0;
  }

  get hasCancels(): boolean {
    return this.#cancels.length > 0;
  }

  takePlaces(): readonly OwnOrder[] {
    const places = this.#places;
    this.#places = [];
    return places;
  }

  takeCancels(): readonly OwnOrder[] {
    const cancels = this.#cancels;
    this.#cancels = [];
    return cancels;
  }
}
