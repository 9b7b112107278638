/** The strategies of a run: loaded, seated under a name of their own each, with signals that grow as their files do. */

import { basename } from 'node:path';
import { newInstance, type StrategyInstance } from '../../engine/ledger/strategy-in-market.ts';
import { SignalSeries } from '../../strategy/signals.ts';
import type { DaemonLog } from '../live/log/daemon-log.ts';
import { SignalFile } from '../strategies/signal-file.ts';
import type { Say } from '../strategies/strategy-console.ts';
import { strategyError } from '../strategies/strategy-error.ts';
import { type LoadedStrategy, loadStrategy } from '../strategies/strategy-loader.ts';
import type { StrategyFault } from '../strategies/strategy-loader-fault.ts';
import type { StrategyChoice } from './backtest-options.ts';

export interface StartedStrategy {
  readonly choice: StrategyChoice;
  /** The plugin's, with a number where several seats have the same one. */
  readonly name: string;
  readonly instance: StrategyInstance;
  loaded: LoadedStrategy;
  signals: readonly FollowedSignal[];
}

/** Where a strategy's console leads. */
export type ConsoleOf = (choice: StrategyChoice) => Say;

/** Into the run's own log, line by line. */
export function consoleInLog(log: DaemonLog): ConsoleOf {
  return ({ file }) => {
    const strategy = basename(file);
    return (line) => log.info('console', line, { strategy });
  };
}

/** @throws CliError STRATEGY_… or SIGNAL_… */
export async function startStrategies(
  choices: readonly StrategyChoice[],
  wallets: readonly string[],
  hear: ConsoleOf = () => () => undefined,
): Promise<readonly StartedStrategy[]> {
  const started: StartedStrategy[] = [];
  for (const [index, choice] of choices.entries()) {
    const loaded = await load(choice, hear);
    if (loaded.kind === 'fault') throw strategyError(loaded.fault);
    const signals = followSignals(loaded);
    const instance = newInstance({
      ...{ index, plugin: loaded.plugin, params: loaded.params, wallet: wallets.indexOf(choice.wallet) },
      ...{ signals: seriesOf(signals), guest: loaded.guest },
    });
    started.push({ choice, name: freeName(loaded.plugin.name, started), instance, loaded, signals });
  }
  return started;
}

/** Another version of a strategy, or why there is none. */
export async function reloadStrategy(
  choice: StrategyChoice,
  hear: ConsoleOf,
): Promise<{ readonly kind: 'fault'; readonly fault: StrategyFault } | LoadedStrategy> {
  return await load(choice, hear);
}

function load(choice: StrategyChoice, hear: ConsoleOf): ReturnType<typeof loadStrategy> {
  return loadStrategy(choice.file, choice.params, { say: hear(choice), files: { paths: choice.files ?? [] } });
}

/** The name that an order keeps in the journal and in its reference must not change between starts. */
function freeName(name: string, started: readonly StartedStrategy[]): string {
  const taken = started.filter(({ loaded }) => loaded.plugin.name === name).length;
  return taken === 0 ? name : `${name}-${taken + 1}`;
}

export interface FollowedSignal {
  readonly name: string;
  readonly series: SignalSeries;
  /** Takes in what was written since; how many lines were no rows. */
  read(): number;
}

/** @throws CliError SIGNAL_… */
export function followSignals(loaded: LoadedStrategy): readonly FollowedSignal[] {
  return loaded.signals.map(({ name, file }) => {
    const series = new SignalSeries();
    const followed = new SignalFile(file);
    const take = () => {
      const { rows, faults } = followed.read({ final: false });
      for (const row of rows) series.add(row);
      return faults;
    };
    const [fault] = take();
    if (fault !== undefined) throw strategyError(fault);
    return { name, series, read: () => take().length };
  });
}

export function seriesOf(signals: readonly FollowedSignal[]): ReadonlyMap<string, SignalSeries> {
  return new Map(signals.map(({ name, series }) => [name, series]));
}
