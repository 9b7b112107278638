/** The strategies of a backtest: loaded anew for each simulation, with their signals, or one of them alone. */

import { basename } from 'node:path';
import { newInstance, type StrategyInstance } from '../../engine/ledger/strategy-in-market.ts';
import type { Say } from '../../loader/realm/strategy-console.ts';
import { SignalFile } from '../../loader/signals/signal-file.ts';
import { type LoadedStrategy, type LoadResult, loadBundled } from '../../loader/strategy-loader.ts';
import { type BundleResult, bundleStrategy, type StrategyBundle } from '../../loader/strategy-loader-bundle.ts';
import { strategyError } from '../../loader/strategy-loader-fault.ts';
import { strategyOfObject } from '../../loader/strategy-object.ts';
import { type SignalRow, SignalSeries } from '../../strategy/signals.ts';
import { printable } from '../../words/printable.ts';
import type { BacktestOptions, StrategyChoice } from '../options/backtest-options.ts';
import type { StrategyChange } from '../prove/proof-replays.ts';
import type { ReadSignal } from '../result/signal-notices.ts';

/** @throws OddsmithError STRATEGY_… or SIGNAL_…, from each of its methods */
export class RunStrategies {
  readonly #options: BacktestOptions;
  /** The bundles by index of the strategy. Each file is bundled once, so that all simulations of a run play the same code. */
  readonly #bundles: (Promise<BundleResult> | undefined)[];
  readonly #rowsOf: (file: string) => readonly SignalRow[];
  /** The series by file, as they were read. */
  readonly #seriesOf = new Map<string, SignalSeries>();

  /**
   * `bundles` by index of the strategy, where they were made before; `rowsOf` gives the rows of a signal file in order of availableAt,
   * where they were read before.
   */
  constructor(options: BacktestOptions, bundles: readonly StrategyBundle[] = [], rowsOf = readRows) {
    this.#options = options;
    this.#bundles = bundles.map((bundle) => Promise.resolve(bundle));
    this.#rowsOf = rowsOf;
  }

  /** The bundles of strategies that are all given as files. */
  async bundles(): Promise<readonly StrategyBundle[]> {
    const made: StrategyBundle[] = [];
    for (const [index, choice] of this.#options.strategies.entries()) {
      const bundle = await this.#bundle(index, choice);
      if (bundle.kind === 'fault') throw strategyError(bundle.fault);
      made.push(bundle);
    }
    return made;
  }

  async load(change: StrategyChange = {}, say?: Say): Promise<readonly LoadedStrategy[]> {
    const loaded: LoadedStrategy[] = [];
    for (const [index, choice] of this.#options.strategies.entries())
      loaded.push(await this.#load(index, choice, { change, say }));
    return loaded;
  }

  /** `say` is called with each line that a strategy writes to its console. */
  async instances(change: StrategyChange, say?: Say): Promise<readonly StrategyInstance[]> {
    const loaded = await this.load(change, say);
    return loaded.map((strategy, index) => this.#instance(strategy, index, this.#signals(strategy, change)));
  }

  /** One strategy alone. The others keep their places, by which steps and orders name them, and watch nothing. */
  async instanceAt(
    only: number,
    known: readonly LoadedStrategy[],
    { change = {}, say }: Partial<LoadHow> = {},
  ): Promise<readonly StrategyInstance[]> {
    const instances: StrategyInstance[] = [];
    for (const [index, { plugin }] of known.entries()) {
      const choice = this.#options.strategies[index];
      if (index !== only || choice === undefined) instances.push(emptyInstance(plugin.name, index));
      else {
        const strategy = await this.#load(index, choice, { change, say });
        instances.push(this.#instance(strategy, index, this.#signals(strategy, change)));
      }
    }
    return instances;
  }

  async #load(index: number, choice: StrategyChoice, how: LoadHow): Promise<LoadedStrategy> {
    const loaded =
      choice.plugin === undefined
        ? load(await this.#bundle(index, choice), choice, how)
        : strategyOfObject(typeof choice.plugin === 'function' ? choice.plugin() : choice.plugin, choice.params);
    if (loaded.kind === 'fault') throw strategyError(loaded.fault);
    return loaded;
  }

  #signals(strategy: LoadedStrategy, { rowOf = asRead }: StrategyChange): ReadonlyMap<string, SignalSeries> {
    return new Map(strategy.signals.map(({ name, file }) => [name, this.#series(file, rowOf)]));
  }

  /** What is read as it stands is read once for all worlds: a series is never written by who reads it. */
  #series(file: string, rowOf: (row: SignalRow) => SignalRow | undefined): SignalSeries {
    const known = rowOf === asRead ? this.#seriesOf.get(file) : undefined;
    if (known !== undefined) return known;
    const series = new SignalSeries();
    for (const row of this.#rowsOf(file)) {
      const changed = rowOf(row);
      if (changed !== undefined) series.add(changed);
    }
    if (rowOf === asRead) this.#seriesOf.set(file, series);
    return series;
  }

  #bundle(index: number, { file, files = [] }: StrategyChoice): Promise<BundleResult> {
    this.#bundles[index] ??= bundleStrategy(file, files.length > 0);
    return this.#bundles[index];
  }

  #instance(
    { plugin, params, guest }: LoadedStrategy,
    index: number,
    signals: ReadonlyMap<string, SignalSeries>,
  ): StrategyInstance {
    const { wallets, strategies } = this.#options;
    const wallet = Math.max(0, Object.keys(wallets).indexOf(strategies[index]?.wallet ?? ''));
    return newInstance({ index, plugin, params, wallet, signals, guest });
  }
}

function asRead(row: SignalRow): SignalRow {
  return row;
}

function emptyInstance(name: string, index: number): StrategyInstance {
  const plugin = { name, watches: () => false, decide: () => [] };
  return newInstance({ index, plugin, params: {}, wallet: 0, signals: new Map() });
}

interface LoadHow {
  readonly change: StrategyChange;
  readonly say: Say | undefined;
}

function load(
  bundle: BundleResult,
  { file, params, paramPlaces, files = [] }: StrategyChoice,
  { change, say }: LoadHow,
): LoadResult {
  if (bundle.kind === 'fault') return bundle;
  const { clockShiftMs = 0, isWithheld = false } = change;
  // Until it is loaded its name is not known.
  let name = basename(file);
  const loaded = loadBundled(bundle, params, {
    say: (line) => say?.(`${name}: ${line}`),
    clockShiftMs,
    paramPlaces,
    files: { paths: files, isWithheld },
  });
  if (loaded.kind === 'loaded') name = printable(loaded.plugin.name);
  return loaded;
}

/** A backtest reads its signals whole; the series itself gives only values that were available by then. @throws OddsmithError SIGNAL_… */
export function readRows(file: string): readonly SignalRow[] {
  const { rows, faults } = new SignalFile(file).read({ final: true });
  const [fault] = faults;
  if (fault !== undefined) throw strategyError(fault);
  return rows;
}

/** All declared signals, as they were read whole. */
export function signalsOf(
  instances: readonly StrategyInstance[],
  strategies: readonly LoadedStrategy[],
): readonly ReadSignal[] {
  return instances.flatMap(({ plugin, signals, index }) =>
    [...signals].map(([name, series]) => {
      const file = strategies[index]?.signals.find((signal) => signal.name === name)?.file ?? '';
      return { strategy: plugin.name, name, file, series };
    }),
  );
}
