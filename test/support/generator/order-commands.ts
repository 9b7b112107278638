/** Draws orders that meet each other near few prices, and cancels of every kind. */

import type { Tick } from '../../../src/core/number/ladder.ts';
import type { Money } from '../../../src/core/number/units.ts';
import type { OrderErrorCode } from '../../../src/core/order.ts';
import type { PlaceRequest, Replacement } from '../../../src/matching/messages/command.ts';
import type { Timeless } from '../command-generator.ts';
import { LADDER } from '../oracle/ladder.ts';
import type { OracleMarket, World } from '../oracle/world.ts';
import type { Random } from '../random.ts';

const FAULTS: readonly OrderErrorCode[] = ['INTERRUPTED', 'MARKET_POSITION_NOT_FOUND', 'ORDER_ALREADY_EXISTS'];

export class OrderCommands {
  readonly #random: Random;
  readonly #world: World;

  constructor(random: Random, world: World) {
    this.#random = random;
    this.#world = world;
  }

  next(): Timeless {
    const random = this.#random;
    if (random.chance(0.08)) return this.#change();
    return random.chance(0.13) ? this.#cancel() : this.#place();
  }

  /** A command about resting orders: mostly about one that rests. */
  #change(): Timeless {
    const random = this.#random;
    const app = random.chance(0.03) ? random.pick([66, 0]) : random.between(1, 3);
    switch (random.weighted({ reduce: 5, setKeep: 3, replace: 4 })) {
      case 'reduce':
        return { kind: 'reduce', app, order: this.#ownOrder(app), stake: this.#stake(undefined) as Money };
      case 'setKeep':
        return { kind: 'setKeep', app, order: this.#ownOrder(app), keepWhenInPlay: random.chance(0.5) };
      case 'replace':
        return { kind: 'replace', app, replacements: this.#replacements(app) };
    }
  }

  #replacements(app: number): Replacement[] {
    const random = this.#random;
    const size = random.chance(0.01) ? random.pick([0, 51]) : random.pick([1, 1, 2, 3]);
    return Array.from({ length: size }, () => {
      const order = this.#ownOrder(app);
      const tick = this.#tick(this.#world.orders[order]?.market) as Tick;
      return { order, tick, ...(random.chance(0.1) ? { reference: `r${random.between(0, 60)}` } : {}) };
    });
  }

  #ownOrder(app: number): number {
    const random = this.#random;
    const mine = this.#world.orders.filter((order) => order.app === app && order.unmatched > 0n);
    const anyOne = mine.length === 0 || random.chance(0.1);
    return anyOne ? random.between(-1, this.#world.orders.length) : random.pick(mine).id;
  }

  #place(): Timeless {
    const random = this.#random;
    const app = random.chance(0.03) ? random.pick([66, 0, 0]) : random.pick([1, 1, 2, 2, 3]);
    const size = random.chance(0.002) ? random.pick([0, 50, 51]) : random.pick([1, 1, 1, 2, 3]);
    const requests = Array.from({ length: size }, () => this.#request(app));
    const [first] = requests;
    if (first === undefined || !random.chance(size === 1 ? 0.05 : 0.3)) return { kind: 'place', app, requests };
    const { market, wallet } = first;
    const joined = random.chance(0.05) ? requests : requests.map((request) => ({ ...request, market, wallet }));
    return { kind: 'place', app, requests: joined, allOrNone: true };
  }

  #request(app: number): PlaceRequest {
    const random = this.#random;
    const market = this.#market();
    const outcomes = market?.removed.length ?? 2;
    const running = market?.removed.flatMap((removed, at) => (removed ? [] : [at])) ?? [];
    const odd = running.length === 0 || random.chance(0.02);
    const outcome = odd ? random.between(-1, outcomes) : random.pick(running);
    const stake = this.#stake(market);
    return {
      wallet: this.#wallet(app),
      market: market === undefined || random.chance(0.01) ? 400 : market.id,
      side: random.pick(['For', 'Against']),
      outcome,
      tick: this.#tick(market) as Tick,
      stake: stake as Money,
      keepWhenInPlay: random.chance(0.5),
      ...this.#behavior(stake),
      ...(random.chance(0.12) ? { reference: `r${random.between(0, 60)}` } : {}),
      ...this.#rate(app),
      ...(random.chance(0.01) ? { fault: random.pick(FAULTS) } : {}),
    };
  }

