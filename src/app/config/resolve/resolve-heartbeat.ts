/** The heartbeat of a run, and the news on which it is refreshed, from the configuration. */

import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import type { BotSettings, HeartbeatSettings } from '../../../engine/live/bot-settings.ts';
import { readEveryMs } from '../../../exchange-live/settings.ts';
import { CliError } from '../../cli/cli-error.ts';
import type { RunOptions } from '../../run/run-options.ts';
import { HEARTBEAT_DEFAULTS } from '../schema/run-blocks.ts';
import type { RunConfig } from '../schema/run-schema.ts';

type Loaded = LoadedConfig<RunConfig>;

interface Read {
  readonly feeds: RunOptions['feeds'];
  readonly freshness: BotSettings['freshness'];
}

/** While readings that took too long are repeated, the heartbeat may rest on news that are older by this part of a reading. */
const SPARE = 1.25;
/** The oldest news that a heartbeat rests on by default, as a part of its life. */
const OLDEST_PART = 5 / 6;
/** It is refreshed a third of its life after the last time, and late after two: so long it can wait for the next reading. */
const WAIT_PART = 1 / 3;

/** Undefined without one. @throws CliError CONFIG_INVALID where it would rest on news that are too old, or be late for want of news */
export function heartbeatOf(loaded: Loaded, { feeds, freshness }: Read): HeartbeatSettings | undefined {
  const { heartbeat } = loaded.value;
  if (heartbeat === 'none') return undefined;
  const { pollBudgetMs, ...given } = heartbeat;
  const { timeoutMs, atEnd } = { ...HEARTBEAT_DEFAULTS, ...given };
  const slowest = slowestOf(feeds);
  const usual = Math.min(timeoutMs / 2, Math.max(freshness.prices, freshness.orders));
  const needed = Math.min(slowest.everyMs * SPARE, timeoutMs * OLDEST_PART);
  const budgetMs = pollBudgetMs ?? Math.floor(Math.max(usual, needed));
  if (budgetMs >= timeoutMs) throw tooOld(loaded, budgetMs, timeoutMs);
  if (slowest.everyMs >= budgetMs + timeoutMs * WAIT_PART) throw tooSlow(loaded, { slowest, budgetMs, timeoutMs });
  return { timeoutMs, pollBudgetMs: budgetMs, atEnd };
}

/** A feed on whose news the heartbeat is refreshed. */
interface Slowest {
  readonly name: 'prices' | 'orders';
  readonly everyMs: number;
}

function slowestOf(feeds: RunOptions['feeds']): Slowest {
  const [prices, orders] = [readEveryMs(feeds.prices), readEveryMs(feeds.orders)];
  return prices >= orders ? { name: 'prices', everyMs: prices } : { name: 'orders', everyMs: orders };
}

function tooOld(loaded: Loaded, budgetMs: number, timeoutMs: number): CliError {
  return new CliError({
    code: 'CONFIG_INVALID',
    what: 'The value of heartbeat.pollBudgetMs must be less than heartbeat.timeoutMs.',
    where: loaded.where(['heartbeat', 'pollBudgetMs']),
    why: `They are ${budgetMs} and ${timeoutMs}: a heartbeat would be refreshed on news older than its own life.`,
    next: 'Lower pollBudgetMs, or leave it out.',
  });
}

interface TooSlow {
  readonly slowest: Slowest;
  readonly budgetMs: number;
  readonly timeoutMs: number;
}

function tooSlow(loaded: Loaded, { slowest: { name, everyMs }, budgetMs, timeoutMs }: TooSlow): CliError {
  const isWritten = loaded.value.heartbeat !== 'none' && loaded.value.heartbeat.pollBudgetMs !== undefined;
  return new CliError({
    code: 'CONFIG_INVALID',
    what: `The heartbeat would be late between two readings of ${name}.`,
    where: loaded.where(isWritten ? ['heartbeat', 'pollBudgetMs'] : ['feeds', name]),
    why: `feeds.${name} is read every ${everyMs} ms. A heartbeat of ${timeoutMs} ms is refreshed on news that are at most ${budgetMs} ms old (heartbeat.pollBudgetMs).`,
    next: `Read feeds.${name} more often, or raise heartbeat.${isWritten ? 'pollBudgetMs' : 'timeoutMs'}.`,
  });
}
