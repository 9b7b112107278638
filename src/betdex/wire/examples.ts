/** The examples in the API's document, written by the codecs that the servers and clients use. */

import { queryToWire } from '../../codec/request-address.ts';
import { tick } from '../../core/number/ladder.ts';
import { instant, money } from '../../core/number/units.ts';
import { ENDPOINTS } from './endpoints.ts';
import { newOrdersToWire } from './messages/new-order-codec.ts';
import { orderToWire } from './messages/order-codec.ts';
import { clientMessageToWire, serverMessageToWire } from './messages/stream-codec.ts';

const terms = { side: 'For', outcomeId: '24101', tick: tick(124), stake: money(25_500_000) } as const;
const choices = { keepWhenInPlay: false, matchBehavior: 'RetainUnmatched', reference: 'mine-1' } as const;
const walletId = '01abcde12345-User-1';
const marketId = '8801';
const ACCEPTED = instant(1_774_363_501_000);

export const BATCH_EXAMPLE = newOrdersToWire([{ walletId, marketId, ...terms, ...choices }]);

export const ORDER_EXAMPLE = orderToWire({
  id: 730_001,
  appId: '01abcde12345',
  walletId,
  marketId,
  outcomeTitle: 'Home',
  ...terms,
  ...choices,
  stakeUnmatched: money(5_500_000),
  stakeVoided: money(0),
  createdAt: ACCEPTED,
  modifiedAt: ACCEPTED,
  status: 'PartiallyMatched',
});

/** Shows how lists, sorting and date-times look in a URL. */
const { path, query } = ENDPOINTS.listOrders;
export const ADDRESS_EXAMPLE = `${path}?${queryToWire(query, {
  walletIds: [walletId],
  statuses: ['Unmatched', 'PartiallyMatched'],
  fromCreatedAt: '2026-03-24T14:45:01.000Z',
  sort: ['createdAt,desc'],
})}`;

export const SUBSCRIBE_EXAMPLE = clientMessageToWire({
  action: 'subscribe',
  subscriptionType: 'MarketPriceUpdate',
  subscriptionIds: [marketId],
});

export const PRICES_EXAMPLE = serverMessageToWire({
  type: 'MarketPriceUpdate',
  updateType: 'Snapshot',
  marketId,
  eventId: '501',
  eventGroupId: '31',
  categoryId: 'SPORT',
  subCategoryId: 'FOOTBALL',
  prices: [
    { side: 'Against', outcomeId: '24101', price: 2.5, liquidity: 40, change: 40, validAt: '2026-03-24T14:45:01.000Z' },
  ],
});
