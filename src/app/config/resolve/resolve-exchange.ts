/** The address of the exchange and the app and key that are used there, from the blocks that recording and running share. */

import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import type { FeedChoice, WideWatch } from '../../../exchange-live/settings.ts';
import { CliError } from '../../cli/cli-error.ts';
import type { ExchangeAccess } from '../../run/exchange-choice.ts';
import { REREAD_MS, type RecordConfig } from '../schema/record-schema.ts';
import { type Environment, withEnvironment } from '../yaml/environment.ts';
import { durationMs } from './duration.ts';

type ExchangeConfig = Pick<RecordConfig, 'exchange'>;
type BetfairConfig = Extract<RecordConfig['exchange'], { readonly betfair: object }>['betfair'];

/** @throws CliError CONFIG_INVALID or CONFIG_SECRET_UNSET, with the line and no value */
export function exchangeOf(loaded: LoadedConfig<ExchangeConfig>, environment: Environment): ExchangeAccess {
  const { exchange } = loaded.value;
  if ('betfair' in exchange) return betfairOf(loaded, exchange.betfair, environment);
  const read = (key: keyof typeof exchange, text: string) =>
    withEnvironment(text, loaded.where(['exchange', key]), environment);
  const streamUrl = exchange.streamUrl === undefined ? undefined : read('streamUrl', exchange.streamUrl);
  const proxy = exchange.proxy === undefined ? undefined : read('proxy', exchange.proxy);
  return {
    url: addressOf(loaded, ['url'], read('url', exchange.url), ['http:', 'https:']),
    streamUrl: streamUrl === undefined ? undefined : addressOf(loaded, ['streamUrl'], streamUrl, ['ws:', 'wss:']),
    proxy: proxy === undefined ? undefined : proxyOf(loaded, ['proxy'], proxy),
    appId: read('appId', exchange.appId),
    apiKey: read('apiKey', exchange.apiKey),
  };
}

function betfairOf(
  loaded: LoadedConfig<ExchangeConfig>,
  betfair: BetfairConfig,
  environment: Environment,
): ExchangeAccess {
  const place = (key: string) => ['betfair', key];
  const read = (key: keyof BetfairConfig): string | undefined => {
    const text = betfair[key];
    return text === undefined
      ? undefined
      : withEnvironment(text, loaded.where(['exchange', ...place(key)]), environment);
  };
  const url = read('url');
  const streamUrl = read('streamUrl');
  const proxy = read('proxy');
  const certificate = read('certificate');
  const key = read('key');
  if ((certificate === undefined) !== (key === undefined))
    throw new CliError({
      code: 'CONFIG_INVALID',
      what: 'exchange.betfair.certificate and exchange.betfair.key belong together, and one of them is missing.',
      where: loaded.where(['exchange', 'betfair']),
      next: 'Add the other one, or remove both to log in without a certificate.',
    });
  return {
    appKey: read('appKey') ?? '',
    username: read('username') ?? '',
    password: read('password') ?? '',
    files: { certificate, key, authority: read('authority') },
    url: url === undefined ? undefined : addressOf(loaded, place('url'), url, ['https:']),
    streamUrl: streamUrl === undefined ? undefined : addressOf(loaded, place('streamUrl'), streamUrl, ['tls:']),
    proxy: proxy === undefined ? undefined : proxyOf(loaded, place('proxy'), proxy),
  };
}

const ONLY_BETFAIR = ['eventTypes', 'countries', 'venues', 'startsWithin'] as const;
/** The most markets that Betfair's stream tells and its catalogue lists at once. */
const IDS_MAX = 200;

/** Empty lists select all. @throws CliError CONFIG_INVALID where the exchange cannot select so */
export function watchOf(loaded: LoadedConfig<ExchangeConfig & Pick<RecordConfig, 'markets'>>): WideWatch {
  const { exchange, markets } = loaded.value;
  const isBetfair = 'betfair' in exchange;
  const foreign = isBetfair ? undefined : ONLY_BETFAIR.find((key) => (markets[key]?.length ?? 0) > 0);
  if (foreign !== undefined)
    throw new CliError({
      code: 'CONFIG_INVALID',
      what: `markets.${foreign} selects markets of Betfair alone, and exchange names another one.`,
      where: loaded.where(['markets', foreign]),
      next: 'Select by types, ids and events.',
    });
  if (isBetfair && markets.ids.length > IDS_MAX)
    throw new CliError({
      code: 'CONFIG_INVALID',
      what: `markets.ids names ${markets.ids.length} markets, and Betfair shows ${IDS_MAX} at once.`,
      where: loaded.where(['markets', 'ids']),
      next: 'Name fewer, or select by other words.',
    });
  const { ids, events, types, eventTypes, countries, venues, startsWithin } = markets;
  const lists = {
    ...{ marketIds: ids, eventIds: events, marketTypeIds: types, eventTypeIds: eventTypes },
    ...{ countries, venues },
  };
  return {
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    ...(startsWithin !== undefined && { startsWithinMs: durationMs(startsWithin) }),
  };
}

/** `everyMs`: the time between two polls of a feed whose configuration does not say it. */
export function feedOf(feed: RecordConfig['feeds']['prices'], everyMs: number): FeedChoice {
  return feed.mode === 'poll'
    ? { kind: 'poll', everyMs: feed.everyMs ?? everyMs }
    : { kind: 'stream', rereadMs: feed.rereadMs ?? REREAD_MS };
}

/** @throws CliError where a feed is to be streamed and the address of the stream is missing */
export function checkStream(
  loaded: LoadedConfig<ExchangeConfig>,
  streamUrl: string | undefined,
  feeds: Readonly<Record<string, { readonly kind: string }>>,
): void {
  const block = 'betfair' in loaded.value.exchange ? 'exchange.betfair' : 'exchange';
  for (const [name, { kind }] of Object.entries(feeds)) {
    if (kind !== 'stream' || streamUrl !== undefined) continue;
    throw new CliError({
      code: 'CONFIG_INVALID',
      what: `A feed is to be streamed, and ${block}.streamUrl is missing.`,
      where: loaded.where(['feeds', name]),
      next: `Add streamUrl: under ${block}, or poll the feed.`,
    });
  }
}

/** The address may come from the environment and hold more than it should, so that it is not shown. */
function addressOf(
  loaded: LoadedConfig<ExchangeConfig>,
  path: readonly string[],
  text: string,
  protocols: readonly string[],
): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined && url.username === '' && url.password === '' && url.hash === '' && url.search === '';
  if (isPlain && protocols.includes(url.protocol)) return text;
  throw new CliError({
    code: 'CONFIG_INVALID',
    what: `The value of ${['exchange', ...path].join('.')} must be an address that begins with ${protocols.join('// or ')}//, without credentials or query.`,
    where: loaded.where(['exchange', ...path]),
    next: 'Change the value; keys have keys of their own.',
  });
}

/** The only address that may hold a user and a password, so that it is never shown. */
function proxyOf(loaded: LoadedConfig<ExchangeConfig>, path: readonly string[], text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && url.pathname === '/' && url.hash === '' && url.search === '';
  if (isPlain && ['http:', 'https:'].includes(url.protocol) && isPercentEncoded(url)) return text;
  throw new CliError({
    code: 'CONFIG_INVALID',
    what: `The value of ${['exchange', ...path].join('.')} must be an address that begins with http:// or https://, without path or query.`,
    where: loaded.where(['exchange', ...path]),
    next: 'Change the value, such as http://USER:PASSWORD@HOST:3128; a % of user or password is written %25, an @ %40.',
  });
}

function isPercentEncoded({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
