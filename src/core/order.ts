/** The API's words for an order and its states. */

export const ORDER_STATUSES = [
  'Pending',
  'Unmatched',
  'PartiallyMatched',
  'Matched',
  'Cancelled',
  'Failed',
  'Won',
  'Lost',
  'Voided',
] as const;
/** The API's words for an order's status: `Pending` waits for the end of the in-play delay; `Won` and `Lost` come from settlement. */
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const MATCH_BEHAVIORS = ['RetainUnmatched', 'CancelUnmatched'] as const;
/** What becomes of stake that does not match at once: it rests, or it is cancelled. */
export type MatchBehavior = (typeof MATCH_BEHAVIORS)[number];

/** cancellationReason of a Cancelled or Failed order (profile section 6). */
export const CANCELLATION_REASONS = [
  'UserRequest',
  'CancelUnmatched',
  'MarketInPlay',
  'MarketLock',
  'MarketSettled',
  'MarketVoided',
  'HeartbeatLapsed',
  'CreationFailed',
  'OutcomeRemoved',
  'MarketSuspended',
] as const;
/** Why the exchange cancelled an order, or never created it (API profile, section 6). */
export type CancellationReason = (typeof CANCELLATION_REASONS)[number];

/** errorCode of an OrderFailure: the twelve codes of the specification. */
export const ORDER_ERROR_CODES = [
  'MARKET_NOT_FOUND',
  'INVALID_MARKET_STATUS',
  'SUSPENDED_MARKET',
  'MARKET_OUTCOME_NOT_FOUND',
  'COMMISSION_RATE_NOT_FOUND',
  'WALLET_NOT_FOUND',
  'WALLET_INSUFFICIENT_CREDIT',
  'WALLET_ACCOUNT_NOT_FOUND',
  'WALLET_ACCOUNT_INSUFFICIENT_CREDIT',
  'MARKET_POSITION_NOT_FOUND',
  'ORDER_ALREADY_EXISTS',
  'INTERRUPTED',
] as const;
export type OrderErrorCode = (typeof ORDER_ERROR_CODES)[number];

/** Every change of status that an order can make. Any other is a bug of oddsmith. */
export const ORDER_MOVES: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  Pending: ['Unmatched', 'PartiallyMatched', 'Matched', 'Cancelled', 'Failed', 'Voided'],
  Unmatched: ['PartiallyMatched', 'Matched', 'Cancelled', 'Voided'],
  PartiallyMatched: ['Unmatched', 'Matched', 'Won', 'Lost', 'Voided'],
  Matched: ['Won', 'Lost', 'Voided'],
  Cancelled: [],
  Failed: [],
  Won: ['Lost', 'Voided'],
  Lost: ['Won', 'Voided'],
  Voided: ['Won', 'Lost'],
};

/** The statuses that the result of a market brings. */
export const RESULTS: ReadonlySet<OrderStatus> = new Set<OrderStatus>(['Won', 'Lost', 'Voided']);

/** Whether an order of this status may still be matched. */
export function isLive(status: OrderStatus): boolean {
  return status === 'Pending' || status === 'Unmatched' || status === 'PartiallyMatched';
}

/** The statuses of orders that may still be matched. */
export const LIVE_STATUSES: readonly OrderStatus[] = ORDER_STATUSES.filter(isLive);
