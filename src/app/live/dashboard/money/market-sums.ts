/** What each settled market brought, and which strategy earned it, counted from the lines that the run logs. Amounts are 10⁻⁶. */

import { settledProfit } from '../../../../core/run/settled-profit.ts';
import type { Side } from '../../../../core/side.ts';

export interface MarketSum {
  readonly id: string;
  readonly name: string;
  /** When its newest result was booked. */
  at: number;
  /** What it paid, net of commission; a correction changes it. */
  net: number;
  commission: number;
  /** Profit of each strategy before commission, by its name. */
  readonly gross: Record<string, number>;
  /** Profit of each settled order, by our number of it: a later report may correct it. Empty once the market is done. */
  orders: Record<string, number>;
}

/** What the settled orders of a market are, of those markets that are not kept one by one any more. */
export interface OlderSums {
  readonly gross: Record<string, number>;
  commission: number;
}

export interface SettledOrder {
  readonly client: number;
  readonly strategy: string;
  readonly market: { readonly id: string; readonly name: string };
  readonly side: Side;
  readonly status: string;
  readonly stakeMatched: number;
  readonly winningsMatched: number;
}

export interface SumsState {
  readonly markets: readonly MarketSum[];
  readonly older: OlderSums;
}

const MARKETS_KEPT = 500;

export class MarketSums {
  readonly #markets: Map<string, MarketSum>;
  readonly #older: OlderSums;
  /** Counts changes, so that what is drawn from the sums is made anew only then. */
  version = 0;

  constructor({ markets, older }: SumsState = { markets: [], older: { gross: {}, commission: 0 } }) {
    this.#markets = new Map(markets.map((sum) => [sum.id, sum]));
    this.#older = older;
  }

  get state(): SumsState {
    return { markets: [...this.#markets.values()], older: this.#older };
  }

  get markets(): readonly MarketSum[] {
    return [...this.#markets.values()];
  }

  get older(): OlderSums {
    return this.#older;
  }

  of(market: string): MarketSum | undefined {
    return this.#markets.get(market);
  }

  /** A market paid a wallet; of a corrected result `profit` is the difference. `commission` is that of all results so far. */
  settled(at: number, market: SettledOrder['market'], { profit, commission }: { profit: number; commission: number }) {
    const sum = this.#sumOf(at, market);
    sum.at = at;
    sum.net += profit;
    sum.commission = commission;
    this.version += 1;
  }

  reported(at: number, order: SettledOrder): void {
    const profit = settledProfit(order);
    if (profit === undefined || order.stakeMatched === 0) return;
    const sum = this.#sumOf(at, order.market);
    const { strategy, client } = order;
    sum.gross[strategy] = (sum.gross[strategy] ?? 0) + profit - (sum.orders[client] ?? 0);
    sum.orders[client] = profit;
    this.version += 1;
  }

  /** The market can change no more. */
  done(market: string): void {
    const sum = this.#markets.get(market);
    if (sum !== undefined) sum.orders = {};
  }

  #sumOf(at: number, { id, name }: SettledOrder['market']): MarketSum {
    const known = this.#markets.get(id);
    if (known !== undefined) return known;
    const made: MarketSum = { id, name, at, net: 0, commission: 0, gross: {}, orders: {} };
    this.#markets.set(id, made);
    const [oldest] = this.#markets.values();
    if (this.#markets.size > MARKETS_KEPT && oldest !== undefined) this.#fold(oldest);
    return made;
  }

  #fold({ id, gross, commission }: MarketSum): void {
    this.#markets.delete(id);
    this.#older.commission += commission;
    for (const [name, profit] of Object.entries(gross))
      this.#older.gross[name] = (this.#older.gross[name] ?? 0) + profit;
  }
}
