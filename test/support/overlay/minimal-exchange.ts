/**
 * The smallest exchange that an overlay needs: it takes, rests and cancels our orders, and keeps what became of each.
 */

import type { Money } from '../../../src/core/number/units.ts';
import { crosses, oppositeIndex, type SideIndex } from '../../../src/core/side.ts';
import { type FillSink, type Liquidity, RECORDED } from '../../../src/matching/book/liquidity.ts';
import type { RestingFillSink } from '../../../src/simulator/overlay/overlay-liquidity.ts';

export interface OwnRequest {
  readonly client: number;
  readonly outcome: number;
  readonly side: SideIndex;
  readonly tick: number;
  readonly stake: Money;
}

/**
 * One fill. `recorded`: a recorded trade or increase filled the order while it rested. `took`: the order took resting
 * stake. `own`: another order of ours took it.
 */
export interface OwnFill {
  readonly client: number;
  readonly how: 'recorded' | 'took' | 'own';
  readonly tick: number;
  readonly stake: number;
  /** For `took`: whether the maker was recorded stake. */
  readonly fromRecorded: boolean;
}

export interface PlacedOrder extends OwnRequest {
  unmatched: number;
  matched: number;
  voided: number;
}

/** Unlike the exchange's, slots are reused as soon as they are free, lowest first, which is a harder test. */
export class MinimalExchange implements RestingFillSink, FillSink {
  readonly fills: OwnFill[] = [];
  readonly orders = new Map<number, PlacedOrder>();
  /** Called after each piece that the recording filled was taken off its order: for sinks that do more. */
  afterFill: (client: number) => void = () => {};
  /** Called at each piece of a resting order, whatever filled it. */
  onMaker: (order: PlacedOrder, how: 'recorded' | 'own') => void = () => {};
  #liquidity: Liquidity | undefined;
  readonly #clientOfSlot = new Map<number, number>();
  readonly #slotOfClient = new Map<number, number>();
  readonly #new = new Set<number>();
  #taker: PlacedOrder | undefined;
  #takenAt = 0;

  tradeOn(liquidity: Liquidity): void {
    this.#liquidity = liquidity;
  }

  place(request: OwnRequest): void {
    const order: PlacedOrder = { ...request, unmatched: request.stake, matched: 0, voided: 0 };
    this.orders.set(request.client, order);
    this.#new.add(request.client);
    const { outcome, side } = order;
    const maker = oppositeIndex(side);
    this.#taker = order;
    for (;;) {
      const tick = this.#book.bestTick(outcome, maker);
      if (order.unmatched === 0 || tick === -1 || !crosses(side, order.tick, tick)) break;
      this.#takenAt = tick;
      const consumed = this.#book.consume({ outcome, side: maker, tick }, order.unmatched as Money, this);
      const isShown = this.#book.bestTick(outcome, maker) === tick;
      if (consumed <= 0 && isShown) throw new Error(`nothing to consume at tick ${tick}, though it is displayed`);
      order.unmatched -= consumed;
      order.matched += consumed;
    }
    this.#taker = undefined;
    if (order.unmatched === 0) return;
    let slot = 0;
    while (this.#clientOfSlot.has(slot)) slot += 1;
    this.#clientOfSlot.set(slot, order.client);
    this.#slotOfClient.set(order.client, slot);
    this.#book.rest({ slot, outcome, side, tick: order.tick, stake: order.unmatched as Money });
  }

  cancel(client: number): void {
    const slot = this.#slotOfClient.get(client);
    const order = this.orders.get(client);
    if (slot === undefined || order === undefined) return;
    this.#book.withdraw(slot);
    this.#free(slot, client);
    order.voided = order.unmatched;
    order.unmatched = 0;
  }

  filled(maker: number, stake: Money): void {
    const taker = this.#taker!;
    const fromRecorded = maker === RECORDED;
    this.fills.push({ client: taker.client, how: 'took', tick: this.#takenAt, stake, fromRecorded });
    if (!fromRecorded) this.#matched(maker, stake, 'own');
  }

  fillResting(slot: number, stake: Money): void {
    this.#book.reduce(slot, stake);
    this.afterFill(this.#matched(slot, stake, 'recorded'));
  }

  /** Whether there was no update since an order was placed. */
  isNew(client: number): boolean {
    return this.#new.has(client);
  }

  updateEnded(): void {
    this.#new.clear();
  }

  resting(): PlacedOrder[] {
    return [...this.#slotOfClient.keys()].map((client) => this.orders.get(client)!);
  }

  matched(client: number): number {
    return this.orders.get(client)?.matched ?? 0;
  }

  #matched(slot: number, stake: number, how: 'recorded' | 'own'): number {
    const client = this.#clientOfSlot.get(slot);
    if (client === undefined) throw new Error(`a fill of slot ${slot}, where nothing rests`);
    const order = this.orders.get(client)!;
    if (stake <= 0 || stake > order.unmatched) throw new Error(`order ${client} cannot match ${stake}`);
    order.unmatched -= stake;
    order.matched += stake;
    this.onMaker(order, how);
    this.fills.push({ client, how, tick: order.tick, stake, fromRecorded: how === 'recorded' });
    if (order.unmatched === 0) this.#free(slot, client);
    return client;
  }

  #free(slot: number, client: number): void {
    this.#clientOfSlot.delete(slot);
    this.#slotOfClient.delete(client);
  }

  get #book(): Liquidity {
    if (this.#liquidity === undefined) throw new Error('the exchange has no book');
    return this.#liquidity;
  }
}
