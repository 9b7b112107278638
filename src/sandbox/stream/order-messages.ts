/**
 * The stream's message about an order with all its trades: in full for its owner, without identifying fields for
 * others.
 */

import { amountToWire, priceToWire, tickToWire } from '../../betdex/wire/codec/decimals.ts';
import type { OrderUpdate } from '../../betdex/wire/messages/stream.ts';
import { instantToWire } from '../../codec/instants.ts';
import type { Written } from '../../codec/notation.ts';
import { defined } from '../../core/checks/assert.ts';
import { priceOfTick } from '../../core/number/ladder.ts';
import { MONEY_SCALE, type Money, PRICE_SCALE, profitAt } from '../../core/number/units.ts';
import type { OrderView, TradeView } from '../../matching/state/views.ts';
import { marketRecord } from '../documents/markets/market-facts.ts';
import { numericId } from '../world/ids.ts';
import type { World } from '../world/world.ts';
import { marketPathOf } from './market-messages.ts';

/** Mean prices are rounded to this many parts of a unit. */
const MEAN_GRAIN = 1_000_000;

export function orderUpdate(world: World, order: OrderView): Written<typeof OrderUpdate> {
  const record = marketRecord(world, order.market);
  const trades = [...world.exchange.tradesOfOrder(order.id)];
  const mean = meanPrice(trades);
  const { side, status, stake, stakeUnmatched, stakeVoided, reference, reason } = order;
  const hasReason = status === 'Cancelled' || status === 'Failed';
  return {
    type: 'OrderUpdate',
    orderId: numericId(order.id),
    ...marketPathOf(world, record),
    marketId: record.id,
    walletId: world.registry.wallet(order.wallet).id,
    status,
    side,
    outcomeIndexId: defined(record.outcomes[order.outcome], 'an order is on an outcome of its market').id,
    price: tickToWire(order.tick),
    ...(mean === undefined ? {} : { priceAvg: mean }),
    totalExposure: amountToWire(exposureOf(order, trades)),
    stake: amountToWire(stake),
    stakeUnmatched: amountToWire(stakeUnmatched),
    stakeVoided: amountToWire(stakeVoided),
    ...(reference === undefined ? {} : { reference }),
    createdAt: instantToWire(order.createdAt),
    modifiedAt: instantToWire(order.modifiedAt),
    trades: trades.map((trade) => ({
      tradeId: numericId(trade.id),
      side,
      price: priceToWire(trade.price),
      stake: amountToWire(trade.stake),
      createdAt: instantToWire(trade.createdAt),
    })),
    ...(reason === undefined || !hasReason ? {} : { cancellationReason: reason }),
  };
}

/** The message for other apps: without wallet and reference. */
export function foreignOrderUpdate(update: Written<typeof OrderUpdate>): Written<typeof OrderUpdate> {
  const { walletId: _wallet, reference: _reference, ...others } = update;
  return others;
}

/** What the order can still lose: the stake for For, the liability for Against, without cancelled stake. */
function exposureOf(order: OrderView, trades: readonly TradeView[]): Money {
  if (order.side === 'For') return (order.stake - order.stakeVoided) as Money;
  let liability: number = profitAt(order.stakeUnmatched, priceOfTick(order.tick));
  for (const trade of trades) liability += profitAt(trade.stake, trade.price);
  return liability as Money;
}

/** The mean of the trades' prices, weighted by stake; undefined where nothing is matched. */
function meanPrice(trades: readonly TradeView[]): number | undefined {
  let stake = 0;
  let weighed = 0;
  for (const trade of trades) {
    stake += trade.stake / MONEY_SCALE;
    weighed += (trade.stake / MONEY_SCALE) * (trade.price / PRICE_SCALE);
  }
  return stake === 0 ? undefined : Math.round((weighed / stake) * MEAN_GRAIN) / MEAN_GRAIN;
}
