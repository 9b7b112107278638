/** One pass through the pipeline: an input, the strategies that it concerns, what they propose, and what is sent. */

import type { Observable } from 'rxjs';
import type { Intent } from '../../core/intent.ts';
import type { Money } from '../../core/number/units.ts';
import type { CancelReply, FeedMessage, HeartbeatReply, PlaceReply } from '../../exchange/gateway.ts';
import type { AccountSnapshotReply } from '../../exchange/live-gateway.ts';
import type { Approved } from '../../risk/judge.ts';
import type { Why } from '../../strategy/contract.ts';
import type { StrategyFailure } from '../guest/guest.ts';
import type { BotCommand } from './bot-command.ts';
import type { OwnOrder } from './own-order.ts';
import { ReusedList } from './reused-list.ts';
import type { StrategyInMarket, StrategyInstance, StrategyVersion } from './strategy-in-market.ts';

/** Everything that can make the engine act. */
export type Input =
  | FeedMessage
  | PlaceReplied
  | CancelReplied
  | ReduceReplied
  | { readonly kind: 'heartbeatReply'; readonly reply: HeartbeatReply; readonly sentAt: number }
  | { readonly kind: 'timer'; readonly inMarket: StrategyInMarket; readonly due: number }
  /** A stream strategy emitted outside a call. */
  | { readonly kind: 'intents'; readonly inMarket: StrategyInMarket; readonly intents: readonly Intent[] }
  /** A strategy failed outside of any call: one of its promises was rejected, or one of its timers threw. */
  | { readonly kind: 'strategyFailed'; readonly instance: StrategyInstance; readonly failure: StrategyFailure }
  /** Time has passed: everything that is due is done. */
  | { readonly kind: 'tick' }
  | { readonly kind: 'command'; readonly command: BotCommand }
  /** Another version replaces a strategy, which holds nothing and has no live order. */
  | {
      readonly kind: 'reload';
      readonly instance: StrategyInstance;
      readonly version: StrategyVersion;
      readonly sha256: string;
    }
  | { readonly kind: 'books'; readonly reply: AccountSnapshotReply }
  | { readonly kind: 'heartbeatCleared'; readonly reply: HeartbeatReply };

export interface PlaceReplied {
  readonly kind: 'placeReply';
  readonly orders: readonly OwnOrder[];
  readonly reply: PlaceReply;
}

export interface ReduceReplied {
  readonly kind: 'reduceReply';
  readonly order: OwnOrder;
  readonly reply: CancelReply;
}

/** How much of an order is to be cancelled. */
export interface Reduction {
  readonly order: OwnOrder;
  readonly stake: Money;
}

export interface CancelReplied {
  readonly kind: 'cancelReply';
  readonly orders: readonly OwnOrder[];
  readonly reply: CancelReply;
}

/** One object, used again for every input: only `takePlaces` and `takeCancels` hand out what may be kept. */
export class Step {
  /** The run's own time, ms UTC. */
  at = 0;
  /** What strategies propose, not judged yet. */
  readonly proposals = new ReusedList<StrategyInMarket, readonly Intent[]>();
  #calls = new ReusedList<StrategyInMarket, Why>();
  /** Calls that wait until the proposals were judged. */
  #laterCalls = new ReusedList<StrategyInMarket, Why>();
  #number = 0;
  /** How much waits to be sent. */
  #work = 0;
  #places: OwnOrder[] = [];
  #cancels: OwnOrder[] = [];
  #reductions: Reduction[] = [];
  #requests: Observable<Input>[] = [];

  begin(at: number): void {
    this.at = at;
    this.#number += 1;
    this.#calls.clear();
    this.proposals.clear();
  }

  /** Which strategies are called in which markets, and why. */
  get calls(): ReusedList<StrategyInMarket, Why> {
    return this.#calls;
  }

  /**
   * Calls a strategy once per step, however many of its orders a reply speaks of: a second call could not know what the first
   * asked for.
   */
  call(inMarket: StrategyInMarket, why: Why): void {
    if (inMarket.calledIn === this.#number) return;
    inMarket.calledIn = this.#number;
    this.#calls.push(inMarket, why);
  }

  /**
   * Calls a strategy once what is proposed so far was judged, and not before, so that its one call of this step shows what
   * came of those proposals.
   */
  callAfterJudging(inMarket: StrategyInMarket, why: Why): void {
    if (!this.#calls.remove(inMarket) && inMarket.calledIn === this.#number) return;
    inMarket.calledIn = this.#number;
    this.#laterCalls.push(inMarket, why);
  }

  /** Moves on to the calls that waited for what was judged; false where there are none. */
  nextCalls(): boolean {
    if (this.#laterCalls.length === 0) return false;
    const done = this.#calls;
    this.#calls = this.#laterCalls;
    this.#laterCalls = done;
    done.clear();
    this.proposals.clear();
    return true;
  }

  propose(inMarket: StrategyInMarket, intents: readonly Intent[]): void {
    if (intents.length > 0) this.proposals.push(inMarket, intents);
  }

  /** Only what risk approved is sent. */
  place(order: OwnOrder, _approval: Approved): void {
    this.#work += 1;
    this.#places = withItem(this.#places, order);
  }

  cancel(order: OwnOrder): void {
    this.#work += 1;
    this.#cancels = withItem(this.#cancels, order);
  }

  reduce(reduction: Reduction): void {
    this.#work += 1;
    this.#reductions = withItem(this.#reductions, reduction);
  }

  /** A request other than orders and cancellations; its reply becomes an input. */
  addRequest(reply$: Observable<Input>): void {
    this.#work += 1;
    this.#requests.push(reply$);
  }

  /** Whether anything is to be sent. */
  get hasWork(): boolean {
    return this.#work > 0;
  }

  takeRequests(): readonly Observable<Input>[] {
    if (this.#requests.length === 0) return NOTHING;
    const requests = this.#requests;
    this.#work -= requests.length;
    this.#requests = [];
    return requests;
  }

  /** What of orders is about to be sent. */
  get sending(): readonly { readonly request: 'cancel' | 'reduce' | 'place'; readonly orders: readonly OwnOrder[] }[] {
    return [
      { request: 'cancel', orders: this.#cancels },
      { request: 'reduce', orders: this.#reductions.map(({ order }) => order) },
      { request: 'place', orders: this.#places },
    ];
  }

  /** Whether anything of orders is about to be sent. */
  get hasOrderWork(): boolean {
    return this.#cancels.length + this.#reductions.length + this.#places.length > 0;
  }

  takePlaces(): readonly OwnOrder[] {
    if (this.#places.length === 0) return NOTHING;
    const places = this.#places;
    this.#work -= places.length;
    this.#places = [];
    return places;
  }

  takeCancels(): readonly OwnOrder[] {
    if (this.#cancels.length === 0) return NOTHING;
    const cancels = this.#cancels;
    this.#work -= cancels.length;
    this.#cancels = [];
    return cancels;
  }

  takeReductions(): readonly Reduction[] {
    if (this.#reductions.length === 0) return NOTHING;
    const reductions = this.#reductions;
    this.#work -= reductions.length;
    this.#reductions = [];
    return reductions;
  }
}

const NOTHING: readonly never[] = [];

/** `[item]` allocates one element; `push` onto `[]` allocates 17 (V8). */
function withItem<Item>(list: Item[], item: Item): Item[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}
