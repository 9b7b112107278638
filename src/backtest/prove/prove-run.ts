/** `backtest --prove`: replays a run with its future removed and altered, and compares what was decided until then. */

import { defined } from '../../core/checks/assert.ts';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import type { DecisionMark } from '../../engine/guest/decision-mark.ts';
import type { StrategyInstance } from '../../engine/ledger/strategy-in-market.ts';
import { Transcript } from '../../engine/log/transcript.ts';
import type { LookaheadProof } from '../../report/result.ts';
import type { BacktestOptions, WatchGuests } from '../options/backtest-options.ts';
import { simulate } from '../simulation/backtest-simulation.ts';
import { MergedUpdates, type SourceMarket, type UpdateSource } from '../simulation/backtest-source.ts';
import { DecisionRecorder, type Difference, firstDifference, stepText } from './lookahead-proof.ts';
import { AlteredSource, type AnnouncedDefinitions, announcedBefore, CutSource } from './proof-sources.ts';

/** Parts of the run's updates after which the future is changed: at an update of a market that is there by then. */
const CUTS: readonly number[] = [0.25, 0.5, 0.75];

type ProofErrorCode = 'LOOKAHEAD' | 'PROOF_FILES';

/** How strategies are loaded for one replay. */
export interface StrategyChange {
  /** Signals that are available later are left out. */
  readonly until?: number;
  /** By how much the strategies' `Date` is ahead. */
  readonly clockShiftMs?: number;
  /** Whether the files that are granted to them are missing. */
  readonly isWithheld?: boolean;
}

export interface ProofParts {
  readonly options: BacktestOptions;
  readonly markets: readonly SourceMarket[];
  /** Loads the strategies anew, signals included. */
  readonly instances: (change: StrategyChange) => Promise<readonly StrategyInstance[]>;
  readonly signal: AbortSignal;
  readonly mark?: DecisionMark | undefined;
  readonly watchGuests?: WatchGuests | undefined;
  readonly sliceMs?: number | undefined;
}

/**
 * To be called before anything else is replayed in this process: a strategy that leaves data for its next replay is found out because
 * the first replays find none. Undefined where the run was asked to end.
 *
 * @throws OddsmithError LOOKAHEAD where a decision depends on what comes after it, PROOF_FILES where one depends on a file
 */
export async function proveNoLookahead(parts: ProofParts): Promise<LookaheadProof | undefined> {
  return await new Proof(parts).prove();
}

interface Cut {
  readonly at: number;
  readonly announced: AnnouncedDefinitions;
}

class Proof {
  readonly #parts: ProofParts;
  #names: readonly string[] = [];
  #replays = 0;

  constructor(parts: ProofParts) {
    this.#parts = parts;
  }

