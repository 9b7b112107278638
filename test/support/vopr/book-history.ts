/** What the exchange's books were, level by level, for as long as anybody may still rest on it. */

import type { MarketState } from '../../../src/core/market-state.ts';
import { TICK_COUNT } from '../../../src/core/number/ladder.ts';
import { AGAINST, FOR, sideIndex } from '../../../src/core/side.ts';
import { summarizeChange } from '../../../src/sandbox/stream/change-summary.ts';
import type { SimulatedExchange } from './simulated-exchange.ts';

/** Longer than any freshness. */
const KEPT_MS = 40_000;

interface Past {
  readonly from: number;
  readonly amount: number;
}

export class BookHistory {
  readonly #exchange: SimulatedExchange;
  /** By market, and in it by level. */
  readonly #past = new Map<string, Map<number, Past[]>>();

  constructor(exchange: SimulatedExchange) {
    this.#exchange = exchange;
    const { world } = exchange;
    world.listen((change, events) => {
      for (const market of summarizeChange(world, change, events).books) this.#note(market);
    });
  }

  /** A level of the shown book that the exchange did not have within the last `ms`, in words. */
  unknownLevel(shown: MarketState, ms: number): string | undefined {
    const past = this.#past.get(shown.facts.id);
    if (past === undefined) return undefined;
    const since = this.#exchange.context.now() - ms;
    for (let outcome = 0; outcome < shown.facts.outcomes.length; outcome += 1)
      for (const side of [FOR, AGAINST])
        for (let tick = 0; tick < TICK_COUNT; tick += 1) {
          const amount = shown.amountAt(outcome, side, tick);
          const levels = past.get(cellOf(outcome, side, tick));
          if (levels === undefined ? amount === 0 : wasSo(levels, amount, since)) continue;
          return `outcome ${outcome}, side ${side}, tick ${tick} shows ${amount}; it was ${JSON.stringify(levels)}`;
        }
    return undefined;
  }

  #note(market: number): void {
    const id = this.#exchange.world.catalogue.markets.get(market)?.id;
    if (id === undefined) return;
    const now = this.#exchange.context.now();
    const past = this.#past.get(id) ?? new Map<number, Past[]>();
    this.#past.set(id, past);
    const amounts = new Map<number, number>();
    for (const { outcome, side, tick, amount } of this.#exchange.machine.prices(market, { cross: true }))
      amounts.set(cellOf(outcome, sideIndex(side), tick), amount);
    for (const cell of new Set([...past.keys(), ...amounts.keys()])) {
      const levels = past.get(cell) ?? [{ from: Number.NEGATIVE_INFINITY, amount: 0 }];
      past.set(cell, levels);
      const amount = amounts.get(cell) ?? 0;
      if (levels.at(-1)?.amount !== amount) levels.push({ from: now, amount });
      while ((levels[1]?.from ?? now) < now - KEPT_MS) levels.shift();
    }
  }
}

function cellOf(outcome: number, side: number, tick: number): number {
  return (outcome * 2 + side) * TICK_COUNT + tick;
}

/** Whether it was so at any time since. */
function wasSo(levels: readonly Past[], amount: number, since: number): boolean {
  return levels.some((each, index) => each.amount === amount && (levels[index + 1]?.from ?? since) >= since);
}
