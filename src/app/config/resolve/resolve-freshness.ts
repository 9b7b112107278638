/** How old what a run has read may become, feed by feed: as the configuration says, or as its readings can keep. */

import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import type { BotSettings } from '../../../engine/live/bot-settings.ts';
import type { FeedName } from '../../../exchange/gateway.ts';
import { readEveryMs } from '../../../exchange-live/settings.ts';
import { CliError } from '../../cli/cli-error.ts';
import type { RunOptions } from '../../run/run-options.ts';
import { FRESHNESS_DEFAULTS, FRESHNESS_READINGS } from '../schema/run-blocks.ts';

interface FreshnessConfig {
  readonly freshness: Partial<Record<FeedName, number>>;
  readonly limits: { readonly staleMs?: number | 'none' };
}

type Feeds = RunOptions['feeds'];

/**
 * @throws CliError CONFIG_INVALID where a budget is written that no reading can keep, as one of its own or as the limit `staleMs`: it
 * would stop orders again and again
 */
export function freshnessOf(loaded: LoadedConfig<FreshnessConfig>, feeds: Feeds): BotSettings['freshness'] {
  checkStale(loaded, feeds.prices);
  const budget = (name: FeedName): number => budgetOf(loaded, name, readEveryMs(feeds[name]));
  return { markets: budget('markets'), prices: budget('prices'), orders: budget('orders'), wallets: budget('wallets') };
}

function budgetOf(loaded: LoadedConfig<FreshnessConfig>, name: FeedName, everyMs: number): number {
  const written = loaded.value.freshness[name];
  // A reading that failed is repeated after two seconds: half a time more is enough for that.
  if (written === undefined) return Math.max(FRESHNESS_DEFAULTS[name], Math.ceil(everyMs * FRESHNESS_READINGS));
  if (written > everyMs) return written;
  throw tooShort({ key: `freshness.${name}`, where: loaded.where(['freshness', name]), written, name, everyMs });
}

/** Streamed prices are as fresh as their last reading, too: a stream shows no loss. Urgent markets are read more often than others. */
function checkStale(loaded: LoadedConfig<FreshnessConfig>, prices: Feeds['prices']): void {
  const { staleMs = 'none' } = loaded.value.limits;
  const everyMs = prices.kind === 'adaptive' ? prices.urgentMs : readEveryMs(prices);
  if (staleMs === 'none' || staleMs > everyMs) return;
  const where = loaded.where(['limits', 'staleMs']);
  throw tooShort({ key: 'limits.staleMs', where, written: staleMs, name: 'prices', everyMs });
}

function tooShort(of: {
  readonly key: string;
  readonly where: string;
  readonly written: number;
  readonly name: FeedName;
  readonly everyMs: number;
}): CliError {
  const { key, where, written, name, everyMs } = of;
  return new CliError({
    code: 'CONFIG_INVALID',
    what: `The value of ${key} must be more than ${everyMs}.`,
    where,
    why: `It is ${written}, and feeds.${name} is read every ${everyMs} ms: what was read would be too old before the next reading.`,
    next: `Raise ${key}, leave it out, or read feeds.${name} more often.`,
  });
}