  async prove(): Promise<LookaheadProof | undefined> {
    const { markets, options, signal } = this.#parts;
    const cuts = cutTimes(markets).map((at) => ({ at, announced: announcedBefore(new MergedUpdates(markets), at) }));
    // The earliest instant comes first: until then no strategy has seen anything later.
    const removed: DecisionRecorder[] = [];
    for (const cut of cuts) {
      removed.push(await this.#replay(new CutSource(this.#change(cut)), cut.at, { until: cut.at - 1 }));
    }
    const instants: LookaheadProof['instants'][number][] = [];
    let last: DecisionRecorder | undefined;
    for (const [i, cut] of cuts.entries()) {
      const whole = await this.#replay(new MergedUpdates(markets), cut.at);
      const altered = await this.#replay(new AlteredSource(this.#change(cut), options.seed), cut.at);
      if (signal.aborted) return undefined;
      this.#compare(whole, removed[i], 'removed');
      this.#compare(whole, altered, 'altered');
      instants.push({ at: cut.at, steps: whole.count });
      last = whole;
    }
    if (last !== undefined && options.strategies.some(({ files = [] }) => files.length > 0)) await this.#withhold(last);
    return signal.aborted ? undefined : { instants };
  }

  #change({ at, announced }: Cut): { source: UpdateSource; at: number; announced: AnnouncedDefinitions } {
    return { source: new MergedUpdates(this.#parts.markets), at, announced };
  }

  /** A file holds the same in every replay, also what lies in the future of a cut: a strategy passes only if it decides the same without its files. */
  async #withhold(whole: DecisionRecorder): Promise<void> {
    const { markets } = this.#parts;
    let without: DecisionRecorder;
    try {
      without = await this.#replay(new MergedUpdates(markets), whole.before, { isWithheld: true });
    } catch (error) {
      if (error instanceof OddsmithError && error.parts.code.startsWith('STRATEGY_'))
        throw dependsOnFiles(error.parts.where, error.parts.what);
      throw error;
    }
    if (this.#parts.signal.aborted || without.sha256() === whole.sha256()) return;
    const difference = firstDifference(whole, without);
    throw dependsOnFiles(
      difference && this.#placeOf(difference),
      difference && statements(difference, 'without its files'),
    );
  }

  /** Each replay has a `Date` of its own, so that a decision by the time of day differs. */
  async #replay(source: UpdateSource, at: number, change: StrategyChange = {}): Promise<DecisionRecorder> {
    const { options, signal, mark, watchGuests, sliceMs } = this.#parts;
    const seen = new DecisionRecorder(at);
    if (signal.aborted) return seen;
    const instances = await this.#parts.instances({ ...change, clockShiftMs: this.#replays * CLOCK_SHIFT_MS });
    this.#replays += 1;
    this.#names = instances.map(({ plugin }) => plugin.name);
    await simulate({
      options,
      source,
      instances,
      mark,
      watchGuests,
      sliceMs,
      bounds: ['central'],
      transcript: new Transcript('proof'),
      secondLog: seen.log,
      // After the instant nothing is compared any more.
      onSlice: (_played, now) => signal.aborted || now > at + AFTER_MS,
    });
    return seen;
  }

  #compare(whole: DecisionRecorder, changed: DecisionRecorder | undefined, change: 'removed' | 'altered'): void {
    if (changed === undefined || changed.sha256() === whole.sha256()) return;
    const difference = firstDifference(whole, changed);
    const name = difference === undefined ? 'it' : `'${this.#names[difference.first.strategy] ?? ''}'`;
    throw new OddsmithError<ProofErrorCode>({
      code: 'LOOKAHEAD',
      what: `The run looks ahead: with all from ${timeOf(whole.before)} on ${change}, ${name} decided otherwise before it.`,
      ...(difference && { where: this.#placeOf(difference) }),
      why: `${difference === undefined ? '' : `${statements(difference, `with the future ${change}`)} `}A strategy reads something that changes with the recording or from run to run: what comes later, a clock, or chance.`,
      next: 'Let it decide from its input alone; bring outside data in as a signal with availableAt.',
    });
  }

  #placeOf({ first }: Difference): string {
    const { market, strategy, at } = first;
    const id = this.#parts.markets.find(({ index }) => index === market)?.market.facts.id ?? market;
    const name = defined(this.#names[strategy], 'a step is of a strategy of the run');
    return `strategy '${name}', market ${id}, ${timeOf(at)}`;
  }
}

/** How long a run goes on past the instant, so that the altered future is really met before it ends. */
const AFTER_MS = 60_000;
/** 88 days, 14 hours and some: another hour, weekday, month, and an odd number of milliseconds. */
const CLOCK_SHIFT_MS = 7_654_321_987;

function cutTimes(markets: readonly SourceMarket[]): readonly number[] {
  const total = markets.reduce((sum, { market }) => sum + market.updates, 0);
  const wanted = CUTS.map((part) => Math.floor(part * total));
  const updates = new MergedUpdates(markets);
  const times = new Set<number>();
  let count = 0;
  for (let update = updates.next(); update !== undefined; update = updates.next()) {
    if (count >= (wanted[0] ?? total) && update.sequence > 0) {
      times.add(update.publishedAt);
      wanted.shift();
    }
    count += 1;
  }
  return [...times];
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

function statements({ whole, changed }: Difference, change: string): string {
  return `With the whole recording it said: ${stepText(whole)}; ${change}: ${stepText(changed)}.`;
}

function dependsOnFiles(where: string | undefined, why: string | undefined): OddsmithError<ProofErrorCode> {
  return new OddsmithError<ProofErrorCode>({
    code: 'PROOF_FILES',
    what: 'The run cannot be proven: a strategy depends on the files that are granted to it.',
    ...(where === undefined ? {} : { where }),
    why: `${why === undefined ? '' : `${why} `}A file says the same however the recording is cut, so that nobody can tell what it knew too early.`,
    next: 'Declare the data as a signal with availableAt, or import it as JSON if it was made before the recording begins.',
  });
}
