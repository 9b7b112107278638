/** Loads the strategies of a run, each under a name of its own, with signals that grow as their files do. */

import { basename } from 'node:path';
import type { StrategyChoice } from '../../backtest/options/backtest-options.ts';
import { newInstance, type StrategyInstance } from '../../engine/ledger/strategy-in-market.ts';
import type { Say } from '../../loader/realm/strategy-console.ts';
import { SignalFile } from '../../loader/signals/signal-file.ts';
import { type LoadedStrategy, loadStrategy } from '../../loader/strategy-loader.ts';
import { strategyError } from '../../loader/strategy-loader-fault.ts';
import { SignalSeries } from '../../strategy/signals.ts';

export interface StartedStrategy {
  readonly choice: StrategyChoice;
  /** The plugin's name, with a number if several strategies of the run have the same one. */
  readonly name: string;
  readonly instance: StrategyInstance;
  loaded: LoadedStrategy;
  signals: readonly FollowedSignal[];
}

/** Who writes: the strategy's name in the run, once it is loaded for the first time; until then its file. */
export interface Speaker {
  name: string;
}

/** Finds where the console of a strategy writes. */
export type ConsoleOf = (speaker: Readonly<Speaker>) => Say;

/** @throws CliError STRATEGY_… or SIGNAL_… */
export async function startStrategies(
  choices: readonly StrategyChoice[],
  wallets: readonly string[],
  consoleOf: ConsoleOf = () => () => undefined,
): Promise<readonly StartedStrategy[]> {
  const started: StartedStrategy[] = [];
  for (const [index, choice] of choices.entries()) {
    const speaker = { name: basename(choice.file) };
    const loaded = await loadChoice(choice, consoleOf(speaker));
    if (loaded.kind === 'fault') throw strategyError(loaded.fault);
    const signals = followSignals(loaded);
    const instance = newInstance({
      index,
      plugin: loaded.plugin,
      params: loaded.params,
      wallet: wallets.indexOf(choice.wallet),
      signals: seriesOf(signals),
      guest: loaded.guest,
    });
    const name = freeName(loaded.plugin.name, started);
    speaker.name = name;
    started.push({ choice, name, instance, loaded, signals });
  }
  return started;
}

/** Loads a strategy's present version, or says what is wrong with it. */
export function loadChoice(choice: StrategyChoice, say: Say): ReturnType<typeof loadStrategy> {
  const { file, params, paramPlaces, files: paths = [] } = choice;
  return loadStrategy(file, params, { say, paramPlaces, files: { paths } });
}

/** A name that no other strategy has. It stands in the journal and in order references, so it must not change between starts. */
function freeName(name: string, started: readonly StartedStrategy[]): string {
  const taken = started.filter(({ loaded }) => loaded.plugin.name === name).length;
  return taken === 0 ? name : `${name}-${taken + 1}`;
}

export interface FollowedSignal {
  readonly name: string;
  readonly series: SignalSeries;
  /** Reads the lines that were written since; returns how many were no rows. */
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
