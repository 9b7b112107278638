/** Orders of ours, drawn on the market as it is without them, each with the time at which it is given up. */

import { Random } from '../random.ts';
import { type FifoExchange, type Order, other, PRICES, type Side } from './fifo-exchange.ts';

export interface PlanHabits {
  /** Stakes are drawn evenly between these shares of a usual level. */
  readonly shareLeast: number;
  readonly shareMost: number;
  readonly gapMs: number;
  readonly lifeMs: number;
  /** Whether all orders join the best price, so that they stand in one queue. */
  readonly joinsBest: boolean;
}

export const SMALL: PlanHabits = { shareLeast: 0.02, shareMost: 0.1, gapMs: 8_000, lifeMs: 30_000, joinsBest: false };

export interface Planned {
  readonly at: number;
  readonly until: number;
  readonly order: Order;
}

const SEEN_LEAST = 40;
const SEEN_MOST = 199;

/** Times are odd milliseconds: nothing of the crowd happens then. */
export class FifoPlan {
  readonly #habits: PlanHabits;
  readonly #random: Random;
  readonly #seen: number[] = [];
  readonly planned: Planned[] = [];
  #nextAt: number;

  constructor(habits: PlanHabits, { seed, from }: { readonly seed: number; readonly from: number }) {
    this.#habits = habits;
    this.#random = new Random(seed + 77_000);
    this.#nextAt = from | 1;
  }

  get nextAt(): number {
    return this.#nextAt;
  }

  /** Looks at the market, and plans an order where one fits. */
  look(market: FifoExchange): void {
    const at = this.#nextAt;
    this.#nextAt = at + this.#even(this.#habits.gapMs);
    const side: Side = this.#random.chance(0.5) ? 'back' : 'lay';
    const [where, share] = [this.#random.next(), this.#random.next()];
    const until = at + this.#even(this.#habits.lifeMs);
    const place = this.#place(market, side, this.#habits.joinsBest ? 0 : where);
    if (place === undefined || this.#meetsOwn(at, side, place)) return;
    this.#seen.push(market.amount(side, market.best(side) ?? 0));
    if (this.#seen.length > SEEN_MOST) this.#seen.shift();
    if (this.#seen.length < SEEN_LEAST) return;
    const usual = [...this.#seen].sort((a, b) => a - b)[this.#seen.length >> 1] ?? 0;
    const { shareLeast, shareMost } = this.#habits;
    const stake = Math.max(1, Math.round(usual * (shareLeast + share * (shareMost - shareLeast))));
    this.planned.push({ at, until, order: { id: `own${this.planned.length}`, side, place, stake, rests: true } });
  }

  /** The best price of the side, one step better where the spread has room, or one behind. */
  #place(market: FifoExchange, side: Side, where: number): number | undefined {
    const best = market.best(side);
    const against = market.best(other(side));
    if (best === undefined || against === undefined || where < 0.6) return best;
    const better = side === 'back' ? -1 : 1;
    if (where < 0.8) return best + better === against ? best : best + better;
    return Math.max(0, Math.min(PRICES.length - 1, best - better));
  }

  /** Whether the order would meet one of ours, had none of those been matched. */
  #meetsOwn(at: number, side: Side, place: number): boolean {
    return this.planned.some(
      ({ until, order }) =>
        until > at && order.side !== side && (side === 'back' ? order.place >= place : order.place <= place),
    );
  }

  #even(mean: number): number {
    return 2 + 2 * Math.floor((-Math.log(1 - this.#random.next()) * mean) / 2);
  }
}
