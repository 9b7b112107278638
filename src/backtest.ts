/** Backtests for programs of one's own, as `oddsmith/backtest`: run them, read tapes, import recordings. */

export { AbortedError } from './backtest/library/aborted-error.ts';
export { backtest } from './backtest/library/backtest.ts';
export type {
  BacktestInput as BacktestOptions,
  BacktestPart as BacktestProgress,
  ExchangeInput as ExchangeOptions,
  FillRulesInput as FillRules,
  LatencyInput as Latency,
  LatencyParts,
  LatencySpread,
  LimitsInput as Limits,
  MarketsInput as MarketsFilter,
  StrategyInput as Strategy,
  StrategyOfFile,
  StrategyOfObject,
  WalletInput as Wallet,
  WindowInput as MarketWindow,
} from './backtest/library/backtest-input.ts';
export { ERROR_CODES, type ErrorCode } from './backtest/library/error-codes.ts';
export { FaultyFilesError } from './backtest/library/faulty-files-error.ts';
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
  PlotTableRow,
  Table,
} from './backtest/library/result-tables.ts';
export type { FeedChoice as Feed } from './backtest/options/backtest-options.ts';
export { type ErrorParts, OddsmithError } from './core/checks/oddsmith-error.ts';
export type { Grade, LiquidityAction } from './core/market.ts';
export type { RefusalCode } from './core/refusal.ts';
export type { ImportFailureCode, ImportProblem } from './recording/betfair/decompress/import-failure.ts';
export type { FileReport } from './recording/betfair/file-import.ts';
export type { ImportReport } from './recording/betfair/import.ts';
export type { MarketReport, RecordingReport } from './recording/betfair/market/recording-import.ts';
export type { RecordedDefinition, RecordedOutcome, RecordedStatus } from './recording/tape/definition.ts';
export type { TapeGap, TapeSource } from './recording/tape/tape-schema.ts';
export type { TapeMode } from './recording/tape/tape-target.ts';
export type { Interval } from './research/chance/bootstrap.ts';
export type { Luck } from './research/chance/luck.ts';
export type { Meaning } from './research/figure/meaning.ts';
export type { NotKnown } from './research/figure/not-known.ts';
export type { Calibration, CalibrationBand } from './research/run/calibration.ts';
export type { ClosingValue } from './research/run/closing-value.ts';
export type { CostSplit } from './research/run/cost-split.ts';
export type { Drawdown } from './research/run/drawdown.ts';
export type { FillBias } from './research/run/fill-bias.ts';
export type { KellyGrowth } from './research/run/kelly-growth.ts';
export type { PriceCalibration } from './research/run/price-calibration.ts';
export { BOUNDS, type Bound, type ByBound } from './result/figures/bounds.ts';
export type { OutcomeEnd, OutcomePosition, PreOff } from './result/figures/outcome-end.ts';
export type { RefusalRow, RefusedIntents } from './result/figures/refusal-rows.ts';
export type { MarketPrices, MarketStateChange, OutcomePrices } from './result/market-prices.ts';
export { NOTICE_CODES, type Notice, type NoticeCode } from './result/notices.ts';
export type {
  BacktestResult,
  FillRow,
  LookaheadProof,
  MarketLeftOut,
  MarketResult,
  OrderCounts,
  OrderRow,
  PlotLine,
  Profit,
  ProfitPoint,
  ProofInstant,
  RowRun,
  RunPart,
  StrategyHalted,
} from './result/result.ts';
export type { Setting, StrategyUsed, TapeUsed, WalletResult } from './result/run-facts.ts';
export type {
  CellRow,
  CellsBy,
  CellTables,
  ClosingValues,
  JudgedMarkets,
  ModelStatistics,
  OfInterval,
  ProfitParts,
  RunStatistics,
} from './result/statistics.ts';
