/** Turns the event log's numeric rows back into event objects. */

import { defined } from '../../core/checks/assert.ts';
import { IN_PLAY_STATUSES, MARKET_STATUSES, WALLET_TYPES } from '../../core/market.ts';
import type { Instant, Money, Price } from '../../core/number/units.ts';
import { CANCELLATION_REASONS, ORDER_ERROR_CODES, ORDER_STATUSES } from '../../core/order.ts';
import { TRANSACTION_CODES } from '../../core/transaction.ts';
import { COMMAND_REFUSALS, type ExchangeEvent } from './event.ts';

export type EventKind = ExchangeEvent['kind'];

/** The kinds of events; a row holds a kind as its index in this list. */
export const EVENT_KINDS = [
  'refused',
  'appCreated',
  'commissionRateCreated',
  'walletCreated',
  'accountOpened',
  'overdraftSet',
  'transaction',
  'eventCreated',
  'eventChanged',
  'marketCreated',
  'marketChanged',
  'outcomeRemoved',
  'marketForgotten',
  'orderAccepted',
  'orderRefused',
  'orderMatched',
  'orderChanged',
  'orderReduced',
  'tradeRepriced',
  'tradeSettled',
  'heartbeatChanged',
  'heartbeatDeleted',
] as const satisfies readonly EventKind[];

/**
 * One event as numbers. What each column means depends on the kind; this file, event-log.ts and the readers of the
 * frequent kinds (`simulator/fill-model/fill-model-exchange.ts`) know it.
 */
export interface EventRow {
  readonly kind: EventKind;
  readonly at: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
}

/** Column values that mean "absent" where a field is optional. */
export const NO_MARKET = -1;
export const NO_REASON = -1;
export const NO_INSTANT = Number.NaN;

/** Packs four small facts of a market into one column: status, in-play status, published, suspended. */
export function packMarket(market: { status: number; inPlay: number; published: boolean; suspended: boolean }): number {
  return ((market.status * 4 + market.inPlay) * 2 + (market.published ? 1 : 0)) * 2 + (market.suspended ? 1 : 0);
}

/** The event that a row describes, as an object of its own. */
export function decodeEvent(row: EventRow): ExchangeEvent {
  const at = row.at as Instant;
  switch (row.kind) {
    case 'refused':
      return { at, kind: 'refused', reason: word(COMMAND_REFUSALS, row.a) };
    case 'appCreated':
      return { at, kind: 'appCreated', app: row.a };
    case 'commissionRateCreated':
      return { at, kind: 'commissionRateCreated', app: row.a, rate: row.b, ratePpm: row.c };
    case 'walletCreated':
      return { at, kind: 'walletCreated', app: row.a, wallet: row.b, type: word(WALLET_TYPES, row.c) };
    case 'accountOpened':
      return { at, kind: 'accountOpened', wallet: row.a, currency: row.b };
    case 'overdraftSet':
      return { at, kind: 'overdraftSet', wallet: row.a, currency: row.b, overdraft: row.c as Money };
    case 'transaction':
      return decodeTransaction(row);
    case 'eventCreated':
      return { at, kind: 'eventCreated', event: row.a, app: row.b };
    case 'eventChanged':
      return { at, kind: 'eventChanged', event: row.a, active: row.b === 1 };
    case 'heartbeatChanged': {
      const lastSeenAt = row.d as Instant;
      return { at, kind: 'heartbeatChanged', app: row.a, active: row.b === 1, timeoutMs: row.c, lastSeenAt };
    }
    case 'heartbeatDeleted':
      return { at, kind: 'heartbeatDeleted', app: row.a, wasActive: row.b === 1 };
    case 'marketCreated':
    case 'marketChanged':
    case 'outcomeRemoved':
    case 'marketForgotten':
      return decodeMarket(row, row.kind);
    case 'orderAccepted':
    case 'orderRefused':
    case 'orderChanged':
      return decodeOrder(row, row.kind);
    case 'orderMatched':
      return { at, kind: 'orderMatched', trade: row.a, order: row.b, price: row.c as Price, stake: row.d as Money };
    case 'orderReduced':
      return { at, kind: 'orderReduced', order: row.a, price: row.b as Price };
    case 'tradeRepriced':
      return { at, kind: 'tradeRepriced', trade: row.a, price: row.b as Price };
    case 'tradeSettled':
      return { at, kind: 'tradeSettled', trade: row.a, profitLoss: row.b as Money };
  }
}

function decodeTransaction(row: EventRow): ExchangeEvent {
  const { a: wallet, b: currency, e: market } = row;
  const at = row.at as Instant;
  const code = word(TRANSACTION_CODES, row.c);
  const amount = row.d as Money;
  if (market === NO_MARKET) return { at, kind: 'transaction', wallet, currency, code, amount };
  return { at, kind: 'transaction', wallet, currency, code, amount, market };
}

type MarketKind = 'marketCreated' | 'marketChanged' | 'outcomeRemoved' | 'marketForgotten';

function decodeMarket(row: EventRow, kind: MarketKind): ExchangeEvent {
  const at = row.at as Instant;
  switch (kind) {
    case 'marketCreated':
      return { at, kind, market: row.a, escrowWallet: row.b };
    case 'outcomeRemoved':
      return { at, kind, market: row.a, outcome: row.b, factorPpm: row.c };
    case 'marketForgotten':
      return { at, kind, market: row.a };
    case 'marketChanged': {
      const changed = {
        at,
        kind,
        market: row.a,
        status: word(MARKET_STATUSES, row.b >> 4),
        inPlayStatus: word(IN_PLAY_STATUSES, (row.b >> 2) & 3),
        published: (row.b & 2) !== 0,
        suspended: (row.b & 1) !== 0,
        inPlayDelayMs: row.c,
      } as const;
      return Number.isNaN(row.d) ? changed : { ...changed, lockAt: row.d as Instant };
    }
  }
}

function decodeOrder(row: EventRow, kind: 'orderAccepted' | 'orderRefused' | 'orderChanged'): ExchangeEvent {
  const at = row.at as Instant;
  switch (kind) {
    case 'orderAccepted': {
      // The object is spelled out, because spreading one into it takes as long as the rest of an order.
      const { a: app, b: item, c: order } = row;
      if (Number.isNaN(row.d)) return { at, kind, app, item, order, status: 'Unmatched' };
      return { at, kind, app, item, order, status: 'Pending', due: row.d as Instant };
    }
    case 'orderRefused':
      return { at, kind, app: row.a, item: row.b, code: word(ORDER_ERROR_CODES, row.c) };
    case 'orderChanged': {
      const order = row.a;
      const status = word(ORDER_STATUSES, row.b);
      const stakeUnmatched = row.c as Money;
      const stakeVoided = row.d as Money;
      if (row.e === NO_REASON) return { at, kind, order, status, stakeUnmatched, stakeVoided };
      const reason = word(CANCELLATION_REASONS, row.e);
      return { at, kind, order, status, stakeUnmatched, stakeVoided, reason };
    }
  }
}

/** The word with this index in a list; an index without a word is a bug. */
export function word<T>(words: readonly T[], index: number): T {
  return defined(words[index], 'a code has a word');
}
