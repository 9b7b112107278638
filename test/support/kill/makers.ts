/** Other people in the mill's markets: they quote around wandering fair odds, and now and then take what is offered. */

import type { Random } from '../random.ts';
import type { Json } from '../vendor/vendor-client.ts';
import type { MarketMill, MillMarket } from './market-mill.ts';
import type { Trader } from './trader.ts';

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
  readonly #trader: Trader;
  readonly #mill: MarketMill;
  readonly #plan: MakersPlan;
  readonly #random: Random;
  #isStopped = false;
  #turning: Promise<void> = Promise.resolve();
  /** Orders placed. */
  placed = 0;

  constructor(trader: Trader, mill: MarketMill, plan: MakersPlan, random: Random) {
    this.#trader = trader;
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
    const { walletId } = this.#trader.app;
    market.fair.wander(this.#random);
    await this.#trader.ask('POST /orders/cancel-v2', { body: { marketIds: [market.id], walletIds: [walletId] } });
    const requests: Json[] = [];
    for (const [outcome, outcomeId] of market.outcomeIds.entries()) {
      const order = (side: string, ticks: number, extra: Json = {}) => ({
        ...{ walletId, marketId: market.id, outcomeId, side, price: market.fair.price(outcome, ticks) },
        ...{ stake: this.#random.between(2_000, 25_000) / 1_000, keepWhenInPlay: false, ...extra },
      });
      // What another takes may be the daemon's: it rests where the quotes rest.
      if (this.#random.chance(this.#plan.takes)) {
        const side = this.#random.pick(['For', 'Against']);
        const ticks = side === 'For' ? -TAKE_TICKS : TAKE_TICKS;
        requests.push(order(side, ticks, { matchBehavior: 'CancelUnmatched' }));
      }
      for (const ticks of QUOTES) requests.push(order('For', ticks), order('Against', -ticks));
    }
    this.placed += requests.length;
    await this.#trader.ask('POST /orders/batch', { body: { requests } });
  }
}
