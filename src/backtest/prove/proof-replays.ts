/** Replays parts of a run for its proof: as it was recorded, or with another future, another clock or without files. */

import type { DecisionMark } from '../../engine/guest/decision-mark.ts';
import type { StrategyInstance } from '../../engine/ledger/strategy-in-market.ts';
import { Transcript } from '../../engine/log/transcript.ts';
import type { PendingUpdate } from '../../recording/segment/update.ts';
import type { RecordedMarket } from '../../simulator/replay/played-market.ts';
import type { SignalRow } from '../../strategy/signals.ts';
import type { BacktestOptions, WatchGuests } from '../options/backtest-options.ts';
import { simulate } from '../simulation/backtest-simulation.ts';
import { MergedUpdates, type SourceMarket, type UpdateSource } from '../simulation/backtest-source.ts';
import { DecisionRecorder } from './decision-recorder.ts';
import type { AlteredPart } from './futures/alteration.ts';
import { AlteredSource } from './futures/altered-source.ts';
import { announcedUpTo, CutSource } from './futures/cut-source.ts';
import { DisguisedSource, Disguises } from './futures/disguised-source.ts';
import { VeiledSource } from './futures/veiled-source.ts';
import { ObjectWorld } from './object-world.ts';

/** How strategies are loaded for one replay. */
export interface StrategyChange {
  /** What becomes of each row of a signal; undefined leaves it out. */
  readonly rowOf?: ((row: SignalRow) => SignalRow | undefined) | undefined;
  /** How far the strategies' `Date` is ahead. */
  readonly clockShiftMs?: number;
  /** Whether the files that are granted to them are missing. */
  readonly isWithheld?: boolean;
}

/** One simulation of the run: of a piece, in its central world. */
export interface Play {
  readonly markets: readonly SourceMarket[];
  /** The strategy that has it to itself, if one has. */
  readonly only: number | undefined;
}

export interface ReplayParts {
  readonly options: BacktestOptions;
  /** Loads the strategies anew, signals included; one alone where `only` names it. */
  readonly instances: (change: StrategyChange, only?: number) => Promise<readonly StrategyInstance[]>;
  readonly signal: AbortSignal;
  readonly mark?: DecisionMark | undefined;
  readonly watchGuests?: WatchGuests | undefined;
  readonly sliceMs?: number | undefined;
}

/** `veiled`: at each moment nothing is known that comes later. The others change what comes after the last instant. */
export type Future =
  | { readonly kind: 'recorded' | 'veiled' | 'removed' | 'disguised' }
  | {
      readonly kind: 'altered';
      readonly alters: ReadonlySet<AlteredPart>;
      readonly signals: 'kept' | 'withheld' | 'replaced';
    };

export interface ReplayChoice {
  readonly play: Play;
  /** Ascending; the replay ends soon after the last of them. */
  readonly instants: readonly number[];
  readonly future: Future;
  readonly clockShiftMs: number;
  /** The seed of the altered future, and of chance in a strategy that is given as an object. */
  readonly seed: number;
  readonly areFilesWithheld?: boolean;
  readonly isEnvironmentWithheld?: boolean;
}

/** This many updates after the last instant are played, so that what was altered is really met. */
const UPDATES_AFTER = 64;

export class ProofReplays {
  /** How many there were, and how many updates they played. */
  replays = 0;
  updates = 0;
  names: readonly string[] = [];
  /** Files that strategies given as objects looked for within their calls. */
  readonly filesRead = new Set<string>();
  readonly #parts: ReplayParts;
  readonly #keeps: number;

  /** `keeps`: so many steps of each replay are held one by one. */
  constructor(parts: ReplayParts, keeps: number) {
    this.#parts = parts;
    this.#keeps = keeps;
  }

