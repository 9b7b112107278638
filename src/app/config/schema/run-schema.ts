/** The complete configuration of `oddsmith run`, with its defaults. */

import { type Static, Type } from '@sinclair/typebox';
import { StrategyBlock, StrategyTimeout } from '../../../backtest/options/blocks.ts';
import { LimitsBlock } from '../../../backtest/options/limits-block.ts';
import { AlertsBlock } from './alerts-block.ts';
import { ExchangeBlock, RecordConfigSchema, WatchBlock } from './record-schema.ts';
import {
  ClockBlock,
  DarkBlock,
  DashboardBlock,
  EndBlock,
  FreshnessBlock,
  HeartbeatBlock,
  JournalBlock,
  MarginsBlock,
  MetricsBlock,
  PaperBlock,
  ReconcileBlock,
  RecordSwitch,
  ReloadBlock,
  RunDirectory,
  RunFeedsBlock,
  RunWalletsBlock,
} from './run-blocks.ts';

export const RunConfigSchema = Type.Object(
  {
    exchange: ExchangeBlock,
    currency: RecordConfigSchema.properties.currency,
    strategies: Type.Array(StrategyBlock, { title: 'a list of strategies', minItems: 1 }),
    strategyTimeoutMs: StrategyTimeout(2_000),
    markets: WatchBlock,
    wallets: RunWalletsBlock,
    feeds: RunFeedsBlock,
    freshness: FreshnessBlock,
    dark: DarkBlock,
    requestsPerSecond: RecordConfigSchema.properties.requestsPerSecond,
    limits: LimitsBlock,
    heartbeat: HeartbeatBlock,
    reconcile: ReconcileBlock,
    end: EndBlock,
    journal: JournalBlock,
    record: RecordSwitch,
    reload: ReloadBlock,
    clock: ClockBlock,
    metrics: MetricsBlock,
    alerts: AlertsBlock,
    dashboard: DashboardBlock,
    paper: PaperBlock,
    margins: MarginsBlock,
    dir: RunDirectory,
  },
  { additionalProperties: false, title: 'a map of the run', description: 'A live or paper run of oddsmith.' },
);

/** The configuration with every default filled in. */
export type RunConfig = Static<typeof RunConfigSchema>;
