/** One pass through the pipeline: an input, whom it concerns, what they wish, and what is sent. */

import type { Observable } from 'rxjs';
import type { Intent } from '../../core/intent.ts';
import type { CancelReply, FeedMessage, HeartbeatReply, PlaceReply } from '../../exchange/gateway.ts';
import type { BooksReply } from '../../exchange/live-gateway.ts';
import type { Approved } from '../../risk/judge.ts';
import type { Why } from '../../strategy/contract.ts';
import type { StrategyFailure } from '../guest/guest.ts';
import type { BotCommand } from './bot-command.ts';
import type { OwnOrder } from './own-order.ts';
import type { StrategyInMarket, StrategyInstance, StrategyVersion } from './strategy-in-market.ts';

/** Everything that can make the engine act, in one stream. */
export type Input =
  | FeedMessage
  | PlaceReplied
  | CancelReplied
  | { readonly kind: 'heartbeatReply'; readonly reply: HeartbeatReply; readonly sentAt: number }
  | { readonly kind: 'timer'; readonly inMarket: StrategyInMarket; readonly due: number }
  /** A stream strategy emitted outside a call. */
  | { readonly kind: 'intents'; readonly inMarket: StrategyInMarket; readonly intents: readonly Intent[] }
  /** A strategy failed outside of any call: a promise of its was rejected, a timer of its threw. */
  | { readonly kind: 'strategyFailed'; readonly instance: StrategyInstance; readonly failure: StrategyFailure }
  | { readonly kind: 'kill' }
  /** Time goes on: what is due is looked after. */
  | { readonly kind: 'tick' }
  | { readonly kind: 'command'; readonly command: BotCommand }
  /** Another version of a strategy, while it is flat. */
  | {
      readonly kind: 'reseat';
      readonly instance: StrategyInstance;
      readonly version: StrategyVersion;
      readonly sha256: string;
    }
  | { readonly kind: 'books'; readonly reply: BooksReply }
  | { readonly kind: 'heartbeatCleared'; readonly reply: HeartbeatReply };

export interface PlaceReplied {
  readonly kind: 'placeReply';
  readonly orders: readonly OwnOrder[];
  readonly reply: PlaceReply;
}

export interface CancelReplied {
  readonly kind: 'cancelReply';
  readonly orders: readonly OwnOrder[];
  readonly reply: CancelReply;
}

/** Reused from pass to pass: only `takePlaces` and `takeCancels` hand out what may be kept. */
export class Step {
  at = 0;
  /** Whom to call and why, as far as `callCount`: the lists are written over, since emptying and filling them anew costs more. */
  readonly calls: StrategyInMarket[] = [];
  readonly whys: Why[] = [];
  callCount = 0;
  /** Who wishes what, as far as `proposalCount`. */
  readonly proposers: StrategyInMarket[] = [];
  readonly proposals: (readonly Intent[])[] = [];
  proposalCount = 0;
  readonly #laterCalls: StrategyInMarket[] = [];
  readonly #laterWhys: Why[] = [];
  #number = 0;
  /** How much waits to be sent. */
  #work = 0;
  #places: OwnOrder[] = [];
  #cancels: OwnOrder[] = [];
  #requests: Observable<Input>[] = [];

  begin(at: number): void {
    this.at = at;
    this.#number += 1;
    this.callCount = 0;
    this.proposalCount = 0;
  }

  /** Once per turn, however many of its orders a reply speaks of: a second call could not know what the first asked for. */
  call(inMarket: StrategyInMarket, why: Why): void {
    if (inMarket.calledIn === this.#number) return;
    inMarket.calledIn = this.#number;
    this.calls[this.callCount] = inMarket;
    this.whys[this.callCount] = why;
    this.callCount += 1;
  }

  /**
   * Asks it after what is wished so far was judged, though it was to be asked before: the one call shows what came of
   * those wishes.
   */
  callAfter(inMarket: StrategyInMarket, why: Why): void {
    const at = this.calls.indexOf(inMarket);
    if (at >= 0 && at < this.callCount) {
      this.calls.splice(at, 1);
      this.whys.splice(at, 1);
      this.callCount -= 1;
    } else if (inMarket.calledIn === this.#number) return;
    inMarket.calledIn = this.#number;
    this.#laterCalls.push(inMarket);
    this.#laterWhys.push(why);
  }

  /** Moves on to the calls that waited for what was judged; false where there are none. */
  nextCalls(): boolean {
    if (this.#laterCalls.length === 0) return false;
    this.calls.splice(0, this.calls.length, ...this.#laterCalls);
    this.whys.splice(0, this.whys.length, ...this.#laterWhys);
    this.callCount = this.calls.length;
    this.proposalCount = 0;
    this.#laterCalls.length = 0;
    this.#laterWhys.length = 0;
    return true;
  }

  propose(inMarket: StrategyInMarket, intents: readonly Intent[]): void {
    if (intents.length === 0) return;
    this.proposers[this.proposalCount] = inMarket;
    this.proposals[this.proposalCount] = intents;
    this.proposalCount += 1;
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

  /** Something else to ask of the exchange; its answer comes back as an input. */
  addRequest(work$: Observable<Input>): void {
    this.#work += 1;
    this.#requests.push(work$);
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

  /** What is about to be sent, to be read only. */
  get sending(): { readonly places: readonly OwnOrder[]; readonly cancels: readonly OwnOrder[] } {
    return { places: this.#places, cancels: this.#cancels };
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
}

const NOTHING: readonly never[] = [];

/** A list made with its first item takes a third of the memory of one that an item is added to. */
function withItem<Item>(list: Item[], item: Item): Item[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}
