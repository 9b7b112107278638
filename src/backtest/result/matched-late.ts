/** In which markets a run had bets matched after the close: prices before the off say nothing of them. */

import type { Bound } from '../../report/figures/bounds.ts';
import type { MarketResult } from '../../report/result.ts';
import type { Piece } from './kept-piece.ts';

/** By market id the bounds under which something was matched after `preOffAt`, or at any time where that is not known. */
export function matchedLate(
  pieces: readonly Piece[],
  markets: readonly MarketResult[],
): ReadonlyMap<string, ReadonlySet<Bound>> {
  const closes = new Map(markets.map(({ id, preOffAt = Number.NEGATIVE_INFINITY }) => [id, preOffAt]));
  const late = new Map<string, Set<Bound>>();
  for (const { ends } of pieces) {
    for (const [bound, { collector }] of ends) {
      const { orders, fills } = collector.heldRows();
      for (let row = 0; row < fills.count; row += 1) {
        const of = (fills.columns.order[row] ?? 0) - orders.first;
        const market = orders.places[orders.columns.place[of] ?? 0]?.marketId ?? '';
        const close = closes.get(market) ?? Number.NEGATIVE_INFINITY;
        if ((fills.columns.at[row] ?? 0) <= close) continue;
        const bounds = late.get(market) ?? new Set();
        late.set(market, bounds.add(bound));
      }
    }
  }
  return late;
}
