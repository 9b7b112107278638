/** Other people in the mill's markets: they quote around wandering fair odds, and now and then take what is offered. */

import type { Random } from '../random.ts';
import type { Person, Wish } from './exchange/person.ts';
import type { MarketMill, MillMarket } from './market-mill.ts';

export interface MakersPlan {
  /** Between two visits to a market, ms. */
  readonly everyMs: number;
  /** How often a taker comes. */
  readonly takes: number;
}

/** Ticks from the fair price. */
const QUOTES = [1, 2, 4];
const TAKE_TICKS = 5;

export class Makers {
  readonly #person: Person;
  readonly #mill: MarketMill;
  readonly #plan: MakersPlan;
  readonly #random: Random;
  #isStopped = false;
  #turning: Promise<void> = Promise.resolve();
  /** Orders placed. */
  placed = 0;

  constructor(person: Person, mill: MarketMill, plan: MakersPlan, random: Random) {
    this.#person = person;
    this.#mill = mill;
    this.#plan = plan;
    this.#random = random;
  }

  begin(): void {
    this.#turning = this.#turn();
  }

  /** Their orders stay. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#turning;
  }

  async #turn(): Promise<void> {
    while (!this.#isStopped) {
      await new Promise((resolve) => setTimeout(resolve, this.#plan.everyMs));
      const { taking } = this.#mill;
      if (taking.length > 0) await this.#visit(this.#random.pick(taking));
    }
  }

  /** Refusals are expected: the market may have moved on meanwhile. */
  async #visit(market: MillMarket): Promise<void> {
    market.fair.wander(this.#random);
    await this.#person.cancel({ market: market.id });
    const quotes: Wish[] = [];
    const takes: Wish[] = [];
    for (const [outcome, outcomeId] of market.outcomeIds.entries()) {
      const wish = (side: Wish['side'], ticks: number) => {
        const stake = this.#random.between(2_000, 25_000) / 1_000;
        return { outcomeId, side, price: market.fair.price(outcome, ticks), stake };
      };
      // What another takes may be the daemon's: it rests where the quotes rest.
      if (this.#random.chance(this.#plan.takes)) {
        const side = this.#random.pick<Wish['side']>(['For', 'Against']);
        const ticks = side === 'For' ? -TAKE_TICKS : TAKE_TICKS;
        takes.push({ ...wish(side, ticks), matchBehavior: 'CancelUnmatched' });
      }
      for (const ticks of QUOTES) quotes.push(wish('For', ticks), wish('Against', -ticks));
    }
    this.placed += takes.length + quotes.length;
    // Betfair takes no request in which a back and a lay of one person meet.
    for (const take of takes) await this.#person.place(market.id, [take]);
    await this.#person.place(market.id, quotes);
  }
}
