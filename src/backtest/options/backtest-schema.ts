/** The complete backtest configuration (cli.md), with its defaults. */

import { type Static, Type } from '@sinclair/typebox';
import {
  BacktestMarketsBlock,
  Commission,
  ExchangeBlock,
  FeedBlock,
  FillRulesBlock,
  Fills,
  InPlayDelay,
  Isolate,
  LatencyBlock,
  Out,
  Seed,
  StrategyBlock,
  StrategyTimeout,
  WalletsBlock,
} from './blocks.ts';
import { LimitsBlock } from './limits-block.ts';

export const BacktestConfigSchema = Type.Object(
  {
    strategies: Type.Array(StrategyBlock, { title: 'a list of strategies', default: [] }),
    tapes: Type.Array(Type.String({ minLength: 1, title: 'a path' }), {
      title: 'a list of tape files',
      description: 'Merged by publish time. Paths are relative to the working directory.',
      default: [],
    }),
    markets: BacktestMarketsBlock,
    wallets: WalletsBlock,
    feed: FeedBlock,
    latency: LatencyBlock,
    inPlayDelay: InPlayDelay,
    commission: Commission,
    fills: Fills,
    fillRules: FillRulesBlock,
    exchange: ExchangeBlock,
    limits: LimitsBlock,
    isolate: Isolate,
    strategyTimeoutMs: StrategyTimeout(30_000),
    seed: Seed,
    out: Out,
  },
  { additionalProperties: false, title: 'a map of the backtest configuration', description: 'An oddsmith backtest.' },
);

/** A configuration with every default filled in. */
export type BacktestConfig = Static<typeof BacktestConfigSchema>;
