/** Trades, which are matched pieces of orders. `profitLoss` is gross. */

import { document, id, maybe, moment, number } from '../../../codec/notation.ts';
import { SideWord } from '../basics/enums.ts';
import { Reference } from './references.ts';

const trade = {
  id,
  walletId: maybe(id),
  market: Reference,
  order: Reference,
  side: SideWord,
  outcomeId: id,
  price: number,
  stake: number,
  profitLoss: maybe(number),
  createdAt: moment,
  modifiedAt: maybe(moment),
};

export const Trade = document('Trade', trade, { needs: ['id', 'order'], uses: ['walletId', 'profitLoss'] });

/** A row of the list of settled trades. */
export const TradeSettled = document('TradeSettled', {
  ...trade,
  settledAt: moment,
  eventExpectedStartTime: maybe(moment),
});

export const TradeSummary = document(
  'TradeSummary',
  { order: Reference, id, price: number, stake: number, profitLoss: maybe(number), createdAt: moment },
  { needs: ['order', 'price', 'stake'] },
);
