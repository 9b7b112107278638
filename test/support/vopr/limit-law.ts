/** Law 2: what the exchange holds of the run is within its limits. */

import { moneyFromDecimal } from '../../../src/core/number/units.ts';
import { isLive } from '../../../src/core/order.ts';
import type { ExchangeWorld } from './exchange-world.ts';
import type { OwnOrders, OwnPlaced } from './own-orders.ts';
import type { Scenario } from './scenario.ts';
import { DUST, type Held, type Results, worstLoss } from './true-exposure.ts';

export type Holding = Held & { readonly placed: OwnPlaced };

export interface LimitParts {
  readonly exchange: ExchangeWorld;
  readonly scenario: Pick<Scenario, 'limits'>;
  readonly orders: OwnOrders;
  readonly strategyOf: (client: number) => string | undefined;
  readonly fail: (what: string) => void;
}

/** A market's orders, and the worst that they can lose. */
export interface MarketHeld {
  readonly known: readonly Holding[];
  readonly results: Results;
  readonly truth: number;
}

export class LimitLaw {
  readonly #parts: LimitParts;
  readonly #limit: ReturnType<typeof limitsOf>;

  constructor(parts: LimitParts) {
    this.#parts = parts;
    this.#limit = limitsOf(parts.scenario);
  }

  /** Of one order, 10⁻⁶; undefined where there is none. */
  get order(): number | undefined {
    return this.#limit.order;
  }

  lookAt(market: number, { known, results, truth }: MarketHeld): void {
    const { exchange, fail } = this.#parts;
    const { market: most, outcome, ordersPerMarket } = this.#limit;
    if (most !== undefined && truth > most + DUST)
      fail(`market ${exchange.marketIdOf(market)} can lose ${truth}, the limit is ${most}`);
    if (outcome !== undefined)
      for (let each = 0; each < results.outcomes; each += 1) {
        const on = known.filter(({ order }) => order.outcome === each);
        const worst = on.length === 0 ? 0 : worstLoss(on, results);
        const lost = results.outcomes === results.winners.max ? 0 : worst;
        if (lost > outcome + DUST) fail(`outcome ${each} of market ${exchange.marketIdOf(market)} can lose ${lost}`);
      }
    const live = known.filter(({ order }) => isLive(order.status)).length;
    if (ordersPerMarket !== undefined && live > ordersPerMarket)
      fail(`market ${exchange.marketIdOf(market)} has ${live} live orders`);
  }

  /** What adds up over markets. */
  lookAtSums(): void {
    const { exchange, orders, strategyOf, fail } = this.#parts;
    const { wallet: most, event: eventMost, strategy: strategyMost } = this.#limit;
    const sums = new Map<string, number>();
    const add = (key: string, amount: number) => sums.set(key, (sums.get(key) ?? 0) + amount);
    for (const market of orders.byMarket.keys()) {
      const record = exchange.world.catalogue.markets.get(market);
      const results = exchange.resultsOf(market);
      const all = exchange.isOver(market) ? [] : orders.heldIn(market);
      if (record === undefined || results === undefined || all.length === 0) continue;
      add(`event ${record.event}`, worstLoss(all, results));
      for (const [key, some] of groups(all, ({ order }) => `wallet ${order.wallet}`))
        add(key, worstLoss(some, results));
      for (const [key, some] of groups(all, ({ placed }) => `strategy ${strategyOf(placed.client)}`))
        add(key, worstLoss(some, results));
    }
    const limits = { wallet: most, event: eventMost, strategy: strategyMost };
    for (const [key, sum] of sums) {
      const limit = limits[(key.split(' ')[0] ?? 'wallet') as keyof typeof limits];
      if (limit !== undefined && sum > limit + DUST) fail(`${key} can lose ${sum} of ${limit}`);
    }
  }
}

function groups<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = found.get(key);
    if (group === undefined) found.set(key, [item]);
    else group.push(item);
  }
  return found;
}

/** In 10⁻⁶; absent limits stay absent. */
function limitsOf({ limits }: Pick<Scenario, 'limits'>) {
  const { order, outcome, market, event, strategy, wallet, ordersPerMarket } = limits;
  return {
    ...{ order: micros(order), outcome: micros(outcome), market: micros(market), event: micros(event) },
    ...{ strategy: micros(strategy), wallet: micros(wallet), ordersPerMarket },
  };
}

function micros(decimal: number | undefined): number | undefined {
  return decimal === undefined ? undefined : moneyFromDecimal(decimal);
}
