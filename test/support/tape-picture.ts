/** The crowd's picture that a tape's events build up, kept the plain way: maps of price to size. */

import { decimalOfTick, tick } from '../../src/core/number/ladder.ts';
import {
  DEFINITION,
  LAST_PRICE,
  LEVEL,
  STARTING_PRICE,
  TRADE,
  type UpdateColumns,
} from '../../src/recording/segment/update.ts';
import type { Tape } from '../../src/recording/tape/tape.ts';
import type { TapeMarket } from '../../src/recording/tape/tape-schema.ts';

export interface PicturedOutcome {
  readonly back: Map<number, number>;
  readonly lay: Map<number, number>;
  lastPrice: number | undefined;
  readonly startingPrices: [number, number, number];
}

export interface PicturedTrade {
  readonly outcome: string;
  readonly price: number;
  readonly stake: number;
}

const FOR = 0;

export class TapePicture {
  readonly market: TapeMarket;
  readonly outcomes: readonly PicturedOutcome[];
  readonly indexById: ReadonlyMap<string, number>;
  definition = -1;
  /** Of the last update. */
  trades: PicturedTrade[] = [];
  touched = new Set<number>();
  updates = 0;

  constructor(tape: Tape, index: number) {
    this.market = tape.markets[index] as TapeMarket;
    const { outcomes } = this.market.facts;
    this.indexById = new Map(outcomes.map(({ id }, at) => [id, at]));
    this.outcomes = outcomes.map(() => ({
      back: new Map(),
      lay: new Map(),
      lastPrice: undefined,
      startingPrices: [0, 0, 0],
    }));
  }

  priceOf(at: number): number {
    const { prices } = this.market;
    return prices === undefined ? decimalOfTick(tick(at)) : (prices[at] as number) / 1000;
  }

  apply(update: UpdateColumns): void {
    this.trades = [];
    this.touched = new Set();
    this.updates += 1;
    for (let i = 0; i < update.count; i += 1) this.#event(update, i);
  }

  #event(update: UpdateColumns, i: number): void {
    const kind = update.kind[i];
    const index = update.outcome[i] as number;
    const amount = update.amount[i] as number;
    const outcome = this.outcomes[index] as PicturedOutcome;
    const price = kind === TRADE || kind === LEVEL || kind === LAST_PRICE ? this.priceOf(update.tick[i] as number) : 0;
    if (kind === DEFINITION) this.definition = amount;
    else this.touched.add(index);
    if (kind === TRADE) this.trades.push({ outcome: this.idOf(index), price, stake: amount / 1e6 });
    if (kind === LAST_PRICE) outcome.lastPrice = price;
    if (kind === STARTING_PRICE) outcome.startingPrices[update.side[i] as 0 | 1 | 2] = amount / 1000;
    if (kind === LEVEL) {
      const levels = update.side[i] === FOR ? outcome.lay : outcome.back;
      if (amount === 0) levels.delete(price);
      else levels.set(price, amount / 1e6);
    }
  }

  idOf(index: number): string {
    return (this.market.facts.outcomes[index] as { id: string }).id;
  }
}
