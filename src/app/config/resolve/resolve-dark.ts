/** When a market is dark, and what becomes of orders there: as the configuration says, or once a feed is late. */

import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import type { BotSettings, DarkFeed } from '../../../engine/live/bot-settings.ts';
import { CliError } from '../../cli/cli-error.ts';
import type { RunConfig } from '../schema/run-schema.ts';

const DARK_FEEDS: readonly DarkFeed[] = ['markets', 'prices', 'orders'];

/** @throws CliError CONFIG_INVALID where orders would be withdrawn while new ones may still be placed */
export function darkOf(
  loaded: LoadedConfig<Pick<RunConfig, 'dark'>>,
  freshness: BotSettings['freshness'],
): BotSettings['dark'] {
  const { afterMs, orders } = loaded.value.dark;
  const { markets, prices, orders: ofOrders } = freshness;
  if (afterMs === 'freshness') return { afterMs: { markets, prices, orders: ofOrders }, orders };
  const later = DARK_FEEDS.find((feed) => freshness[feed] > afterMs);
  if (later === undefined) return { afterMs: { markets: afterMs, prices: afterMs, orders: afterMs }, orders };
  throw new CliError({
    code: 'CONFIG_INVALID',
    what: `The value of dark.afterMs must be ${freshness[later]} or more.`,
    where: loaded.where(['dark', 'afterMs']),
    why: `It is ${afterMs}, and new orders are placed on ${later} that are up to ${freshness[later]} ms old (freshness.${later}): they would be withdrawn at once.`,
    next: `Raise dark.afterMs, write freshness there, or lower freshness.${later}.`,
  });
}
