/** What one connection has subscribed to, and the state of each subscription. */

import type { SubscriptionType } from '../wire/basics/enums.ts';

export interface SubscriptionKey {
  readonly type: SubscriptionType;
  readonly id: string;
}

/** Ids of one type, sorted: the content of one message. */
export interface SubscriptionBatch {
  readonly type: SubscriptionType;
  readonly ids: readonly string[];
}

/** `silent`: requested, but not confirmed in time. `leaving`: the unsubscription was sent and is not confirmed yet. */
type State = 'waiting' | 'asked' | 'silent' | 'confirmed' | 'leaving';

interface Entry extends SubscriptionKey {
  state: State;
  /** Number of replies that are still due; only the last one shows the exchange's state. */
  replies: number;
  askedAt: number;
}

/** If requests are scarce, subscriptions about money come first. */
const TYPES_BY_NEED: readonly SubscriptionType[] = [
  'OrderUpdate',
  'WalletUpdate',
  'MarketStatusUpdate',
  'MarketPriceUpdate',
  'MarketUpdate',
  'EventUpdate',
];

/**
 * Counts the replies that are still due, because a subscription may be given up and requested again before the exchange has
 * replied.
 */
export class SubscriptionStates {
  readonly #entries = new Map<string, Entry>();
  #waiting = 0;
  #asked = 0;

  constructor(wanted: Iterable<SubscriptionKey>) {
    for (const { type, id } of wanted) this.want(type, id);
  }

  /** The number of subscriptions that could not be requested yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether every subscription is confirmed or given up. */
  get isSettled(): boolean {
    return this.#waiting + this.#asked === 0;
  }

  want(type: SubscriptionType, id: string): void {
    const entry = this.#entries.get(keyOf(type, id));
    if (entry === undefined) {
      this.#entries.set(keyOf(type, id), { type, id, state: 'waiting', replies: 0, askedAt: 0 });
      this.#waiting += 1;
    } else if (entry.state === 'leaving') this.#move(entry, 'waiting');
  }

  /** Gives up a subscription. Returns whether the exchange must be sent an unsubscription. */
  unwant(type: SubscriptionType, id: string): boolean {
    const entry = this.#entries.get(keyOf(type, id));
    if (entry === undefined || entry.state === 'leaving') return false;
    const wasAsked = entry.state !== 'waiting';
    // A subscription that was not confirmed in time gets no reply any more, so none is waited for.
    if (entry.state === 'silent') entry.replies = 0;
    this.#move(entry, 'leaving');
    if (wasAsked) entry.replies += 1;
    if (entry.replies === 0) this.#entries.delete(keyOf(type, id));
    return wasAsked;
  }

  /** Marks at most `room` ids as requested, and returns them as one message for each type. `now` is in ms. */
  ask(room: number, now: number): readonly SubscriptionBatch[] {
    if (this.#waiting === 0) return [];
    const batches: SubscriptionBatch[] = [];
    let left = room;
    for (const type of TYPES_BY_NEED) {
      const entries = this.#ofType(type).slice(0, left);
      if (entries.length === 0) continue;
      left -= entries.length;
      for (const entry of entries) {
        this.#move(entry, 'asked');
        entry.replies += 1;
        entry.askedAt = now;
      }
      batches.push({ type, ids: entries.map(({ id }) => id) });
    }
    return batches;
  }

  /** Applies the exchange's reply. Returns the subscription that is settled by it, if any. */
  reply(kind: 'SubscribeUpdate' | 'UnsubscribeUpdate', type: string, id: string): SubscriptionKey | undefined {
    const entry = this.#entries.get(keyOf(type, id));
    if (entry === undefined || entry.replies === 0) return undefined;
    // A late reply to a subscription that was given up: its end gets a reply of its own.
    if (kind === 'SubscribeUpdate' && entry.state === 'leaving' && entry.replies === 1) return undefined;
    entry.replies -= 1;
    if (entry.replies > 0) return undefined;
    if (kind === 'UnsubscribeUpdate') {
      if (entry.state !== 'leaving') return undefined;
      this.#entries.delete(keyOf(type, id));
      return entry;
    }
    if (entry.state !== 'asked' && entry.state !== 'silent') return undefined;
    this.#move(entry, 'confirmed');
    return entry;
  }

  /** Gives up the subscriptions that were requested at or before the given time. Returns them. */
  giveUp(askedUntil: number): readonly SubscriptionKey[] {
    const late = [...this.#entries.values()].filter(({ state, askedAt }) => state === 'asked' && askedAt <= askedUntil);
    for (const entry of late) this.#move(entry, 'silent');
    return late;
  }

  /** Puts given-up subscriptions back among those to be requested: the exchange may have refused them for lack of room. */
  askAgain(): void {
    for (const entry of this.#entries.values()) {
      if (entry.state !== 'silent') continue;
      this.#move(entry, 'waiting');
      entry.replies = 0;
    }
  }

  /** When the oldest unanswered subscription was requested, ms; undefined if there is none. */
  get firstAskedAt(): number | undefined {
    if (this.#asked === 0) return undefined;
    let first = Number.POSITIVE_INFINITY;
    for (const { state, askedAt } of this.#entries.values()) if (state === 'asked') first = Math.min(first, askedAt);
    return first;
  }

  isConfirmed({ type, id }: SubscriptionKey): boolean {
    return this.#entries.get(keyOf(type, id))?.state === 'confirmed';
  }

  confirmed(): readonly SubscriptionKey[] {
    return [...this.#entries.values()].filter(({ state }) => state === 'confirmed');
  }

  #ofType(type: SubscriptionType): readonly Entry[] {
    const entries = [...this.#entries.values()].filter((entry) => entry.type === type && entry.state === 'waiting');
    return entries.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  #move(entry: Entry, to: State): void {
    this.#count(entry.state, -1);
    this.#count(to, 1);
    entry.state = to;
  }

  #count(state: State, by: number): void {
    if (state === 'waiting') this.#waiting += by;
    if (state === 'asked') this.#asked += by;
  }
}

/** The map's key is unambiguous, because no type holds a space. */
function keyOf(type: string, id: string): string {
  return `${type} ${id}`;
}
