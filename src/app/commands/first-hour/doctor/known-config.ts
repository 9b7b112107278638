/** Which kind of configuration a file is, and what the doctor can look at in it. */

import type { StrategyChoice } from '../../../../backtest/options/backtest-options.ts';
import { BacktestConfigSchema } from '../../../../backtest/options/backtest-schema.ts';
import { resolveBacktest } from '../../../../backtest/options/resolve-backtest.ts';
import type { PricesChoice } from '../../../../exchange-live/settings.ts';
import { SweepConfigSchema } from '../../../../sweep/space/read/sweep-schema.ts';
import type { CliError } from '../../../cli/cli-error.ts';
import { knownError } from '../../../cli/known-error.ts';
import { withParamPlaces } from '../../../config/resolve/param-places.ts';
import { resolveRecord } from '../../../config/resolve/resolve-record.ts';
import { resolveRun } from '../../../config/resolve/resolve-run.ts';
import { type RecordConfig, RecordConfigSchema } from '../../../config/schema/record-schema.ts';
import { RunConfigSchema } from '../../../config/schema/run-schema.ts';
import { type ConfigKind, configKind } from '../../../config/yaml/config-kind.ts';
import type { Environment } from '../../../config/yaml/environment.ts';
import { parseConfig } from '../../../config/yaml/yaml-config.ts';
import { BETFAIR_URL } from '../../../run/exchange-choice.ts';
import type { RunMode, RunOptions } from '../../../run/run-options.ts';

export interface KnownConfig {
  readonly kind: ConfigKind;
  readonly strategies: readonly StrategyChoice[];
  readonly tapes: readonly string[];
  /** The directory to which it writes. */
  readonly directory: string;
  /** Names of variables of the environment, and which of them are missing. */
  readonly variables: readonly string[];
  readonly missing: readonly string[];
  /** The address as it is written: variables may stand in it. */
  readonly url: string | undefined;
  readonly isProxied: boolean;
  /** The file of the authority by which a sandbox over HTTPS is trusted, as it is written. */
  readonly authority: string | undefined;
  /** Undefined where it speaks with no exchange, or keys are missing. */
  readonly exchange: ExchangeToAsk | undefined;
  /** The options of a run whose keys are there. */
  readonly run: RunOptions | undefined;
}

/** What of the options of a run or a recording concerns its exchange. */
export type ExchangeToAsk = Pick<RunOptions, 'exchange' | 'requestsPerSecond'> & {
  readonly feeds: Readonly<Record<string, PricesChoice>>;
  readonly skewMaxMs: number;
};

const SKEW_MAX_MS = 5_000;
const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** @throws CliError CONFIG_…, with the place */
export function knownConfig(text: string, file: string, environment: Environment): KnownConfig {
  const kind = configKind(text);
  switch (kind) {
    case 'backtest':
    case 'sweep':
      return ofBacktest(text, file, kind);
    case 'record':
      return ofRecording(text, file, environment);
    case 'run':
      return ofRun(text, file, environment);
  }
}

const NO_FLAGS = { strategies: [], tapes: [], params: {} };
const NO_EXCHANGE = {
  variables: [],
  missing: [],
  url: undefined,
  isProxied: false,
  authority: undefined,
  exchange: undefined,
  run: undefined,
};

function ofBacktest(text: string, file: string, kind: 'backtest' | 'sweep'): KnownConfig {
  const loaded =
    kind === 'sweep' ? parseConfig(text, file, SweepConfigSchema) : parseConfig(text, file, BacktestConfigSchema);
  const { strategies, tapes, out } = resolveBacktest(loaded, NO_FLAGS);
  return { ...NO_EXCHANGE, kind, strategies: withParamPlaces(strategies, loaded), tapes, directory: out };
}

function ofRecording(text: string, file: string, environment: Environment): KnownConfig {
  const { value } = parseConfig(text, file, RecordConfigSchema);
  const exchange = unlessUnset(() => {
    const options = resolveRecord({ text, file }, environment);
    return { ...options, skewMaxMs: SKEW_MAX_MS };
  });
  const known = { kind: 'record', strategies: [], tapes: [], directory: value.out } as const;
  return { ...known, ...variablesIn(value, environment), ...addressIn(value), exchange, run: undefined };
}

function ofRun(text: string, file: string, environment: Environment): KnownConfig {
  const loaded = parseConfig(text, file, RunConfigSchema);
  const { value } = loaded;
  const wallets = Object.keys(value.wallets);
  // A wallet without an id belongs to no exchange: the file is for paper runs.
  const mode: RunMode = wallets.every((name) => value.wallets[name]?.id !== undefined) ? 'live' : 'paper';
  const run = unlessUnset(() => resolveRun({ text, file }, environment, mode));
  const choices = value.strategies.map((choice) => ({ ...choice }));
  return {
    kind: 'run',
    strategies: run?.strategies ?? withParamPlaces(choices, loaded),
    tapes: [],
    directory: value.dir,
    ...variablesIn(value, environment),
    ...addressIn(value),
    exchange: run,
    run,
  };
}

function addressIn({ exchange }: Pick<RecordConfig, 'exchange'>): Pick<KnownConfig, 'url' | 'isProxied' | 'authority'> {
  if ('betfair' in exchange) {
    const { url = BETFAIR_URL, proxy, authority } = exchange.betfair;
    return { url, isProxied: proxy !== undefined, authority };
  }
  return { url: exchange.url, isProxied: exchange.proxy !== undefined, authority: undefined };
}

/** Undefined where only a variable of the environment is missing: the rest can be looked at all the same. */
function unlessUnset<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const known: CliError | undefined = knownError(error);
    if (known?.parts.code === 'CONFIG_SECRET_UNSET') return undefined;
    throw error;
  }
}

function variablesIn(value: unknown, environment: Environment): Pick<KnownConfig, 'variables' | 'missing'> {
  const names = new Set([...JSON.stringify(value).matchAll(REFERENCE)].map(([, name = '']) => name));
  const variables = [...names].sort();
  return { variables, missing: variables.filter((name) => (environment[name] ?? '') === '') };
}
