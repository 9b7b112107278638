/** How orders fared by what stood ahead of them in their queues, over all orders of a run. */

import type { OrderRow } from '../../result/result.ts';

export interface QueueBand {
  readonly label: string;
  /** Orders that the exchange accepted, and how many of them were matched whole and in part. */
  readonly orders: number;
  readonly whole: number;
  readonly part: number;
  readonly stake: number;
  readonly matched: number;
  /** The median time from arrival to end of those matched whole; absent where none was. */
  readonly medianWaitMs?: number;
}

/** The bands by how many times an order's own stake stood ahead of it. */
const EDGES = [0, 1, 5, 20, 100];
const TOOK = 'took at once, never rested';

/** The bands of the central flow. Bands without an order are left out. */
export function queueBands(rows: Iterable<OrderRow>): readonly QueueBand[] {
  const bands = [TOOK, ...EDGES.map(labelOf)].map((label) => new GrowingBand(label));
  for (const order of rows) {
    if (order.flow !== 'central' || order.status === undefined) continue;
    bands[bandOf(order)]?.add(order);
  }
  return bands.flatMap((band) => (band.orders === 0 ? [] : [band.done()]));
}

function labelOf(from: number, at: number): string {
  const to = EDGES[at + 1];
  if (at === 0) return 'less than its own stake';
  return to === undefined ? `${from} times its stake and more` : `${from} to ${to} times its stake`;
}

function bandOf({ queueAhead, stake }: OrderRow): number {
  if (queueAhead === undefined) return 0;
  const times = stake > 0 ? queueAhead / stake : 0;
  return EDGES.findLastIndex((from) => times >= from) + 1;
}

class GrowingBand {
  readonly #label: string;
  orders = 0;
  #whole = 0;
  #part = 0;
  #stake = 0;
  #matched = 0;
  readonly #waits: number[] = [];

  constructor(label: string) {
    this.#label = label;
  }

  add({ stake, stakeMatched, arrivedAt, endedAt }: OrderRow): void {
    this.orders += 1;
    this.#stake += stake;
    this.#matched += stakeMatched;
    if (stakeMatched > 0 && stakeMatched < stake) this.#part += 1;
    if (stakeMatched < stake) return;
    this.#whole += 1;
    if (arrivedAt !== undefined && endedAt !== undefined) this.#waits.push(endedAt - arrivedAt);
  }

  done(): QueueBand {
    const waits = Float64Array.from(this.#waits).sort();
    const median = waits[Math.floor(waits.length / 2)];
    const band = {
      label: this.#label,
      orders: this.orders,
      whole: this.#whole,
      part: this.#part,
      stake: this.#stake,
      matched: this.#matched,
    };
    return median === undefined ? band : { ...band, medianWaitMs: median };
  }
}
