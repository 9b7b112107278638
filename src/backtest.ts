/** Backtests for programs of one's own, as `oddsmith/backtest`: run them, read tapes, import recordings. */

export { AbortedError } from './backtest/library/aborted-error.ts';
export { backtest } from './backtest/library/backtest.ts';
export type {
  BacktestInput as BacktestOptions,
  BacktestPart as BacktestProgress,
  ExchangeInput as ExchangeOptions,
  FillRulesInput as FillRules,
  LatencyInput as Latency,
  LimitsInput as Limits,
  MarketsInput as MarketsFilter,
  StrategyInput as Strategy,
  StrategyOfFile,
  StrategyOfObject,
  WalletInput as Wallet,
} from './backtest/library/backtest-input.ts';
export { ERROR_CODES, type ErrorCode } from './backtest/library/error-codes.ts';
export {
  type ImportInput as ImportOptions,
  type ImportPart as ImportProgress,
  importRecordings,
} from './backtest/library/import-recordings.ts';
export {
  type OpenTape,
  openTape,
  type TapeEvent,
  type TapeMarketInfo,
  type TapeUpdate,
  type TimeRange,
} from './backtest/library/open-tape.ts';
export { type ParquetTable, parquetOf } from './backtest/library/parquet-of.ts';
export type {
  BacktestRun,
  BacktestSummary,
  BoundTableRow,
  FillTableRow,
  MarketTableRow,
  OrderTableRow,
  OutcomeTableRow,
  Table,
} from './backtest/library/result-tables.ts';
export { type ErrorParts, OddsmithError } from './core/checks/oddsmith-error.ts';
export type { ImportReport } from './recording/betfair/import.ts';
export type { RecordedDefinition } from './recording/tape/definition.ts';
export { NOTICE_CODES, type Notice, type NoticeCode } from './report/notices.ts';
export {
  type BacktestResult,
  BOUNDS,
  type Bound,
  type MarketResult,
  type OutcomeEnd,
  type OutcomePosition,
  type PreOff,
} from './report/result.ts';
export type { RunStatistics } from './report/statistics.ts';
