/** The stream's messages in both directions (profile section 5). A frame is one message or an array of them. */

import { type TProperties, Type } from '@sinclair/typebox';
import type { DocumentUse } from '../../../codec/document-use.ts';
import { document, flag, id, integer, list, maybe, moment, number, request, text } from '../../../codec/notation.ts';
import {
  InPlayStatusWord,
  LiquidityActionWord,
  MarketStatusWord,
  OrderStatusWord,
  PriceUpdateTypeWord,
  SideWord,
  SubscriptionTypeWord,
} from '../basics/enums.ts';

function message<const T extends string, P extends TProperties, const Needed extends keyof P & string = never>(
  type: T,
  fields: P,
  use: DocumentUse<Needed, keyof P & string> = { needs: [] },
) {
  const shape = { type: Type.Literal(type), ...fields };
  return document<typeof shape, 'type' | Needed>(type, shape, { ...use, needs: ['type', ...use.needs] });
}

const place = { eventId: id, eventGroupId: id, categoryId: id, subCategoryId: id };
const subscription = { subscriptionType: SubscriptionTypeWord, subscriptionId: id };

const StreamPrice = document(
  'StreamPrice',
  {
    side: SideWord,
    outcomeId: id,
    price: number,
    /** All stake at the level now, not a change; 0 removes the level. */
    liquidity: number,
    change: number,
    validAt: moment,
  },
  { needs: ['side', 'outcomeId', 'price', 'liquidity', 'validAt'] },
);

const StreamOutcome = document(
  'StreamOutcome',
  {
    outcomeId: id,
    title: text,
    ordering: integer,
    winner: maybe(flag),
    participantId: maybe(id),
    createdAt: moment,
    modifiedAt: moment,
  },
  { needs: ['outcomeId'], uses: ['winner'] },
);

const StreamTrade = document(
  'StreamTrade',
  { tradeId: id, side: SideWord, price: number, stake: number, createdAt: moment },
  { needs: ['price', 'stake'] },
);

const marketStatus = {
  marketId: id,
  ...place,
  status: MarketStatusWord,
  published: flag,
  suspended: flag,
  inPlayStatus: InPlayStatusWord,
};
const STATUS_NEEDS = ['marketId', 'status', 'published', 'suspended', 'inPlayStatus'] as const;

const AuthenticationUpdate = message('AuthenticationUpdate', { connectionId: id }, { needs: ['connectionId'] });
const SubscribeNotAuthenticatedUpdate = message('SubscribeNotAuthenticatedUpdate', { connectionId: id });
const SubscribeUpdate = message('SubscribeUpdate', subscription, { needs: ['subscriptionType', 'subscriptionId'] });
const UnsubscribeUpdate = message('UnsubscribeUpdate', subscription, { needs: ['subscriptionType', 'subscriptionId'] });

export const MarketPriceUpdate = message(
  'MarketPriceUpdate',
  { updateType: PriceUpdateTypeWord, marketId: id, ...place, prices: list(StreamPrice) },
  { needs: ['updateType', 'marketId', 'prices'] },
);

export const MarketStatusUpdate = message('MarketStatusUpdate', marketStatus, { needs: STATUS_NEEDS });

export const MarketUpdate = message(
  'MarketUpdate',
  {
    ...marketStatus,
    appId: id,
    name: text,
    marketTypeId: id,
    marketValue: maybe(text),
    marketDiscriminator: maybe(text),
    escrowWalletId: id,
    currencyId: id,
    marketOutcomes: list(StreamOutcome),
    crossMatchingEnabled: flag,
    lockAt: moment,
    settledAt: maybe(moment),
    marketLockAction: LiquidityActionWord,
    eventStartAction: LiquidityActionWord,
    inPlayDelay: maybe(integer),
    createdAt: moment,
    modifiedAt: moment,
  },
  {
    needs: STATUS_NEEDS,
    uses: ['marketOutcomes', 'crossMatchingEnabled', 'lockAt', 'settledAt', 'inPlayDelay', 'modifiedAt'],
  },
);

export const OrderUpdate = message(
  'OrderUpdate',
  {
    orderId: id,
    ...place,
    marketId: id,
    /** Absent on orders of other apps. */
    walletId: maybe(id),
    status: OrderStatusWord,
    side: SideWord,
    outcomeIndexId: id,
    price: number,
    priceAvg: maybe(number),
    totalExposure: number,
    stake: number,
    stakeUnmatched: number,
    stakeVoided: number,
    reference: maybe(text),
    createdAt: moment,
    modifiedAt: moment,
    /** All matched pieces of the order so far. */
    trades: list(StreamTrade),
    cancellationReason: maybe(text),
  },
  {
    needs: ['orderId'],
    uses: [
      'marketId',
      'walletId',
      'status',
      'side',
      'outcomeIndexId',
      'price',
      'stake',
      'stakeUnmatched',
      'stakeVoided',
      'reference',
      'modifiedAt',
      'trades',
      'cancellationReason',
    ],
  },
);

const WalletUpdate = message(
  'WalletUpdate',
  { walletId: id, currencyId: id, balance: number, change: number },
  { needs: ['walletId'] },
);

/** Only this message spells the subcategory's keys with a small c. */
export const EventUpdate = message('EventUpdate', {
  eventId: id,
  eventGroupId: id,
  eventGroupName: text,
  subcategoryId: id,
  subcategoryName: text,
  categoryId: id,
  categoryName: text,
  appId: id,
  name: text,
  code: text,
  active: flag,
  expectedStartTime: moment,
  createdAt: moment,
  modifiedAt: moment,
});

/** The answer to a frame that is not JSON or has no known action; the only message without `type`. */
export const StreamProblem = document('StreamProblem', { message: text, connectionId: id, requestId: id });

/** Messages from the server to a client, by `type`. */
export const SERVER_MESSAGES = {
  AuthenticationUpdate,
  SubscribeNotAuthenticatedUpdate,
  SubscribeUpdate,
  UnsubscribeUpdate,
  MarketPriceUpdate,
  MarketStatusUpdate,
  MarketUpdate,
  OrderUpdate,
  WalletUpdate,
  EventUpdate,
} as const;

const subscribing = { subscriptionType: SubscriptionTypeWord, subscriptionIds: Type.Array(id) };

const Authenticate = request('Authenticate', { action: Type.Literal('authenticate'), accessToken: text });
const Subscribe = request('Subscribe', { action: Type.Literal('subscribe'), ...subscribing });
const Unsubscribe = request('Unsubscribe', { action: Type.Literal('unsubscribe'), ...subscribing });

/** Messages from a client to the server, by `action`. */
export const CLIENT_MESSAGES = { authenticate: Authenticate, subscribe: Subscribe, unsubscribe: Unsubscribe } as const;
