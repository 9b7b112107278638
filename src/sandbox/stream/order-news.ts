/** An order as the stream tells it, with all its trades so far: in full to its owner, without names to others. */

import { amountToWire, priceToWire, tickToWire } from '../../betdex/wire/codec/decimals.ts';
import { instantToWire } from '../../betdex/wire/codec/instants.ts';
import type { Written } from '../../betdex/wire/codec/notation.ts';
import type { OrderUpdate } from '../../betdex/wire/messages/stream.ts';
import { priceOfTick } from '../../core/number/ladder.ts';
import { MONEY_SCALE, type Money, PRICE_SCALE, profitAt } from '../../core/number/units.ts';
import type { OrderView, TradeView } from '../../matching/state/views.ts';
import { marketRecord } from '../documents/markets/market-facts.ts';
import { numericId } from '../world/ids.ts';
import type { World } from '../world/world.ts';
import { placeOf } from './market-news.ts';

/** A mean price is shown to this many parts of a unit. */
const MEAN_GRAIN = 1_000_000;

export function orderUpdate(world: World, order: OrderView): Written<typeof OrderUpdate> {
  const record = marketRecord(world, order.market);
  const trades = [...world.exchange.tradesOfOrder(order.id)];
  const mean = meanPrice(trades);
  const { side, status, stake, stakeUnmatched, stakeVoided, reference, reason } = order;
  const tells = status === 'Cancelled' || status === 'Failed';
  return {
    type: 'OrderUpdate',
    orderId: numericId(order.id),
    ...placeOf(world, record),
    marketId: record.id,
    walletId: world.holders.wallet(order.wallet).id,
    ...{ status, side, outcomeIndexId: record.outcomes[order.outcome]?.id ?? '' },
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
      ...{ tradeId: numericId(trade.id), side },
      price: priceToWire(trade.price),
      stake: amountToWire(trade.stake),
      createdAt: instantToWire(trade.createdAt),
    })),
    ...(reason === undefined || !tells ? {} : { cancellationReason: reason }),
  };
}

/** The same for an app that the order is not of. */
export function foreignOrderUpdate(update: Written<typeof OrderUpdate>): Written<typeof OrderUpdate> {
  const { walletId: _wallet, reference: _reference, ...others } = update;
  return others;
}

/** What the order can still lose: For its stake, Against its liability; what was voided is out. */
function exposureOf(order: OrderView, trades: readonly TradeView[]): Money {
  if (order.side === 'For') return (order.stake - order.stakeVoided) as Money;
  let liability: number = profitAt(order.stakeUnmatched, priceOfTick(order.tick));
  for (const trade of trades) liability += profitAt(trade.stake, trade.price);
  return liability as Money;
}

/** The mean of the trades' prices, each weighed with its stake; undefined where nothing is matched. */
function meanPrice(trades: readonly TradeView[]): number | undefined {
  let stake = 0;
  let weighed = 0;
  for (const trade of trades) {
    stake += trade.stake / MONEY_SCALE;
    weighed += (trade.stake / MONEY_SCALE) * (trade.price / PRICE_SCALE);
  }
  return stake === 0 ? undefined : Math.round((weighed / stake) * MEAN_GRAIN) / MEAN_GRAIN;
}
