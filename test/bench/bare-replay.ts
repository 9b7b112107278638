/** The orders of a replay without a framework: what tape, overlay, views and the strategy itself cost. */

import { MergedUpdates, type SourceMarket } from '../../src/backtest/simulation/backtest-source.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { type BareEnd, BareMarket } from './bare-market.ts';
import { claim, type Measured, Stopwatch } from './figure.ts';

export class BareReplay implements Measured {
  readonly operations: number;
  readonly #markets: readonly SourceMarket[];
  readonly #plugin: StrategyPlugin;
  readonly #expected: Omit<BareEnd, 'updates'>;

  /** `expected`: the result of the same replay by the whole framework. */
  constructor(markets: readonly SourceMarket[], plugin: StrategyPlugin, expected: Omit<BareEnd, 'updates'>) {
    this.#markets = markets;
    this.#plugin = plugin;
    this.#expected = expected;
    this.operations = markets.reduce((sum, { market }) => sum + market.updates, 0);
  }

  run(): number {
    const watch = new Stopwatch();
    const end = bareReplay(this.#markets, this.#plugin);
    const seconds = watch.seconds();
    const { orders, cancels, fills, stake } = this.#expected;
    const isSame = end.orders === orders && end.cancels === cancels && end.fills === fills && end.stake === stake;
    claim(isSame && end.updates === this.operations, 'without a framework a replay placed or filled other orders');
    return seconds;
  }
}

/** Markets that run beside each other do not meet: a bare bot has one position in each. */
export function bareReplay(markets: readonly SourceMarket[], plugin: StrategyPlugin): BareEnd {
  const source = new MergedUpdates(markets);
  const bare: BareMarket[] = [];
  for (let update = source.next(); update !== undefined; update = source.next()) {
    const { index } = source;
    let market = bare[index];
    if (market === undefined) {
      market = new BareMarket(source.recorded(index), plugin);
      bare[index] = market;
    }
    market.play(update);
  }
  const end = { updates: 0, orders: 0, cancels: 0, fills: 0, stake: 0 };
  for (const market of bare) {
    if (market === undefined) continue;
    const { updates, orders, cancels, fills, stake } = market.end;
    end.updates += updates;
    end.orders += orders;
    end.cancels += cancels;
    end.fills += fills;
    end.stake += stake;
  }
  return end;
}