  #behavior(stake: number): Pick<PlaceRequest, 'matchBehavior' | 'minFill'> {
    const random = this.#random;
    const matchBehavior = random.chance(0.15) ? 'CancelUnmatched' : 'RetainUnmatched';
    const odd = random.chance(0.001);
    if (!odd && (matchBehavior === 'RetainUnmatched' || random.chance(0.5))) return { matchBehavior };
    const minFill = odd
      ? random.pick([0, 1000, stake + 1000])
      : Math.max(1, Math.floor(stake / random.pick([1, 1, 2, 4, 1000])));
    return { matchBehavior, minFill: minFill as Money };
  }

  #rate(app: number): { commissionRate?: number } {
    if (this.#random.chance(0.8)) return {};
    const own = this.#world.rates.flatMap((rate, id) => (rate.app === app ? [id] : []));
    if (own.length === 0 || this.#random.chance(0.05)) return { commissionRate: this.#world.rates.length };
    return { commissionRate: this.#random.pick(own) };
  }

  #market(): OracleMarket | undefined {
    const { markets } = this.#world;
    const open = markets.filter((market) => market.status === 'Open' && market.published && !market.suspended);
    const pool = open.length > 0 && this.#random.chance(0.95) ? open : markets;
    return pool.length === 0 ? undefined : this.#random.pick(pool);
  }

  #wallet(app: number): number {
    const random = this.#random;
    if (random.chance(0.01)) return random.pick([0, 900, -1]);
    const own = this.#world.wallets.filter((wallet) => wallet.app === app && wallet.type === 'User');
    const pool = own.length === 0 || random.chance(0.01) ? this.#world.wallets.slice(1) : own;
    return random.pick(pool).id;
  }

  /**
   * A tick near the price that is fair when all outcomes have equal chances, so that orders match, directly and across
   * outcomes.
   */
  #tick(market: OracleMarket | undefined): number {
    const random = this.#random;
    if (random.chance(0.002)) return random.pick([-1, 350, 0.5]);
    if (random.chance(0.03)) return random.pick([0, 1, 2, 100, 340, 348, 349]);
    const running = market?.removed.filter((removed) => !removed).length ?? 2;
    const fair = BigInt(Math.max(1010, Math.round((1000 * running) / (market?.terms.winners.max ?? 1))));
    const middle = LADDER.findIndex((price) => price >= fair);
    const spread = random.pick([0, 1, 3, 10]);
    return Math.min(349, Math.max(0, middle + random.between(-spread, spread)));
  }

  #stake(market: OracleMarket | undefined): number {
    const random = this.#random;
    if (random.chance(0.002)) return random.pick([0, -1000, 1, 1500]);
    if (random.chance(0.06)) return 1000 * random.between(1, 9);
    if (market?.terms.currency === 1 && random.chance(0.1)) {
      return 1_000_000 * random.pick([1_000_000_000, 333_333_333, 125_000]);
    }
    if (random.chance(0.4)) return 1_000_000 * random.pick([1, 2, 5, 10, 20]);
    return 1000 * random.between(1, random.pick([500, 9_000, 40_000]));
  }

  #cancel(): Timeless {
    const random = this.#random;
    const app = random.chance(0.03) ? random.pick([66, 0]) : random.between(1, 3);
    const mine = this.#world.orders.filter((order) => order.app === app && order.unmatched > 0n);
    const one = mine.length === 0 ? 0 : random.pick(mine).id;
    const orders = Array.from({ length: random.between(1, 4) }, () =>
      random.chance(0.6) ? one : random.between(-1, this.#world.orders.length),
    );
    const market = random.between(0, this.#world.markets.length);
    const event = random.between(0, this.#world.events.length);
    const wallet = random.between(0, this.#world.wallets.length);
    switch (random.weighted({ orders: 70, market: 4, event: 3, wallet: 6, several: 10, none: 1 })) {
      case 'orders':
        return { kind: 'cancel', app, orders };
      case 'market':
        return { kind: 'cancel', app, markets: [market] };
      case 'event':
        return { kind: 'cancel', app, events: [event] };
      case 'wallet':
        return { kind: 'cancel', app, wallets: [wallet] };
      case 'several':
        return { kind: 'cancel', app, orders, wallets: [wallet] };
      case 'none':
        return { kind: 'cancel', app };
    }
  }
}
