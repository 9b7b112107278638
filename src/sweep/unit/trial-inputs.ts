/** Turns the options of a trial into orders for its units, each under its key; reads and bundles each file once. */

import type { StrategyChoice } from '../../backtest/options/backtest-options.ts';
import { defined } from '../../core/checks/assert.ts';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { type LoadedStrategy, loadBundled, paramFault } from '../../loader/strategy-loader.ts';
import { bundleStrategy, type StrategyBundle } from '../../loader/strategy-loader-bundle.ts';
import { strategyError } from '../../loader/strategy-loader-fault.ts';
import type { Tape } from '../../recording/tape/tape.ts';
import { readParams } from '../../strategy/read-params.ts';
import type { TrialOrder } from '../engine/engine.ts';
import { grantedSha256 } from './granted-sha256.ts';
import {
  type EventPart,
  type EventScope,
  type EventSpan,
  type MarketChoice,
  MarketGroups,
  type UnitGroup,
} from './market-groups.ts';
import { SignalRows } from './signal-rows.ts';
import { type KeyStrategy, type TrialChoice, trialSha256, unitKey } from './unit-key.ts';

/** A trial that can be played: its units are its groups, in order. */
export interface TrialUnits {
  readonly order: TrialOrder;
  readonly bundles: readonly StrategyBundle[];
  readonly groups: readonly UnitGroup[];
  /** The key of the unit of a group. */
  keyOf(group: UnitGroup): string;
}

/** A strategy file as it is for all trials: loaded once, to know what it declares. */
interface KnownStrategy {
  readonly bundle: StrategyBundle;
  readonly loaded: LoadedStrategy;
  readonly files: string;
}

export class TrialInputs {
  readonly #build: string;
  readonly #groups: MarketGroups;
  readonly #signals = new SignalRows();
  readonly #strategies = new Map<string, Promise<KnownStrategy>>();
  readonly #signalHashes = new Map<string, string>();

  /** `build`: the hash of our own code. Events out of the scope are in no unit. */
  constructor(tapes: readonly Tape[], build: string, scope: EventScope = {}) {
    this.#build = build;
    this.#groups = new MarketGroups(tapes, scope);
  }

  /** Over all events, or over those of a part of a fold. @throws OddsmithError STRATEGY_… or SIGNAL_… */
  async unitsOf(choice: TrialChoice, part?: EventPart): Promise<TrialUnits> {
    const { options } = choice;
    const known = await Promise.all(options.strategies.map((strategy) => this.#strategy(strategy)));
    const strategies = known.map((strategy, index) =>
      keyStrategy(strategy, defined(options.strategies[index], 'one for each')),
    );
    const trial = trialSha256(choice, strategies);
    const signals = known.flatMap(({ loaded }) => loaded.signals.map(({ file }) => file));
    return {
      order: {
        ...choice,
        bundles: known.map(({ bundle }) => bundle.sha256),
        basis: { build: this.#build, trial, signals, granted: known.map(({ files }) => files) },
      },
      bundles: known.map(({ bundle }) => bundle),
      groups: this.#groups.of(options, part),
      keyOf: (group) =>
        unitKey({
          build: this.#build,
          trial,
          group: group.sha256,
          signals: signals.map((file) => this.#signalSha256(file, group)),
        }),
    };
  }

  /** The events that any of these choices plays, in the order of their start. */
  events(choices: readonly MarketChoice['markets'][]): readonly EventSpan[] {
    return this.#groups.events(choices);
  }

  /** Those of them that a choice of markets has: one at least, since other choices of the sweep have some. */
  countGroupsIn(part: EventPart, choice: MarketChoice): number {
    return Math.max(1, this.countUnits(choice, part));
  }

  /** How many units a trial with this choice of markets has. */
  countUnits(choice: MarketChoice, part?: EventPart): number {
    return this.#groups.of(choice, part).length;
  }

  /** How many event groups a choice of markets has. @throws OddsmithError NO_MARKETS where it has none */
  countGroups(choice: MarketChoice): number {
    const count = this.countUnits(choice);
    if (count > 0) return count;
    throw new OddsmithError({
      code: 'NO_MARKETS',
      what: 'No market of the tapes is left to play.',
      next: 'See `oddsmith tape info TAPE` for what is in it, and check `markets` of the configuration.',
    });
  }

  #signalSha256(file: string, { markets }: UnitGroup): string {
    const name = `${file}\n${markets.join('\n')}`;
    const known = this.#signalHashes.get(name);
    if (known !== undefined) return known;
    const sha256 = this.#signals.sha256(file, markets);
    this.#signalHashes.set(name, sha256);
    return sha256;
  }

  #strategy(choice: StrategyChoice): Promise<KnownStrategy> {
    const { file, files = [] } = choice;
    const name = JSON.stringify([file, files]);
    const known = this.#strategies.get(name) ?? knownStrategy(choice);
    this.#strategies.set(name, known);
    return known;
  }
}

async function knownStrategy({ file, params, files = [] }: StrategyChoice): Promise<KnownStrategy> {
  const bundle = await bundleStrategy(file, files.length > 0);
  if (bundle.kind === 'fault') throw strategyError(bundle.fault);
  const loaded = loadBundled(bundle, params, { files: { paths: files }, anyParams: true });
  if (loaded.kind === 'fault') throw strategyError(loaded.fault);
  return { bundle, loaded, files: files.length === 0 ? '' : grantedSha256(files) };
}

/** The params of this trial, judged by what the strategy declares. */
function keyStrategy({ bundle, loaded, files }: KnownStrategy, { params, wallet }: StrategyChoice): KeyStrategy {
  const { plugin, file } = loaded;
  const read = readParams(plugin.params, params);
  if (read.kind === 'problems') throw strategyError(paramFault(file, plugin, read.problems));
  return { sha256: bundle.sha256, params: read.values, wallet, files };
}
