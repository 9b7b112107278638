/** Makes the options of a run from a backtest configuration and from what is given beside it. */

import { assert, defined } from '../../core/checks/assert.ts';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { nearest } from '../../core/collections/nearest.ts';
import { type Money, moneyFromDecimal } from '../../core/number/units.ts';
import type { Limits } from '../../risk/limits/limits.ts';
import { parseLimits } from '../../risk/limits/parse-limits.ts';
import type { BacktestOptions, StrategyChoice, WalletChoice } from './backtest-options.ts';
import type { BacktestConfig } from './backtest-schema.ts';
import type { ConfigErrorCode, LoadedConfig } from './loaded-config.ts';
import { latencyOf } from './resolve-latency.ts';
import { windowOf } from './resolve-window.ts';

/** What the command line gives beside a configuration; it wins. */
export interface BacktestFlags {
  /** Replace the file's strategies. */
  readonly strategies: readonly string[];
  /** Replace the file's tapes. */
  readonly tapes: readonly string[];
  /** Override the parameters of every strategy. */
  readonly params: Readonly<Record<string, unknown>>;
  /** What every strategy may read, besides what the file grants. */
  readonly files?: readonly string[];
  readonly fills?: BacktestOptions['fills'];
  readonly seed?: number;
  readonly out?: string;
  readonly prove?: boolean | number;
}

export function resolveBacktest(loaded: LoadedConfig<BacktestConfig>, flags: BacktestFlags): BacktestOptions {
  const config = loaded.value;
  const strategies = strategiesOf(loaded, flags);
  const tapes = flags.tapes.length > 0 ? flags.tapes : config.tapes;
  requireSome(strategies, 'strategy', '--strategy strategies/your-strategy.ts');
  requireSome(tapes, 'tape', '--tape data/your.tape');
  return {
    strategies,
    tapes,
    markets: marketsOf(loaded),
    wallets: walletsOf(loaded),
    feed: config.feed,
    latency: latencyOf(config.latency, (path) => loaded.where(['latency', ...path])),
    inPlayDelay: config.inPlayDelay === 'recorded' ? 'recorded' : { ms: Math.round(config.inPlayDelay * 1000) },
    commission: config.commission === 'recorded' ? 'recorded' : { ratePpm: Math.round(config.commission * 10_000) },
    fills: flags.fills ?? config.fills,
    fillRules: config.fillRules,
    exchange: exchangeOf(config.exchange),
    limits: limitsOf(config.limits),
    isolate: config.isolate,
    strategyTimeoutMs: config.strategyTimeoutMs,
    prove: flags.prove ?? false,
    seed: flags.seed ?? config.seed,
    out: flags.out ?? config.out,
  };
}

function marketsOf({ value: { markets }, where }: LoadedConfig<BacktestConfig>): BacktestOptions['markets'] {
  const { types, ids, events } = markets;
  const window = windowOf(markets.window, () => where(['markets', 'window']));
  // Absent where there is none, so that a run without one is the run that it was before there were windows.
  return window === undefined ? { types, ids, events } : { types, ids, events, window };
}

function requireSome(list: readonly unknown[], name: string, flag: string): void {
  if (list.length > 0) return;
  throw new OddsmithError<'USAGE'>({
    code: 'USAGE',
    what: `No ${name} was named.`,
    why: 'A backtest needs at least one strategy and one tape.',
    next: `Pass ${flag}, or a configuration file; see oddsmith backtest --help.`,
  });
}

function strategiesOf(loaded: LoadedConfig<BacktestConfig>, flags: BacktestFlags): readonly StrategyChoice[] {
  const wallets = Object.keys(loaded.value.wallets);
  if (flags.strategies.length > 0) {
    const wallet = wallets.includes('main') ? 'main' : defined(wallets[0], 'the schema asks for a wallet');
    return flags.strategies.map((file) => ({ file, params: flags.params, wallet, ...granted(flags.files) }));
  }
  return loaded.value.strategies.map((strategy, index) => {
    checkWallet(strategy.wallet, wallets, loaded.where(['strategies', index, 'wallet']));
    const { file, wallet, files } = strategy;
    return {
      file,
      params: { ...strategy.params, ...flags.params },
      wallet,
      ...granted([...files, ...(flags.files ?? [])]),
    };
  });
}

/** Absent where there are none, so that a run that grants nothing is the run that it was before there were grants. */
export function granted(files: readonly string[] = []): Pick<StrategyChoice, 'files'> {
  return files.length === 0 ? {} : { files };
}

/** A market has one currency and every wallet bets on the same tapes, so a run has one currency. */
function walletsOf(loaded: LoadedConfig<BacktestConfig>): Readonly<Record<string, WalletChoice>> {
  const named = Object.entries(loaded.value.wallets);
  const [first, currency] =
    named.flatMap(([name, wallet]) => (wallet.currency === undefined ? [] : [[name, wallet.currency] as const]))[0] ??
    [];
  const wallets: Record<string, WalletChoice> = {};
  for (const [name, wallet] of named) {
    if (wallet.currency !== undefined && wallet.currency !== currency) {
      throw new OddsmithError<ConfigErrorCode>({
        code: 'CONFIG_INVALID',
        what: `Wallet "${name}" holds ${wallet.currency}, and "${first}" ${currency}.`,
        where: loaded.where(['wallets', name, 'currency']),
        why: 'A run has one currency: its markets are settled in it and its results are one sum.',
        next: 'Give all wallets the same currency, or make two runs.',
      });
    }
    wallets[name] = { currency, balance: wallet.unlimited ? 'unlimited' : exact(wallet.balance) };
  }
  return wallets;
}

function exchangeOf({ inPlaySuspension, minimumStake }: BacktestConfig['exchange']): BacktestOptions['exchange'] {
  const isWord = typeof minimumStake === 'string';
  return { inPlaySuspension, minimumStake: isWord ? minimumStake : { stake: exact(minimumStake) } };
}

/** `none` lifts a limit; the schema has judged the rest, so a fault here is our bug. */
export function limitsOf(limits: BacktestConfig['limits']): Limits {
  const given = Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== 'none'));
  const parsed = parseLimits(given);
  assert(parsed.kind === 'limits', 'the schema lets no limit through that risk refuses');
  return parsed.limits;
}

/** The schema bounds amounts, so that they fit. */
function exact(amount: number): Money {
  const money = moneyFromDecimal(amount);
  assert(money !== undefined, `an amount within the schema's bounds fits money, got ${amount}`);
  return money;
}

/** @throws OddsmithError CONFIG_INVALID, with the nearest name */
export function checkWallet(name: string, wallets: readonly string[], where: string): void {
  if (wallets.includes(name)) return;
  const near = nearest(name, wallets);
  throw new OddsmithError<ConfigErrorCode>({
    code: 'CONFIG_INVALID',
    what: `There is no wallet named "${name}".`,
    where,
    why: `The wallets are: ${wallets.join(', ')}.`,
    next: near === undefined ? 'Add it under wallets, or name one of those.' : `Did you mean ${near}?`,
  });
}
