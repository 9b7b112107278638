/** Batches of new orders for the sandbox: most of them rest at many prices, a few match within the batch. */

import type { CallInput } from '../../src/betdex/client/call.ts';
import { decimalOfTick, type Tick } from '../../src/core/number/ladder.ts';
import { opposite, SIDES, type Side } from '../../src/core/side.ts';
import type { BenchMarket } from './sandbox-stage.ts';

export type OrderBody = NonNullable<CallInput<'createOrders'>['body']['requests']>[number];

export const BATCH = 50;
/** Pairs of one batch that match each other between the best prices. */
export const PAIRS = 3;
/** Levels beyond the best price over which the others are spread. */
const LEVELS = 20;

export class OrderBatches {
  readonly #walletId: string;
  readonly #markets: readonly BenchMarket[];
  #made = 0;
  #batches = 0;

  constructor(walletId: string, markets: readonly BenchMarket[]) {
    this.#walletId = walletId;
    this.#markets = markets;
  }

  /** All in one market, the next one each time; no two orders ever made have the same reference. */
  next(): readonly OrderBody[] {
    const market = this.#markets[this.#batches % this.#markets.length];
    this.#batches += 1;
    if (market === undefined) throw new Error('there is a market to place orders in');
    const { fair } = market;
    const resting = Array.from({ length: BATCH - 2 * PAIRS }, (_, index) => {
      const side = SIDES[index % SIDES.length] ?? 'For';
      const away = 1 + (index % LEVELS);
      return this.#order(market, side, side === 'For' ? fair + away : fair - away, 2 + (index % 7) / 10);
    });
    const pairs = Array.from({ length: PAIRS }, () =>
      SIDES.map((side) => this.#order(market, opposite(side), fair, 1.5)),
    );
    return [...resting, ...pairs.flat()];
  }

  #order({ id, outcomeId }: BenchMarket, side: Side, at: number, stake: number): OrderBody {
    this.#made += 1;
    return {
      walletId: this.#walletId,
      marketId: id,
      side,
      outcomeId,
      price: decimalOfTick(at as Tick),
      stake,
      keepWhenInPlay: false,
      matchBehavior: 'RetainUnmatched',
      reference: `bench-${this.#made}`,
    };
  }
}
