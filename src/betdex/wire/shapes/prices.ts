/** Prices of a market, and the ladder that orders must keep to. `side` is the side of the resting order (profile section 3). */

import { document, id, list, number } from '../../../codec/notation.ts';
import { SideWord } from '../basics/enums.ts';

/** `amount` is the backer's stake available at the price, `matched` the stake matched at it. */
export const PriceRow = document(
  'PriceRow',
  { side: SideWord, outcomeId: id, price: number, amount: number, matched: number },
  { needs: ['side', 'outcomeId', 'price', 'amount', 'matched'] },
);

export const PriceBook = document(
  'PriceBook',
  { marketId: id, liquidity: number, traded: number, prices: list(PriceRow) },
  { needs: ['marketId', 'prices'] },
);

export const PriceLadder = document('PriceLadder', { prices: list(number) });
