/** Plays the units of jobs one after the other: it holds the tapes open, and what it has read of the signals. */

import { asOddsmithError } from '../../backtest/library/error-codes.ts';
import type { StrategyChoice } from '../../backtest/options/backtest-options.ts';
import { RunStrategies } from '../../backtest/pieces/run-strategies.ts';
import { runUnit, type UnitRun } from '../../backtest/pieces/unit-run.ts';
import { chooseMarkets } from '../../backtest/simulation/backtest-source.ts';
import { defined } from '../../core/checks/assert.ts';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { type LoadedStrategy, loadBundled } from '../../loader/strategy-loader.ts';
import type { StrategyBundle } from '../../loader/strategy-loader-bundle.ts';
import { strategyError } from '../../loader/strategy-loader-fault.ts';
import { Tape } from '../../recording/tape/tape.ts';
import { steadyClock } from '../../time/steady-clock.ts';
import type { SweepJob, TrialOrder, UnitOrder, UnitResult } from '../engine/engine.ts';
import { SignalRows } from './signal-rows.ts';
import { UnitCheck } from './unit-check.ts';
import { packRow, unitRowOf } from './unit-row.ts';

/** How a unit is watched while it plays. */
export type UnitWatch = Pick<UnitRun, 'mark' | 'watchGuests' | 'onWords' | 'onPlayed'>;

const ALL = { types: [], ids: [], events: [] };

export class UnitPlayer {
  readonly #tapes: readonly Tape[];
  readonly #check: UnitCheck;
  readonly #signals: SignalRows;
  /** The strategies by bundle and grant. Each is loaded once, to give its name and to say where in its code something was thrown. */
  readonly #loaded = new Map<string, LoadedStrategy>();
  readonly #clock = steadyClock();

  /** @throws TapeFailure */
  constructor(tapes: readonly string[], signals = new SignalRows()) {
    this.#signals = signals;
    this.#tapes = tapes.map((path) => Tape.open(path));
    const { markets } = chooseMarkets(this.#tapes, ALL);
    const marketById = new Map(markets.map((market) => [market.market.facts.id, market]));
    this.#check = new UnitCheck(marketById, signals);
  }

  /** What the user can do something about is a result; all else is thrown, as a fault of our own. */
  async play(job: SweepJob, unit: UnitOrder, watch: UnitWatch): Promise<UnitResult> {
    const { key } = unit;
    const startedAt = this.#clock.now();
    try {
      const row = await this.#row(job, unit, watch);
      return { kind: 'played', key, row, elapsedMs: this.#clock.now() - startedAt };
    } catch (thrown) {
      const error = asOddsmithError(thrown);
      if (error instanceof OddsmithError) return { kind: 'failed', key, error: error.parts };
      throw error;
    }
  }

  close(): void {
    for (const tape of this.#tapes) tape.close();
  }

  async #row(job: SweepJob, unit: UnitOrder, watch: UnitWatch): Promise<Uint8Array<ArrayBuffer>> {
    const trial = defined(job.trials[unit.trial], 'a trial of the job');
    const group = defined(job.groups[unit.group], 'a group of the job');
    const markets = this.#check.marketsOf(group);
    this.#check.check(unit.key, trial, group);
    const { options, bounds } = trial;
    const bundles = bundlesOf(job, trial);
    const known = new RunStrategies(options, bundles, (file) => this.#signals.of(file, group.markets));
    const result = await runUnit({
      ...watch,
      options,
      bounds,
      known,
      strategies: bundles.map((bundle, index) => this.#named(bundle, options.strategies[index])),
      markets,
    });
    return packRow(unitRowOf(result, bounds));
  }

  #named(bundle: StrategyBundle, choice: StrategyChoice | undefined): LoadedStrategy {
    const paths = choice?.files ?? [];
    const name = JSON.stringify([bundle.sha256, paths]);
    const known = this.#loaded.get(name);
    if (known !== undefined) return known;
    const loaded = loadBundled(bundle, {}, { files: { paths }, anyParams: true });
    if (loaded.kind === 'fault') throw strategyError(loaded.fault);
    this.#loaded.set(name, loaded);
    return loaded;
  }
}

function bundlesOf({ bundles }: SweepJob, trial: TrialOrder): readonly StrategyBundle[] {
  return trial.bundles.map((sha256) => {
    const bundle = bundles.find((each) => each.sha256 === sha256);
    return defined(bundle, 'a job has the bundles that its trials name');
  });
}
