/** From a configuration of `oddsmith record` and the environment to what is to be recorded. */

import type { FeedChoice, MarketWatch } from '../../rest/gateway/settings.ts';
import { CliError } from '../cli-error.ts';
import { type Environment, withEnvironment } from './environment.ts';
import {
  MARKETS_EVERY_MS,
  PRICES_EVERY_MS,
  REREAD_MS,
  type RecordConfig,
  RecordConfigSchema,
} from './record-schema.ts';
import { type LoadedConfig, parseConfig } from './yaml-config.ts';

export interface RecordOptions {
  readonly url: string;
  readonly streamUrl: string | undefined;
  readonly appId: string;
  readonly apiKey: string;
  readonly currency: string;
  readonly watch: MarketWatch;
  readonly feeds: { readonly markets: FeedChoice; readonly prices: FeedChoice };
  readonly requestsPerSecond: number;
  readonly commissionPpm: number;
  readonly out: string;
}

/** @throws CliError CONFIG_…, with the line */
export function resolveRecord(
  source: { readonly text: string; readonly file: string },
  environment: Environment,
): RecordOptions {
  const loaded = parseConfig(source.text, source.file, RecordConfigSchema);
  const { exchange, currency, markets, feeds, requestsPerSecond, commission, out } = loaded.value;
  const read = (key: keyof typeof exchange, text: string) =>
    withEnvironment(text, loaded.where(['exchange', key]), environment);
  const streamUrl = exchange.streamUrl === undefined ? undefined : read('streamUrl', exchange.streamUrl);
  const choices = {
    markets: choiceOf(feeds.markets, MARKETS_EVERY_MS),
    prices: choiceOf(feeds.prices, PRICES_EVERY_MS),
  };
  checkStream(loaded, streamUrl, choices);
  return {
    url: addressOf(loaded, 'url', read('url', exchange.url), ['http:', 'https:']),
    streamUrl: streamUrl === undefined ? undefined : addressOf(loaded, 'streamUrl', streamUrl, ['ws:', 'wss:']),
    appId: read('appId', exchange.appId),
    apiKey: read('apiKey', exchange.apiKey),
    currency,
    watch: {
      ...(markets.ids.length === 0 ? {} : { marketIds: markets.ids }),
      ...(markets.events.length === 0 ? {} : { eventIds: markets.events }),
      ...(markets.types.length === 0 ? {} : { marketTypeIds: markets.types }),
    },
    feeds: choices,
    requestsPerSecond,
    commissionPpm: Math.round(commission * 10_000),
    out,
  };
}

type Feed = RecordConfig['feeds']['prices'];

function choiceOf(feed: Feed, everyMs: number): FeedChoice {
  return feed.mode === 'poll'
    ? { kind: 'poll', everyMs: feed.everyMs ?? everyMs }
    : { kind: 'stream', rereadMs: feed.rereadMs ?? REREAD_MS };
}

function checkStream(
  loaded: LoadedConfig<RecordConfig>,
  streamUrl: string | undefined,
  feeds: Readonly<Record<string, FeedChoice>>,
): void {
  for (const [name, { kind }] of Object.entries(feeds)) {
    if (kind === 'poll' || streamUrl !== undefined) continue;
    throw new CliError({
      code: 'CONFIG_INVALID',
      what: 'A feed is to be streamed, and exchange.streamUrl is missing.',
      where: loaded.where(['feeds', name]),
      next: 'Add streamUrl: under exchange, or poll the feed.',
    });
  }
}

/** The address may come from the environment and hold more than it should, so that it is not shown. */
function addressOf(
  loaded: LoadedConfig<RecordConfig>,
  key: 'url' | 'streamUrl',
  text: string,
  protocols: readonly string[],
): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined && url.username === '' && url.password === '' && url.hash === '' && url.search === '';
  if (isPlain && protocols.includes(url.protocol)) return text;
  throw new CliError({
    code: 'CONFIG_INVALID',
    what: `The value of exchange.${key} must be an address that begins with ${protocols.join('// or ')}//, without credentials or query.`,
    where: loaded.where(['exchange', key]),
    next: 'Change the value; keys have keys of their own.',
  });
}
