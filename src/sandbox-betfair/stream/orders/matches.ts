/** What was matched of an account's bets on a runner, by price: altogether, and by strategy. */

import type { StreamOrderRunner } from '../../../betfair/wire/stream/order-change.ts';
import type { Price } from '../../../core/number/units.ts';
import type { Side } from '../../../core/side.ts';
import type { PriceAndSize } from '../../documents/price-documents.ts';
import { decimalOf, sizeOf } from '../../names/amounts.ts';
import { byPrice } from '../markets/market-delta.ts';

export interface MatchedSides {
  readonly mb: readonly PriceAndSize[];
  readonly ml: readonly PriceAndSize[];
}

export interface Matches extends MatchedSides {
  readonly byStrategy: ReadonlyMap<string, MatchedSides>;
}

const NOTHING: MatchedSides = { mb: [], ml: [] };

/** A bet and what was matched of it. */
export interface MatchedBet {
  readonly side: Side;
  readonly strategy: string;
  readonly trades: readonly { readonly price: Price; readonly stake: number }[];
}

/** Sums over an account's bets, in sizes of its currency, of which a hundredth is a penny. */
export function matchesOf(bets: Iterable<MatchedBet>, penny: number): Matches {
  const all = new SideSums(penny);
  const sumsByStrategy = new Map<string, SideSums>();
  for (const { side, strategy, trades } of bets) {
    if (trades.length === 0) continue;
    const own = sumsByStrategy.get(strategy) ?? new SideSums(penny);
    sumsByStrategy.set(strategy, own);
    for (const sums of [all, own]) for (const { price, stake } of trades) sums.add(side, price, stake);
  }
  const byStrategy = new Map([...sumsByStrategy].map(([strategy, sums]) => [strategy, sums.sides()]));
  return { ...all.sides(), byStrategy };
}

class SideSums {
  readonly #penny: number;
  readonly #backed = new Map<Price, number>();
  readonly #laid = new Map<Price, number>();

  constructor(penny: number) {
    this.#penny = penny;
  }

  add(side: Side, price: Price, stake: number): void {
    const sums = side === 'For' ? this.#backed : this.#laid;
    sums.set(price, (sums.get(price) ?? 0) + stake);
  }

  sides(): MatchedSides {
    return { mb: rowsOf(this.#backed, this.#penny), ml: rowsOf(this.#laid, this.#penny) };
  }
}

function rowsOf(sums: ReadonlyMap<Price, number>, penny: number): readonly PriceAndSize[] {
  const sorted = [...sums].sort(([left], [right]) => left - right);
  return sorted.map(([price, stake]) => ({ price: decimalOf(price), size: sizeOf(stake, penny) }));
}

type Told = Pick<StreamOrderRunner, 'mb' | 'ml'>;

/** What turns the matches that a client has into the present ones. */
export function matchedDelta(before: MatchedSides = NOTHING, now: MatchedSides = NOTHING): Told {
  const mb = byPrice(before.mb, now.mb).map((row) => [...row]);
  const ml = byPrice(before.ml, now.ml).map((row) => [...row]);
  return { ...(mb.length === 0 ? {} : { mb }), ...(ml.length === 0 ? {} : { ml }) };
}
