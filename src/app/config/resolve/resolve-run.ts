/** Finds what is to be run, from a configuration of `oddsmith run` and the environment. */

import { createHash } from 'node:crypto';
import type { StrategyChoice } from '../../../backtest/options/backtest-options.ts';
import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import { checkWallet, granted, limitsOf } from '../../../backtest/options/resolve-backtest.ts';
import { latencyOf } from '../../../backtest/options/resolve-latency.ts';
import { defined } from '../../../core/checks/assert.ts';
import { moneyFromDecimal } from '../../../core/number/units.ts';
import type { BotSettings, DarkFeed, HeartbeatSettings } from '../../../engine/live/bot-settings.ts';
import type { FeedName } from '../../../exchange/gateway.ts';
import { type PricesChoice, readEveryMs } from '../../../exchange-live/settings.ts';
import { CliError } from '../../cli/cli-error.ts';
import { accessInHash, currencyOf, foreignOrdersOf, streamUrlOf } from '../../run/exchange-choice.ts';
import type { PaperOptions, RunMode, RunOptions, RunWallet } from '../../run/run-options.ts';
import {
  DASHBOARD_HOST,
  FRESHNESS_DEFAULTS,
  FRESHNESS_READINGS,
  HEARTBEAT_DEFAULTS,
  RUN_FEED_DEFAULTS,
} from '../schema/run-blocks.ts';
import { type RunConfig, RunConfigSchema } from '../schema/run-schema.ts';
import { type Environment, withEnvironment } from '../yaml/environment.ts';
import { parseConfig } from '../yaml/yaml-config.ts';
import { withParamPlaces } from './param-places.ts';
import { alertsOf } from './resolve-alerts.ts';
import { checkStream, exchangeOf, feedOf, watchOf } from './resolve-exchange.ts';

type Loaded = LoadedConfig<RunConfig>;

export interface RunSource {
  readonly text: string;
  readonly file: string;
}

/** More intents in one decision than this come from a faulty strategy. */
const INTENTS_MAX = 200;

/** @throws CliError CONFIG_…, with the line */
export function resolveRun(source: RunSource, environment: Environment, mode: RunMode): RunOptions {
  const loaded = parseConfig(source.text, source.file, RunConfigSchema);
  const config = loaded.value;
  const feeds = feedsOf(config.feeds);
  const exchange = exchangeOf(loaded, environment);
  checkStream(loaded, streamUrlOf(exchange), feeds);
  const { tickMs: _tickMs, refusedMs, ...margins } = config.margins;
  const options: Omit<RunOptions, 'sha256'> = {
    mode,
    exchange,
    currency: config.currency ?? currencyOf(exchange),
    watch: watchOf(loaded),
    feeds,
    margins,
    strategies: strategiesOf(loaded),
    strategyTimeoutMs: config.strategyTimeoutMs,
    wallets: walletsOf(loaded, environment, mode),
    requestsPerSecond: config.requestsPerSecond,
    limits: { ...limitsOf(config.limits), heartbeat: config.heartbeat !== 'none' },
    settings: settingsOf(loaded, feeds, foreignOrdersOf(exchange)),
    record: config.record,
    explain: { keepBytes: config.journal.explain.keepMb * MB, keepDays: config.journal.explain.keepDays },
    reload: config.reload,
    skewMaxMs: config.clock.skewMaxMs,
    refusedMs,
    dashboard: dashboardOf(config.dashboard),
    metricsPort: config.metrics === 'none' ? undefined : config.metrics.port,
    alerts: alertsOf(loaded, environment),
    paper: paperOf(loaded),
    dir: config.dir,
  };
  return { ...options, sha256: hashOf(options) };
}

/** The state directory that a configuration names, even if other variables of the environment are missing now. */
export function runDirectoryOf(source: RunSource): string {
  return parseConfig(source.text, source.file, RunConfigSchema).value.dir;
}

function dashboardOf(dashboard: RunConfig['dashboard']): RunOptions['dashboard'] {
  if (dashboard === 'none') return undefined;
  const { port, host = DASHBOARD_HOST, hosts = [] } = dashboard;
  return { port, host, hosts };
}

const MB = 1_000_000;

function feedsOf(feeds: RunConfig['feeds']): RunOptions['feeds'] {
  return {
    markets: feedOf(feeds.markets, RUN_FEED_DEFAULTS.markets),
    prices: pricesOf(feeds.prices),
    orders: feedOf(feeds.orders, RUN_FEED_DEFAULTS.orders),
    wallets: feedOf(feeds.wallets, RUN_FEED_DEFAULTS.wallets),
  };
}

function pricesOf(feed: RunConfig['feeds']['prices']): PricesChoice {
  if (feed.mode !== 'adaptive') return feedOf(feed, RUN_FEED_DEFAULTS.prices);
  const everyMs = feed.everyMs ?? RUN_FEED_DEFAULTS.prices;
  const urgentMs = Math.min(everyMs, feed.urgentMs ?? RUN_FEED_DEFAULTS.urgentMs);
  return { kind: 'adaptive', everyMs, urgentMs, nearOffMs: feed.nearOffMs ?? RUN_FEED_DEFAULTS.nearOffMs };
}

