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
}

type Feeds = RunOptions['feeds'];

/** @throws CliError CONFIG_INVALID where a budget is written that no reading can keep: it would stop all orders for ever */
export function freshnessOf(loaded: LoadedConfig<FreshnessConfig>, feeds: Feeds): BotSettings['freshness'] {
  const budget = (name: FeedName): number => budgetOf(loaded, name, readEveryMs(feeds[name]));
  return { markets: budget('markets'), prices: budget('prices'), orders: budget('orders'), wallets: budget('wallets') };
}

function budgetOf(loaded: LoadedConfig<FreshnessConfig>, name: FeedName, everyMs: number): number {
  const written = loaded.value.freshness[name];
  // A reading that failed is repeated after two seconds: half a time more is enough for that.
  if (written === undefined) return Math.max(FRESHNESS_DEFAULTS[name], Math.ceil(everyMs * FRESHNESS_READINGS));
  if (written > everyMs) return written;
  throw new CliError({
    code: 'CONFIG_INVALID',
    what: `The value of freshness.${name} must be more than ${everyMs}.`,
    where: loaded.where(['freshness', name]),
    why: `It is ${written}, and feeds.${name} is read every ${everyMs} ms: what was read would be too old before the next reading.`,
    next: `Raise freshness.${name}, leave it out, or read feeds.${name} more often.`,
  });
}
