/** Orders in their full, settled and reduced form, and the failure that replaces one in a batch. */

import { document, flag, id, maybe, moment, number, text } from '../../../codec/notation.ts';
import { MatchBehaviorWord, OrderErrorCodeWord, OrderStatusWord, SideWord } from '../basics/enums.ts';
import { Reference } from './references.ts';

const order = {
  id,
  appId: maybe(id),
  market: Reference,
  walletId: maybe(id),
  side: SideWord,
  outcomeId: id,
  outcomeTitle: text,
  price: number,
  /** The backer's stake, on either side; so are its unmatched and voided parts below. */
  stake: number,
  stakeUnmatched: number,
  stakeVoided: number,
  keepWhenInPlay: flag,
  createdAt: moment,
  modifiedAt: moment,
  commissionRateId: maybe(id),
  reference: maybe(text),
  status: OrderStatusWord,
  matchBehavior: MatchBehaviorWord,
  /** Only on orders that are Cancelled or Failed. */
  cancellationReason: maybe(text),
};

/** Of our own order its terms are known, so that its id is enough to find them. */
export const Order = document('Order', order, {
  needs: ['id'],
  uses: [
    'market',
    'walletId',
    'side',
    'outcomeId',
    'price',
    'stake',
    'stakeUnmatched',
    'stakeVoided',
    'modifiedAt',
    'reference',
    'status',
    'cancellationReason',
  ],
});

/** A row of the list of settled orders. */
export const OrderSettled = document('OrderSettled', {
  ...order,
  settledAt: moment,
  eventExpectedStartTime: maybe(moment),
});

/** The reduced form, in answers about trades. */
export const OrderSummary = document('OrderSummary', {
  id,
  market: Reference,
  side: SideWord,
  outcomeId: id,
  outcomeTitle: maybe(text),
  price: number,
  stake: number,
  stakeUnmatched: maybe(number),
  stakeVoided: maybe(number),
  status: OrderStatusWord,
  reference: maybe(text),
});

/**
 * It is known by its `errorCode`. The specification merges a further object into it whose fields it does not show: what
 * comes beside these two is kept, since it may say which request failed.
 */
export const OrderFailure = document(
  'OrderFailure',
  { errorCode: OrderErrorCodeWord, errorMessage: maybe(text) },
  { needs: ['errorCode'], knownBy: 'errorCode', keepsOthers: true },
);

/** The answer to an order request: the order's id alone. */
export const OrderId = document('OrderId', { id });
