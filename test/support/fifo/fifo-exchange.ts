/**
 * An exchange of one outcome, order by order, first in, first out: the truth that a backtest is measured against. It shares
 * no code with `src`: lists, whole hundredths of a unit, and a ladder of its own.
 */

/** `back` rests above what is offered to backers, `lay` below: a back order matches lay orders at its price or better. */
export type Side = 'back' | 'lay';

/** Stakes are whole hundredths of a unit, prices are places on `PRICES`. */
export interface Order {
  readonly id: string;
  readonly side: Side;
  readonly place: number;
  readonly stake: number;
  /** Whether what is not matched at once stays. */
  readonly rests: boolean;
}

export type Command = { readonly at: number } & (
  | { readonly kind: 'place'; readonly order: Order }
  | { readonly kind: 'cancel'; readonly id: string }
);

export interface Resting {
  readonly order: Order;
  left: number;
}

export interface Match {
  readonly maker: Order;
  readonly taker: Order;
  readonly stake: number;
}

const STEPS = [
  [1.01, 2, 0.01],
  [2, 3, 0.02],
  [3, 4, 0.05],
  [4, 6, 0.1],
  [6, 10, 0.2],
  [10, 20, 0.5],
] as const;

/** The prices between 1.01 and 20 that an order may have. */
export const PRICES: readonly number[] = STEPS.flatMap(([from, to, step]) =>
  Array.from({ length: Math.round((to - from) / step) }, (_, at) => Number((from + at * step).toFixed(2))),
);

export class FifoExchange {
  readonly #levels: Readonly<Record<Side, Resting[][]>> = { back: PRICES.map(() => []), lay: PRICES.map(() => []) };
  readonly #resting = new Map<string, Resting>();
  readonly #matched = new Map<string, number>();
  /** Is told of each match, after both orders were reduced. */
  onMatch: (match: Match) => void = () => {};

  do(command: Command): void {
    if (command.kind === 'place') this.place(command.order);
    else this.cancel(command.id);
  }

  /** Matches the order, best price and then oldest order first, and lets the rest stand last at its price. */
  place(order: Order): void {
    let left = order.stake;
    while (left > 0) {
      const maker = this.#firstAgainst(order);
      if (maker === undefined) break;
      const stake = Math.min(left, maker.left);
      left -= stake;
      maker.left -= stake;
      if (maker.left === 0) this.#remove(maker);
      this.#add(maker.order.id, stake);
      this.#add(order.id, stake);
      this.onMatch({ maker: maker.order, taker: order, stake });
    }
    if (left === 0 || !order.rests) return;
    const resting = { order, left };
    this.#resting.set(order.id, resting);
    this.queue(order.side, order.place).push(resting);
  }

  /** Takes off what is left of an order. Nothing is left of one that was matched, was cancelled, or never rested. */
  cancel(id: string): void {
    const resting = this.#resting.get(id);
    if (resting !== undefined) this.#remove(resting);
  }

  matched(id: string): number {
    return this.#matched.get(id) ?? 0;
  }

  /** The orders that rest at a price, the oldest first. */
  queue(side: Side, place: number): Resting[] {
    return this.#levels[side][place] ?? [];
  }

  amount(side: Side, place: number): number {
    return this.queue(side, place).reduce((sum, { left }) => sum + left, 0);
  }

  /** The best price of resting orders: the lowest of back orders, the highest of lay orders. */
  best(side: Side): number | undefined {
    const levels = this.#levels[side];
    const found =
      side === 'back'
        ? levels.findIndex((queue) => queue.length > 0)
        : levels.findLastIndex((queue) => queue.length > 0);
    return found === -1 ? undefined : found;
  }

  #firstAgainst({ side, place }: Order): Resting | undefined {
    const maker = other(side);
    const best = this.best(maker);
    if (best === undefined || (side === 'back' ? best < place : best > place)) return undefined;
    return this.queue(maker, best)[0];
  }

  #remove(resting: Resting): void {
    const queue = this.queue(resting.order.side, resting.order.place);
    queue.splice(queue.indexOf(resting), 1);
    this.#resting.delete(resting.order.id);
  }

  #add(id: string, stake: number): void {
    this.#matched.set(id, this.matched(id) + stake);
  }
}

export function other(side: Side): Side {
  return side === 'back' ? 'lay' : 'back';
}