  async play(choice: ReplayChoice): Promise<DecisionRecorder> {
    const { options, signal, mark, watchGuests, sliceMs } = this.#parts;
    const { play, instants, clockShiftMs } = choice;
    const until = instants.at(-1) ?? 0;
    const disguises = choice.future.kind === 'disguised' ? new Disguises(play.markets) : undefined;
    const seen = new DecisionRecorder(instants, { keeps: this.#keeps, disguise: disguises });
    if (signal.aborted) return seen;
    const rowOf = rowChange(choice.future, until, disguises);
    const isWithheld = choice.areFilesWithheld === true;
    const loaded = await this.#parts.instances({ rowOf, clockShiftMs, isWithheld }, play.only);
    this.replays += 1;
    this.names = loaded.map(({ plugin }) => plugin.name);
    const world = this.#worldOf(choice, loaded);
    await simulate({
      options,
      source: new StoppedSource(sourceOf(choice, disguises), until + (disguises?.shiftMs ?? 0)),
      instances: loaded,
      mark,
      watchGuests,
      sliceMs,
      bound: 'central',
      transcript: new Transcript('proof'),
      secondLog: seen.log,
      onSlice: (played) => {
        this.updates += played;
        return signal.aborted;
      },
    });
    for (const file of world.filesRead) this.filesRead.add(file);
    return seen;
  }

  /** Strategies that are given as objects have no realm of their own whose clock and files a replay could change. */
  #worldOf(choice: ReplayChoice, loaded: readonly StrategyInstance[]): ObjectWorld {
    const world = new ObjectWorld({
      clockShiftMs: choice.clockShiftMs,
      seed: choice.seed,
      areFilesWithheld: choice.areFilesWithheld === true,
      isEnvironmentWithheld: choice.isEnvironmentWithheld === true,
    });
    for (const instance of loaded) {
      const isObject = this.#parts.options.strategies[instance.index]?.plugin !== undefined;
      if (isObject) instance.plugin = world.around(instance.plugin);
    }
    return world;
  }
}

function sourceOf({ play, instants, future, seed }: ReplayChoice, disguises: Disguises | undefined): UpdateSource {
  const source = new MergedUpdates(play.markets);
  const instant = instants.at(-1) ?? 0;
  const parts = () => ({ source, instant, announced: announcedUpTo(new MergedUpdates(play.markets), instant) });
  switch (future.kind) {
    case 'recorded':
      return source;
    case 'veiled':
      return new VeiledSource(source);
    case 'removed':
      return new CutSource(parts());
    case 'altered':
      return new AlteredSource({ ...parts(), alters: future.alters, seed });
    case 'disguised':
      return disguises === undefined ? source : new DisguisedSource(source, disguises);
  }
}

function rowChange(future: Future, until: number, disguises: Disguises | undefined): StrategyChange['rowOf'] {
  switch (future.kind) {
    case 'recorded':
    case 'veiled':
      return undefined;
    case 'removed':
      return (row) => (row.availableAt > until ? undefined : row);
    case 'disguised':
      return (row) => disguises?.maskedRow(row);
    case 'altered':
      if (future.signals === 'kept') return undefined;
      return (row) => {
        if (row.availableAt <= until) return row;
        return future.signals === 'withheld' ? undefined : { ...row, value: 1 - 2 * row.value };
      };
  }
}

/** Ends soon after an instant. */
class StoppedSource implements UpdateSource {
  readonly startAt;
  readonly #source: UpdateSource;
  readonly #until: number;
  #after = 0;

  constructor(source: UpdateSource, until: number) {
    this.#source = source;
    this.#until = until;
    this.startAt = source.startAt;
  }

  get index(): number {
    return this.#source.index;
  }

  next(): PendingUpdate | undefined {
    return this.#after === UPDATES_AFTER ? undefined : this.#counted(this.#source.next());
  }

  nextPrices(): PendingUpdate | undefined {
    return this.#after === UPDATES_AFTER ? undefined : this.#counted(this.#source.nextPrices?.());
  }

  recorded(index: number): RecordedMarket {
    return this.#source.recorded(index);
  }

  #counted(update: PendingUpdate | undefined): PendingUpdate | undefined {
    if (update !== undefined && update.publishedAt > this.#until) this.#after += 1;
    return update;
  }
}
