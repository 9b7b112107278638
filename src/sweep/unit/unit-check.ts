/** Finds the key of a unit again from what this machine has, so that no row is computed from other recordings, signals or files. */

import type { SourceMarket } from '../../backtest/simulation/backtest-source.ts';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import type { GroupOrder, TrialOrder } from '../engine/engine.ts';
import { grantedSha256 } from './granted-sha256.ts';
import { groupSha256 } from './market-groups.ts';
import type { SignalRows } from './signal-rows.ts';
import { unitKey } from './unit-key.ts';

/** Codes of what this machine lacks: another one may play the unit. */
export const MACHINE_CODES: ReadonlySet<string> = new Set([
  'MARKET_NOT_HELD',
  'UNIT_DIFFERS',
  'SIGNAL_NOT_FOUND',
  'SIGNAL_ROW',
  'TAPE_NOT_FOUND',
  'NOT_A_TAPE',
  'TAPE_VERSION',
  'TAPE_CORRUPT',
]);

export class UnitCheck {
  readonly #marketById: ReadonlyMap<string, SourceMarket>;
  readonly #signals: SignalRows;
  readonly #markets = new WeakMap<GroupOrder, readonly SourceMarket[]>();
  #signalHashes = new WeakMap<GroupOrder, Map<string, string>>();
  readonly #trials = new WeakSet<TrialOrder>();

  constructor(marketById: ReadonlyMap<string, SourceMarket>, signals: SignalRows) {
    this.#marketById = marketById;
    this.#signals = signals;
  }

  /** The markets of a group, as they were recorded for whoever ordered them. @throws OddsmithError MARKET_NOT_HELD, UNIT_DIFFERS */
  marketsOf(group: GroupOrder): readonly SourceMarket[] {
    const known = this.#markets.get(group);
    if (known !== undefined) return known;
    const markets = group.markets.map((id) => this.#marketById.get(id) ?? missing(id));
    if (groupSha256(markets) !== group.sha256)
      throw differs(`The tapes of this machine hold other recordings of the markets ${group.markets.join(', ')}.`);
    this.#markets.set(group, markets);
    return markets;
  }

  /** @throws OddsmithError UNIT_DIFFERS; SIGNAL_… where a signal cannot be read */
  check(key: string, trial: TrialOrder, group: GroupOrder): void {
    const { signals } = trial.basis;
    if (!this.#trials.has(trial)) checkGranted(trial);
    this.#trials.add(trial);
    if (this.#keyOf(trial, group) === key) return;
    // A worker lives longer than a sweep: the signal may have been written anew for this one.
    if (this.#signals.forgetChanged(signals)) {
      this.#signalHashes = new WeakMap();
      if (this.#keyOf(trial, group) === key) return;
    }
    throw differs(`A signal has other rows on this machine: ${signals.join(', ')}.`);
  }

  #keyOf({ basis: { build, trial, signals } }: TrialOrder, group: GroupOrder): string {
    const hashes = signals.map((file) => this.#signalSha256(file, group));
    return unitKey({ build, trial, group: group.sha256, signals: hashes });
  }

  #signalSha256(file: string, group: GroupOrder): string {
    const hashes = this.#signalHashes.get(group) ?? new Map<string, string>();
    this.#signalHashes.set(group, hashes);
    const sha256 = hashes.get(file) ?? this.#signals.sha256(file, group.markets);
    hashes.set(file, sha256);
    return sha256;
  }
}

function checkGranted({ options, basis }: TrialOrder): void {
  for (const [index, { files = [] }] of options.strategies.entries()) {
    const own = files.length === 0 ? '' : grantedSha256(files);
    if (own !== basis.granted[index])
      throw differs(`The granted files are others on this machine: ${files.join(', ')}.`);
  }
}

function missing(id: string): never {
  throw new OddsmithError({
    code: 'MARKET_NOT_HELD',
    what: `No tape at hand has the market ${id}, which the sweep plays.`,
    why: 'A tape was changed since the sweep began, or a worker has other tapes than the sweep.',
    next: 'Begin the sweep again; name the same tapes to a worker, or the pieces that were split from them.',
  });
}

function differs(why: string): OddsmithError {
  return new OddsmithError({
    code: 'UNIT_DIFFERS',
    what: 'A unit would be computed from something else than the sweep asked for.',
    why,
    next: 'Begin the sweep again where a file was changed since; give a worker the same files under the same paths.',
  });
}
