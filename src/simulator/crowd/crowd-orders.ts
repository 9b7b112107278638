/**
 * What the crowd remembers of its own orders: which are alive, their queue at each level, and when each is given up.
 */

import { assert, defined } from '../../core/checks/assert.ts';
import { TICK_COUNT } from '../../core/number/ladder.ts';
import { DueHeap } from '../../matching/columns/due-heap.ts';
import type { CancelHabit } from './crowd-profile.ts';

const NONE = -1;

/**
 * Slots are reused once an order's life is over. Each slot owns one life token, counted up, so that of lives that end at
 * one instant the older one ends first; a cancel habit may swap tokens between orders, but never drops one.
 */
export class CrowdOrders {
  readonly #lives = new DueHeap();
  readonly #slotByOrder = new Map<number, number>();
  readonly #order: number[] = [];
  readonly #alive: boolean[] = [];
  readonly #level: number[] = [];
  readonly #older: number[] = [];
  readonly #newer: number[] = [];
  readonly #tokenOfSlot: number[] = [];
  readonly #slotOfToken = new Map<number, number>();
  #tokens = 0;
  readonly #freeSlots: number[] = [];
  readonly #oldestAt: Int32Array;
  readonly #newestAt: Int32Array;

  constructor(outcomes: number) {
    this.#oldestAt = new Int32Array(outcomes * 2 * TICK_COUNT).fill(NONE);
    this.#newestAt = new Int32Array(outcomes * 2 * TICK_COUNT).fill(NONE);
  }

  /** When the next life ends; Infinity where the crowd has no orders. */
  get nextEndAt(): number {
    return this.#lives.nextDue;
  }

  /** Whether the order whose life ends next can still be matched. */
  get nextIsAlive(): boolean {
    return this.#alive[this.#nextSlot] ?? false;
  }

  /** Takes a slot for an order that is about to be placed. */
  add({ level, endsAt }: { readonly level: number; readonly endsAt: number }): number {
    const slot = this.#freeSlots.pop() ?? this.#order.length;
    const token = this.#tokens++;
    this.#order[slot] = NONE;
    this.#alive[slot] = false;
    this.#level[slot] = level;
    this.#tokenOfSlot[slot] = token;
    this.#slotOfToken.set(token, slot);
    this.#lives.push(endsAt, token);
    return slot;
  }

  /** The exchange accepted the order: from now on it is known by this id and stands in its level's queue. */
  accepted(slot: number, order: number): void {
    this.#order[slot] = order;
    this.#alive[slot] = true;
    this.#slotByOrder.set(order, slot);
    const level = this.#level[slot] ?? 0;
    const newest = this.#newestAt[level] ?? NONE;
    this.#older[slot] = newest;
    this.#newer[slot] = NONE;
    if (newest === NONE) this.#oldestAt[level] = slot;
    else this.#newer[newest] = slot;
    this.#newestAt[level] = slot;
  }

  /** The order can no longer be matched. Orders of other traders are ignored. */
  ended(order: number): void {
    const slot = this.#slotByOrder.get(order);
    if (slot === undefined || !this.#alive[slot]) return;
    this.#alive[slot] = false;
    const level = this.#level[slot] ?? 0;
    const older = this.#older[slot] ?? NONE;
    const newer = this.#newer[slot] ?? NONE;
    if (older === NONE) this.#oldestAt[level] = newer;
    else this.#newer[older] = newer;
    if (newer === NONE) this.#newestAt[level] = older;
    else this.#older[newer] = older;
  }

  /**
   * Ends the next life and returns the id of the order to be cancelled; undefined where the exchange refused that
   * order.
   */
  endNext(habit: CancelHabit): number | undefined {
    const chosen = this.#nextSlot;
    const slot = this.#alive[chosen] ? this.#victim(chosen, habit) : chosen;
    if (slot !== chosen) this.#swapTokens(slot, chosen);
    this.#slotOfToken.delete(this.#lives.next);
    this.#lives.pop();
    const order = this.#order[slot] ?? NONE;
    this.#slotByOrder.delete(order);
    if (this.#alive[slot]) this.#unlinkCancelled(slot, order);
    this.#freeSlots.push(slot);
    return order === NONE ? undefined : order;
  }

  get #nextSlot(): number {
    return defined(this.#slotOfToken.get(this.#lives.next), 'a token has a slot');
  }

  #victim(slot: number, habit: CancelHabit): number {
    if (habit === 'uniform') return slot;
    const level = this.#level[slot] ?? 0;
    const victim = (habit === 'newest-first' ? this.#newestAt : this.#oldestAt)[level] ?? NONE;
    assert(victim !== NONE, 'the level of a living order has a queue');
    return victim;
  }

  #swapTokens(a: number, b: number): void {
    const tokenA = this.#tokenOfSlot[a] ?? 0;
    const tokenB = this.#tokenOfSlot[b] ?? 0;
    this.#tokenOfSlot[a] = tokenB;
    this.#tokenOfSlot[b] = tokenA;
    this.#slotOfToken.set(tokenA, b);
    this.#slotOfToken.set(tokenB, a);
  }

  /** Frees the slot at once, so that the exchange's own event about the cancellation finds nothing to end. */
  #unlinkCancelled(slot: number, order: number): void {
    this.#slotByOrder.set(order, slot);
    this.ended(order);
    this.#slotByOrder.delete(order);
  }
}
