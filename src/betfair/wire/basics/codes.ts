/** Every closed list of words in Betfair's API, as its interface descriptions have them. */

import { words } from '../../../codec/notation.ts';

/** A word for an order's side: BACK is our For, LAY our Against. */
export const SideWord = words('Side', ['BACK', 'LAY']);
export const OrderTypeWord = words('OrderType', ['LIMIT', 'LIMIT_ON_CLOSE', 'MARKET_ON_CLOSE']);
export const PersistenceTypeWord = words('PersistenceType', ['LAPSE', 'PERSIST', 'MARKET_ON_CLOSE']);
export const TimeInForceWord = words('TimeInForce', ['FILL_OR_KILL']);
export const BetTargetTypeWord = words('BetTargetType', ['PAYOUT', 'BACKERS_PROFIT']);
export const OrderStatusWord = words('OrderStatus', ['PENDING', 'EXECUTION_COMPLETE', 'EXECUTABLE', 'EXPIRED']);
export const OrderProjectionWord = words('OrderProjection', ['ALL', 'EXECUTABLE', 'EXECUTION_COMPLETE']);
export const MatchProjectionWord = words('MatchProjection', [
  'NO_ROLLUP',
  'ROLLED_UP_BY_PRICE',
  'ROLLED_UP_BY_AVG_PRICE',
]);
export const OrderByWord = words('OrderBy', [
  'BY_BET',
  'BY_MARKET',
  'BY_PLACE_TIME',
  'BY_MATCH_TIME',
  'BY_VOID_TIME',
  'BY_SETTLED_TIME',
]);
export const SortDirWord = words('SortDir', ['EARLIEST_TO_LATEST', 'LATEST_TO_EARLIEST']);
export const BetStatusWord = words('BetStatus', ['SETTLED', 'VOIDED', 'LAPSED', 'CANCELLED']);
export const GroupByWord = words('GroupBy', ['EVENT_TYPE', 'EVENT', 'MARKET', 'RUNNER', 'SIDE', 'BET', 'STRATEGY']);

/** `INACTIVE` is a market that has not been opened yet. */
export const MarketStatusWord = words('MarketStatus', ['INACTIVE', 'OPEN', 'SUSPENDED', 'CLOSED']);
/** The stream alone has HIDDEN as well. */
export const RunnerStatusWord = words('RunnerStatus', [
  'ACTIVE',
  'WINNER',
  'LOSER',
  'REMOVED_VACANT',
  'REMOVED',
  'PLACED',
  'HIDDEN',
]);
export const BettingTypeWord = words('MarketBettingType', [
  'ODDS',
  'LINE',
  'RANGE',
  'ASIAN_HANDICAP_DOUBLE_LINE',
  'ASIAN_HANDICAP_SINGLE_LINE',
  'FIXED_ODDS',
]);
export const PriceLadderTypeWord = words('PriceLadderType', ['CLASSIC', 'FINEST', 'LINE_RANGE']);
export const BetDelayModelWord = words('BetDelayModel', ['PASSIVE', 'DYNAMIC']);

export const MarketProjectionWord = words('MarketProjection', [
  'COMPETITION',
  'EVENT',
  'EVENT_TYPE',
  'MARKET_START_TIME',
  'MARKET_DESCRIPTION',
  'RUNNER_DESCRIPTION',
  'RUNNER_METADATA',
]);
export const MarketSortWord = words('MarketSort', [
  'MINIMUM_TRADED',
  'MAXIMUM_TRADED',
  'MINIMUM_AVAILABLE',
  'MAXIMUM_AVAILABLE',
  'FIRST_TO_START',
  'LAST_TO_START',
]);
export const TimeGranularityWord = words('TimeGranularity', ['DAYS', 'HOURS', 'MINUTES']);
export const PriceDataWord = words('PriceData', [
  'SP_AVAILABLE',
  'SP_TRADED',
  'EX_BEST_OFFERS',
  'EX_ALL_OFFERS',
  'EX_TRADED',
]);
export const RollupModelWord = words('RollupModel', ['STAKE', 'PAYOUT', 'MANAGED_LIABILITY', 'NONE']);
export const WalletWord = words('Wallet', ['UK', 'AUSTRALIAN']);

