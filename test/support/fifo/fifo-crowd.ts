/** A seeded crowd that trades by itself on a `FifoExchange`; what it did is a list of commands that can be given again. */

import { Random } from '../random.ts';
import { type Command, FifoExchange, type Match, type Order, other, PRICES, type Side } from './fifo-exchange.ts';

/** Which order of a level goes where the planned end of one has come. */
export type Habit = 'planned' | 'newest-first' | 'oldest-first';

export interface Habits {
  readonly ordersPerSecond: number;
  readonly lifeMs: number;
  readonly cancels: Habit;
  readonly takerShare: number;
  /** At most how many prices beyond the best one a taker goes, and its stake as a multiple of a usual one. */
  readonly takerReach: number;
  readonly takerSize: number;
  /** Share of orders that are 25 times as large. */
  readonly whaleShare: number;
  /** Makers who move both of their quotes when the fair price leaves them behind. */
  readonly requoting: number;
  /** Share of makers whose order comes again a little after it was matched. */
  readonly refillShare: number;
}

export const HABITS: Habits = {
  ordersPerSecond: 6,
  lifeMs: 120_000,
  cancels: 'planned',
  takerShare: 0.4,
  takerReach: 2,
  takerSize: 1,
  whaleShare: 0,
  requoting: 0,
  refillShare: 0,
};

/** The fair price's moves in a second, in steps of the ladder. */
const DRIFT = 0.08;
const STAKE_LEAST = 500;
const STAKE_MOST = 25_000;
const WHALE = 25;
const TAKER_RESTS = 0.2;
/** Mean distance of quotes from the fair price, in steps. */
const DEPTH = 2;
const QUOTER_STAKE = 6_000;
const REFILL_AFTER_MS = 400;

interface Life {
  readonly at: number;
  id: string;
}

interface Quoter {
  readonly name: number;
  readonly spread: number;
  around: number;
  quotes: number;
}

/** Commands are given at whole even milliseconds, so that another trader's can come between any two of them. */
export class FifoCrowd {
  readonly exchange = new FifoExchange();
  readonly #habits: Habits;
  readonly #random: Random;
  readonly #lives: Life[] = [];
  readonly #lifeOf = new Map<string, Life>();
  readonly #refills: { readonly at: number; readonly order: Order }[] = [];
  readonly #quoters: Quoter[];
  readonly #placed = new Map<string, Order>();
  #fair = PRICES.indexOf(3);
  #moved = 0;
  #nextAt = 2;
  #orders = 0;

