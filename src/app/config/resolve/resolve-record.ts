/** Finds what is to be recorded, from a configuration of `oddsmith record` and the environment. */

import { currencyOf, streamUrlOf } from '../../run/exchange-choice.ts';
import type { RecordOptions } from '../../run/run-options.ts';
import { MARKETS_EVERY_MS, PRICES_EVERY_MS, RecordConfigSchema } from '../schema/record-schema.ts';
import type { Environment } from '../yaml/environment.ts';
import { parseConfig } from '../yaml/yaml-config.ts';
import { checkStream, exchangeOf, feedOf, watchOf } from './resolve-exchange.ts';

/** @throws CliError CONFIG_…, with the line */
export function resolveRecord(
  source: { readonly text: string; readonly file: string },
  environment: Environment,
): RecordOptions {
  const loaded = parseConfig(source.text, source.file, RecordConfigSchema);
  const { currency, feeds, requestsPerSecond, commission, out } = loaded.value;
  const exchange = exchangeOf(loaded, environment);
  const choices = {
    markets: feedOf(feeds.markets, MARKETS_EVERY_MS),
    prices: feedOf(feeds.prices, PRICES_EVERY_MS),
  };
  checkStream(loaded, streamUrlOf(exchange), choices);
  return {
    exchange,
    currency: currency ?? currencyOf(exchange),
    watch: watchOf(loaded),
    feeds: choices,
    requestsPerSecond,
    commissionPpm: Math.round(commission * 10_000),
    out,
  };
}