export const ReportStatusWord = words('ExecutionReportStatus', [
  'SUCCESS',
  'FAILURE',
  'PROCESSED_WITH_ERRORS',
  'TIMEOUT',
]);
export const InstructionStatusWord = words('InstructionReportStatus', ['SUCCESS', 'FAILURE', 'TIMEOUT']);

/** Why a whole request of orders failed. */
export const REPORT_ERRORS = [
  'INVALID_BET_SIZE',
  'ERROR_IN_ORDER',
  'ERROR_IN_MATCHER',
  'PROCESSED_WITH_ERRORS',
  'BET_ACTION_ERROR',
  'INVALID_ACCOUNT_STATE',
  'INVALID_WALLET_STATUS',
  'INSUFFICIENT_FUNDS',
  'LOSS_LIMIT_EXCEEDED',
  'MARKET_SUSPENDED',
  'MARKET_NOT_OPEN_FOR_BETTING',
  'DUPLICATE_TRANSACTION',
  'INVALID_ORDER',
  'INVALID_MARKET_ID',
  'PERMISSION_DENIED',
  'DUPLICATE_BETIDS',
  'NO_ACTION_REQUIRED',
  'SERVICE_UNAVAILABLE',
  'REJECTED_BY_REGULATOR',
  'NO_CHASING',
  'REGULATOR_IS_NOT_AVAILABLE',
  'TOO_MANY_INSTRUCTIONS',
  'INVALID_MARKET_VERSION',
  'EVENT_EXPOSURE_LIMIT_EXCEEDED',
  'EVENT_MATCHED_EXPOSURE_LIMIT_EXCEEDED',
  'EVENT_BLOCKED',
] as const;

/** Why one instruction failed. INVALID_PROFIT_RATIO is in no description and answered all the same (profile section 4). */
export const INSTRUCTION_ERRORS = [
  'INVALID_BET_SIZE',
  'INVALID_RUNNER',
  'BET_TAKEN_OR_LAPSED',
  'BET_IN_PROGRESS',
  'RUNNER_REMOVED',
  'MARKET_NOT_OPEN_FOR_BETTING',
  'LOSS_LIMIT_EXCEEDED',
  'MARKET_NOT_OPEN_FOR_BSP_BETTING',
  'INVALID_PRICE_EDIT',
  'INVALID_ODDS',
  'INSUFFICIENT_FUNDS',
  'INVALID_PERSISTENCE_TYPE',
  'ERROR_IN_MATCHER',
  'INVALID_BACK_LAY_COMBINATION',
  'ERROR_IN_ORDER',
  'INVALID_BID_TYPE',
  'INVALID_BET_ID',
  'CANCELLED_NOT_PLACED',
  'RELATED_ACTION_FAILED',
  'NO_ACTION_REQUIRED',
  'INVALID_MIN_FILL_SIZE',
  'INVALID_CUSTOMER_ORDER_REF',
  'TIME_IN_FORCE_CONFLICT',
  'UNEXPECTED_PERSISTENCE_TYPE',
  'INVALID_ORDER_TYPE',
  'UNEXPECTED_MIN_FILL_SIZE',
  'INVALID_CUSTOMER_STRATEGY_REF',
  'BET_LAPSED_PRICE_IMPROVEMENT_TOO_LARGE',
  'INVALID_PROFIT_RATIO',
] as const;

export type ReportError = (typeof REPORT_ERRORS)[number];
export type InstructionError = (typeof INSTRUCTION_ERRORS)[number];
export const ReportErrorWord = words('ExecutionReportErrorCode', REPORT_ERRORS);
export const InstructionErrorWord = words('InstructionReportErrorCode', INSTRUCTION_ERRORS);

export const ActionPerformedWord = words('ActionPerformed', [
  'NONE',
  'CANCELLATION_REQUEST_SUBMITTED',
  'ALL_BETS_CANCELLED',
  'SOME_BETS_NOT_CANCELLED',
  'CANCELLATION_REQUEST_ERROR',
  'CANCELLATION_STATUS_UNKNOWN',
]);
