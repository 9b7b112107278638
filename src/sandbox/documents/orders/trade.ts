/** Trades as documents: in full, as rows of historical lists, and as summaries beside their orders. */

import { priceToWire } from '../../../betdex/wire/codec/decimals.ts';
import { referTo } from '../../../betdex/wire/shapes/references.ts';
import type { Trade, TradeSettled, TradeSummary } from '../../../betdex/wire/shapes/trades.ts';
import type { Written } from '../../../codec/notation.ts';
import { defined } from '../../../core/checks/assert.ts';
import { moneyToDecimal } from '../../../core/number/units.ts';
import type { OrderView, TradeView } from '../../../matching/state/views.ts';
import { numericId } from '../../world/ids.ts';
import type { World } from '../../world/world.ts';
import { marketRecord } from '../markets/market-facts.ts';
import { settledDates } from '../markets/settled-dates.ts';
import { timestampText } from '../text/timestamp-text.ts';

export function tradeDocument(world: World, trade: TradeView, order: OrderView): Written<typeof Trade> {
  const market = marketRecord(world, order.market);
  const outcome = defined(market.outcomes[order.outcome], 'an order is on an outcome of its market');
  return {
    id: numericId(trade.id),
    walletId: world.registry.wallet(order.wallet).id,
    market: referTo('markets', [market.id]),
    order: referTo('orders', [numericId(order.id)]),
    side: order.side,
    outcomeId: outcome.id,
    price: priceToWire(trade.price),
    stake: moneyToDecimal(trade.stake),
    profitLoss: moneyToDecimal(trade.profitLoss),
    createdAt: timestampText(trade.createdAt),
    modifiedAt: timestampText(trade.modifiedAt),
  };
}

/** A row of the historical list; the market must be settled or voided. */
export function settledTrade(world: World, trade: TradeView, order: OrderView): Written<typeof TradeSettled> {
  return { ...tradeDocument(world, trade, order), ...settledDates(world, order.market) };
}

export function tradeSummary(trade: TradeView): Written<typeof TradeSummary> {
  return {
    order: referTo('orders', [numericId(trade.order)]),
    id: numericId(trade.id),
    price: priceToWire(trade.price),
    stake: moneyToDecimal(trade.stake),
    profitLoss: moneyToDecimal(trade.profitLoss),
    createdAt: timestampText(trade.createdAt),
  };
}
