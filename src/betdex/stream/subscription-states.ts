/** What one connection has asked the exchange for, and how far each subscription has got. */

import type { SubscriptionType } from '../wire/basics/enums.ts';

export interface SubscriptionKey {
  readonly type: SubscriptionType;
  readonly id: string;
}

/** Ids of one type, sorted: what one message asks for. */
export interface SubscriptionBatch {
  readonly type: SubscriptionType;
  readonly ids: readonly string[];
}

/** `silent`: asked for and not confirmed in time. `leaving`: the unsubscription is on its way. */
type State = 'waiting' | 'asked' | 'silent' | 'confirmed' | 'leaving';

interface Entry extends SubscriptionKey {
  state: State;
  /** Replies still to come; only the last one tells where the exchange stands. */
  replies: number;
  askedAt: number;
}

/** Where requests are scarce, money comes first. */
const TYPES_BY_NEED: readonly SubscriptionType[] = [
  'OrderUpdate',
  'WalletUpdate',
  'MarketStatusUpdate',
  'MarketPriceUpdate',
  'MarketUpdate',
  'EventUpdate',
];

export class SubscriptionStates {
  readonly #entries = new Map<string, Entry>();
  #waiting = 0;
  #asked = 0;

  constructor(wanted: Iterable<SubscriptionKey>) {
    for (const { type, id } of wanted) this.want(type, id);
  }

  /** How many could not be asked for yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether each is confirmed or given up. */
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

  /** Whether the exchange must be told. */
  unwant(type: SubscriptionType, id: string): boolean {
    const entry = this.#entries.get(keyOf(type, id));
    if (entry === undefined || entry.state === 'leaving') return false;
    const wasAsked = entry.state !== 'waiting';
    // What was refused gets no reply any more, and nobody waits for one.
    if (entry.state === 'silent') entry.replies = 0;
    this.#move(entry, 'leaving');
    if (wasAsked) entry.replies += 1;
    if (entry.replies === 0) this.#entries.delete(keyOf(type, id));
    return wasAsked;
  }

  /** Marks at most `room` ids as asked for, and gives them as one message a type. */
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

  /** Takes the exchange's reply; the subscription that it settled, if it settled one. */
  reply(kind: 'SubscribeUpdate' | 'UnsubscribeUpdate', type: string, id: string): SubscriptionKey | undefined {
    const entry = this.#entries.get(keyOf(type, id));
    if (entry === undefined || entry.replies === 0) return undefined;
    // The late reply to what was given up: the end is confirmed by a reply of its own.
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

  /** Gives up waiting for what was asked for at the given time or before. */
  giveUp(askedUntil: number): readonly SubscriptionKey[] {
    const late = [...this.#entries.values()].filter(({ state, askedAt }) => state === 'asked' && askedAt <= askedUntil);
    for (const entry of late) this.#move(entry, 'silent');
    return late;
  }

  /** What was given up waits to be asked for again: the exchange may have refused it for want of room. */
  askAgain(): void {
    for (const entry of this.#entries.values()) {
      if (entry.state !== 'silent') continue;
      this.#move(entry, 'waiting');
      entry.replies = 0;
    }
  }

  /** When the longest unanswered subscription was asked for. */
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

/** No type holds a space. */
function keyOf(type: string, id: string): string {
  return `${type} ${id}`;
}