function strategiesOf(loaded: Loaded): readonly StrategyChoice[] {
  const wallets = Object.keys(loaded.value.wallets);
  const choices = loaded.value.strategies.map(({ file, params, wallet, files }, index) => {
    checkWallet(wallet, wallets, loaded.where(['strategies', index, 'wallet']));
    return { file, params, wallet, ...granted(files) };
  });
  return withParamPlaces(choices, loaded);
}

function walletsOf(loaded: Loaded, environment: Environment, mode: RunMode): readonly RunWallet[] {
  const named = new Map<string, string>();
  return Object.entries(loaded.value.wallets).map(([name, { id: text, balance: amount }]) => {
    const where = loaded.where(['wallets', name, 'id']);
    const balance = defined(moneyFromDecimal(amount), "an amount within the schema's bounds fits money");
    if (mode === 'paper') return { name, id: '', balance };
    if (text === undefined) throw missingId(name, where);
    const id = withEnvironment(text, where, environment);
    const other = named.get(id);
    if (other !== undefined) throw sameWallet(name, other, where);
    named.set(id, name);
    return { name, id, balance };
  });
}

function missingId(name: string, where: string): CliError {
  return new CliError({
    code: 'CONFIG_INVALID',
    what: `Wallet "${name}" has no id.`,
    where,
    why: 'A live run bets the money of a wallet of the exchange, and none is named.',
    next: 'Add id: with the exchange’s id of the wallet, or run it with --paper.',
  });
}

function sameWallet(name: string, other: string, where: string): CliError {
  return new CliError({
    code: 'CONFIG_INVALID',
    what: `Wallets "${other}" and "${name}" are the same wallet of the exchange.`,
    where,
    why: 'Its money would be counted twice.',
    next: 'Keep one of the two names.',
  });
}

function settingsOf(
  loaded: Loaded,
  feeds: RunOptions['feeds'],
  usual: BotSettings['reconcile']['foreignOrders'],
): BotSettings {
  const { end, margins } = loaded.value;
  const { foreignOrders = usual, ...comparing } = loaded.value.reconcile;
  const reconcile = { ...comparing, foreignOrders };
  const freshness = freshnessOf(loaded, feeds);
  const dark = darkOf(loaded, freshness);
  const settings = { tickMs: margins.tickMs, reconcile, freshness, dark, end, intentsMax: INTENTS_MAX };
  const heartbeat = heartbeatOf(loaded, { feeds, freshness });
  return heartbeat === undefined ? settings : { ...settings, heartbeat };
}

function paperOf(loaded: Loaded): PaperOptions {
  const { latency, fills, inPlayDelay, commission, seed } = loaded.value.paper;
  return {
    latency: latencyOf(latency, (path) => loaded.where(['paper', 'latency', ...path])),
    fills,
    inPlayDelay: inPlayDelay === 'recorded' ? 'recorded' : { ms: Math.round(inPlayDelay * 1_000) },
    commission: commission === 'recorded' ? 'recorded' : { ratePpm: Math.round(commission * 10_000) },
    seed,
  };
}

/** Keys in order of name, so that moving a line in the file changes nothing. */
function hashOf({ limits: _limits, exchange: access, ...rest }: Omit<RunOptions, 'sha256'>) {
  const strategies = rest.strategies.map(({ paramPlaces: _places, ...choice }) => choice);
  return createHash('sha256')
    .update(JSON.stringify(sorted({ ...rest, strategies, exchange: accessInHash(access) })))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

const DARK_FEEDS: readonly DarkFeed[] = ['markets', 'prices', 'orders'];

/**
 * When a market is dark, and what becomes of orders there: as the configuration says, or once a feed is late. @throws CliError
 * CONFIG_INVALID where orders would be withdrawn while new ones may still be placed
 */
function darkOf(
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

interface FreshnessConfig {
  readonly freshness: Partial<Record<FeedName, number>>;
  readonly limits: { readonly staleMs?: number | 'none' };
}

type Feeds = RunOptions['feeds'];

/**
 * How old what a run has read may become, feed by feed: as the configuration says, or as its readings can keep.
 * @throws CliError CONFIG_INVALID where a budget is written that no reading can keep, as one of its own or as the limit `staleMs`: it would
 * stop orders again and again
 */
function freshnessOf(loaded: LoadedConfig<FreshnessConfig>, feeds: Feeds): BotSettings['freshness'] {
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

/**
 * The heartbeat of a run, and the news on which it is refreshed; undefined without one. @throws CliError CONFIG_INVALID where it would rest
 * on news that are too old, or be late for want of news
 */
function heartbeatOf(loaded: Loaded, { feeds, freshness }: Read): HeartbeatSettings | undefined {
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
