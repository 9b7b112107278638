/** The words of orders, markets and postings as column values: each word is stored as its index in its list. */

import { fail } from '../../core/checks/assert.ts';
import { IN_PLAY_STATUSES, type InPlayStatus, MARKET_STATUSES, type MarketStatus } from '../../core/market.ts';
import { CANCELLATION_REASONS, type CancellationReason, ORDER_STATUSES, type OrderStatus } from '../../core/order.ts';
import { TRANSACTION_CODES, type TransactionCode } from '../../core/transaction.ts';

function statusCode(status: OrderStatus): number {
  return indexOf(ORDER_STATUSES, status);
}

export function reasonCode(reason: CancellationReason): number {
  return indexOf(CANCELLATION_REASONS, reason);
}

export function marketStatusCode(status: MarketStatus): number {
  return indexOf(MARKET_STATUSES, status);
}

function inPlayCode(status: InPlayStatus): number {
  return indexOf(IN_PLAY_STATUSES, status);
}

export function transactionCode(code: TransactionCode): number {
  return indexOf(TRANSACTION_CODES, code);
}

export const PENDING = statusCode('Pending');
export const UNMATCHED = statusCode('Unmatched');
export const PARTIALLY_MATCHED = statusCode('PartiallyMatched');
export const MATCHED = statusCode('Matched');
export const CANCELLED = statusCode('Cancelled');
export const FAILED = statusCode('Failed');
export const WON = statusCode('Won');
export const LOST = statusCode('Lost');
export const VOIDED = statusCode('Voided');

export const OPEN = marketStatusCode('Open');

export const NOT_APPLICABLE = inPlayCode('NotApplicable');
export const PRE_PLAY = inPlayCode('PrePlay');
export const IN_PLAY = inPlayCode('InPlay');

function indexOf<T>(words: readonly T[], word: T): number {
  const index = words.indexOf(word);
  if (index < 0) fail(`no such word: ${String(word)}`);
  return index;
}