  constructor(habits: Habits, seed: number) {
    this.#habits = habits;
    this.#random = new Random(seed);
    this.#quoters = Array.from({ length: habits.requoting }, (_, name) => ({
      ...{ name, spread: 0.5 + (name % 4), around: Number.NaN, quotes: 0 },
    }));
  }

  get nextAt(): number {
    return Math.min(this.#nextAt, this.#lives[0]?.at ?? Infinity, this.#refills[0]?.at ?? Infinity);
  }

  /** Does what comes next, and returns the commands of it. */
  step(): readonly Command[] {
    const at = this.nextAt;
    this.exchange.onMatch = (match) => this.#matched(match, at);
    const commands: Command[] = [];
    const apply = (command: Command): void => {
      commands.push(command);
      this.exchange.do(command);
    };
    if (this.#lives[0]?.at === at) apply({ at, kind: 'cancel', id: this.#endOf(this.#lives.shift()!) });
    else if (this.#refills[0]?.at === at)
      apply({ at, kind: 'place', order: this.#again(this.#refills.shift()!.order, at) });
    else {
      this.#nextAt = at + this.#even(1_000 / this.#habits.ordersPerSecond);
      this.#drift(at);
      const requoted = this.#requote(at);
      if (requoted === undefined) apply({ at, kind: 'place', order: this.#draw(at) });
      else for (const command of requoted) apply(command);
    }
    return commands;
  }

  /** A maker that was matched whole may come again with the same order. */
  #matched({ maker }: Match, at: number): void {
    const isWhole = this.exchange.matched(maker.id) === maker.stake;
    if (!isWhole || !this.#random.chance(this.#habits.refillShare)) return;
    this.#refills.push({ at: at + this.#even(REFILL_AFTER_MS), order: maker });
    this.#refills.sort((a, b) => a.at - b.at);
  }

  #again(order: Order, at: number): Order {
    return this.#withLife({ ...order, id: this.#name() }, at);
  }

  /** The order whose life is over, or the one that its level gives up in its stead; they exchange their lives. */
  #endOf(life: Life): string {
    const { id } = life;
    this.#lifeOf.delete(id);
    const order = this.#placed.get(id);
    if (order === undefined || this.#habits.cancels === 'planned') return id;
    const queue = this.exchange.queue(order.side, order.place).filter((each) => each.order.id.startsWith('c'));
    const victim = (this.#habits.cancels === 'newest-first' ? queue.at(-1) : queue[0])?.order.id;
    const isAlive = queue.some((each) => each.order.id === id);
    if (!isAlive || victim === undefined || victim === id) return id;
    const swapped = this.#lifeOf.get(victim);
    if (swapped !== undefined) {
      swapped.id = id;
      this.#lifeOf.set(id, swapped);
    }
    this.#lifeOf.delete(victim);
    return victim;
  }

  #drift(at: number): void {
    const steps = Math.sqrt((at - this.#moved) / 1_000) * DRIFT * 3.46;
    this.#moved = at;
    const home = PRICES.indexOf(3);
    this.#fair += (this.#random.next() - 0.5) * steps + (home - this.#fair) * 0.0002;
  }

  /** One quoter whose quotes are off by a step or more gives both up and quotes again. */
  #requote(at: number): Command[] | undefined {
    const quoter = this.#quoters.find(({ around }) => !(Math.abs(around - this.#fair) < 1));
    if (quoter === undefined) return undefined;
    const nameOf = (side: Side): string => `q${quoter.name} ${side} ${quoter.quotes}`;
    const given = (['back', 'lay'] as const).map((side) => ({ at, kind: 'cancel' as const, id: nameOf(side) }));
    quoter.quotes += 1;
    quoter.around = this.#fair;
    const placed = (['back', 'lay'] as const).map((side) => {
      const place = this.#onSide(side, quoter.spread);
      return { at, kind: 'place' as const, order: { id: nameOf(side), side, place, stake: QUOTER_STAKE, rests: true } };
    });
    return [...given, ...placed];
  }

  #draw(at: number): Order {
    const side: Side = this.#random.chance(0.5) ? 'back' : 'lay';
    const best = this.exchange.best(other(side));
    const takes = best !== undefined && this.#random.chance(this.#habits.takerShare);
    const stake = this.#stake(takes ? this.#habits.takerSize : 1);
    if (!takes) {
      const place = this.#onSide(side, 0.5 - Math.log(1 - this.#random.next()) * DEPTH);
      return this.#withLife({ id: this.#name(), side, place, stake, rests: true }, at);
    }
    const reach = this.#random.between(0, this.#habits.takerReach);
    const place = onLadder(side === 'back' ? best - reach : best + reach);
    return this.#withLife({ id: this.#name(), side, place, stake, rests: this.#random.chance(TAKER_RESTS) }, at);
  }

  #withLife(order: Order, at: number): Order {
    if (!order.rests) return order;
    const life = { at: at + this.#even(this.#habits.lifeMs), id: order.id };
    this.#placed.set(order.id, order);
    this.#lifeOf.set(order.id, life);
    let after = this.#lives.length;
    while (after > 0 && (this.#lives[after - 1]?.at ?? 0) > life.at) after -= 1;
    this.#lives.splice(after, 0, life);
    return order;
  }

  #onSide(side: Side, steps: number): number {
    return onLadder(side === 'back' ? Math.ceil(this.#fair + steps) : Math.floor(this.#fair - steps));
  }

  /** A heavy tail: P(stake > x) is (least ÷ x)². */
  #stake(times: number): number {
    const drawn = Math.min(STAKE_MOST, STAKE_LEAST / Math.sqrt(1 - this.#random.next()));
    return Math.round(drawn * times * (this.#random.chance(this.#habits.whaleShare) ? WHALE : 1));
  }

  #name(): string {
    this.#orders += 1;
    return `c${this.#orders}`;
  }

  /** An even number of ms, 2 at least, drawn around a mean. */
  #even(mean: number): number {
    return 2 + 2 * Math.floor((-Math.log(1 - this.#random.next()) * mean) / 2);
  }
}

function onLadder(place: number): number {
  return Math.max(0, Math.min(PRICES.length - 1, place));
}
