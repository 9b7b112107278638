/** `backtest --prove`: replays a run with other futures, and shows that what was decided before stays the same. */

import { relative } from 'node:path';
import { Random } from '../../core/number/random.ts';
import type { LoadedStrategy } from '../../loader/strategy-loader.ts';
import type { LookaheadProof } from '../../result/result.ts';
import { MergedUpdates, type SourceMarket } from '../simulation/backtest-source.ts';
import { type Cause, findCauses, isStrategyError } from './causes.ts';
import { type DecisionRecorder, firstDifference } from './decision-recorder.ts';
import { ALTERED_PARTS, type AlteredPart } from './futures/alteration.ts';
import { watchModules } from './object-world.ts';
import { type DrawnInstant, drawInstants } from './proof-instants.ts';
import { type Future, type Play, ProofReplays, type ReplayParts } from './proof-replays.ts';
import { findingError, proofResult } from './proof-result.ts';
import { timeOf } from './proof-words.ts';

/** How many instants are drawn where no number is given. */
const INSTANTS = 20;

export interface ProofParts extends ReplayParts {
  readonly markets: readonly SourceMarket[];
  /** The pieces into which the run is cut. */
  readonly pieces: readonly { readonly markets: readonly SourceMarket[]; readonly only?: number }[];
  readonly strategies: readonly LoadedStrategy[];
}

/**
 * Proves that no decision depends on what comes after it. Call it before anything else is replayed in this process: it
 * finds a strategy that leaves data for its next replay because the first replays find none. Undefined where the run
 * was asked to end.
 *
 * @throws OddsmithError LOOKAHEAD where a decision depends on what comes after it, PROOF_FILES and PROOF_IDS where that
 * cannot be told
 */
export async function proveNoLookahead(parts: ProofParts): Promise<LookaheadProof | undefined> {
  const hasObjects = parts.options.strategies.some(({ plugin }) => plugin !== undefined);
  const stop = hasObjects ? watchModules() : () => {};
  try {
    return await new Proof(parts, hasObjects).prove();
  } finally {
    stop();
  }
}

/** Each play of which instants were drawn, with its instants in order. */
interface PlayPlan {
  readonly play: Play;
  readonly drawn: readonly DrawnInstant[];
  readonly instants: readonly number[];
}

interface Comparison {
  readonly plan: PlayPlan;
  readonly whole: DecisionRecorder;
  readonly other: DecisionRecorder;
  /** How the other one was changed, for the finding. */
  readonly change: string;
}

/** At most this many steps are held one by one, for all plays together. */
const STEPS_KEPT = 200_000;

class Proof {
  readonly #parts: ProofParts;
  readonly #plans: readonly PlayPlan[];
  readonly #replays: ProofReplays;
  readonly #left = new LeftBehind();
  readonly #hasObjects: boolean;
  readonly #hasFiles: boolean;

  constructor(parts: ProofParts, hasObjects: boolean) {
    this.#parts = parts;
    this.#hasObjects = hasObjects;
    this.#hasFiles = parts.options.strategies.some(({ files = [] }) => files.length > 0);
    this.#plans = plansOf(parts);
    this.#replays = new ProofReplays(parts, Math.ceil(STEPS_KEPT / Math.max(1, this.#plans.length)));
  }

  async prove(): Promise<LookaheadProof | undefined> {
    const { signal, options } = this.#parts;
    // The earliest instants come first: until then no strategy has seen anything later.
    const removed = new Map<PlayPlan, DecisionRecorder>();
    for (const plan of this.#plans) removed.set(plan, await this.#replay(plan, { kind: 'removed' }, 1));
    const veiled = new Map<PlayPlan, DecisionRecorder>();
    for (const plan of [...this.#plans].reverse()) veiled.set(plan, await this.#withoutFuture(plan));
    const steps: number[][] = [];
    for (const plan of this.#plans) {
      const whole = await this.#replay(plan, { kind: 'recorded' });
      if (signal.aborted) return undefined;
      await this.#compareAll(plan, whole, [removed.get(plan), veiled.get(plan)]);
      await this.#alter(plan, whole);
      if (this.#isDisguised) await this.#disguise(plan, whole);
      steps.push(plan.instants.map((_, place) => whole.countUpTo(place)));
      if (signal.aborted) return undefined;
    }
    const run = updatesOf(this.#parts.pieces.flatMap(({ markets }) => markets));
    const hasSignals = this.#parts.strategies.some(({ signals }) => signals.length > 0);
    return proofResult({
      hasSignals,
      plans: this.#plans,
      steps,
      replays: this.#replays,
      runUpdates: run,
      options,
      ...this.#shown,
    });
  }

  get #shown() {
    return { hasObjects: this.#hasObjects, isDisguised: this.#isDisguised };
  }

  /** Whether ids and years are changed: not where an id was given as a parameter. */
  get #isDisguised(): boolean {
    const { markets, strategies } = this.#parts;
    const ids = new Set(markets.flatMap(({ market: { facts } }) => [facts.id, facts.eventId]));
    const params = strategies.flatMap(({ params: values }) => Object.values(values));
    return !params.some((value) => typeof value === 'string' && value.split(/[\s,;]+/).some((word) => ids.has(word)));
  }

  async #compareAll(plan: PlayPlan, whole: DecisionRecorder, others: readonly (DecisionRecorder | undefined)[]) {
    const cut = `with all after ${timeOf(plan.instants[0] ?? 0)} removed`;
    for (const [at, other] of others.entries()) {
      const change = at === 0 ? cut : 'with nothing there that comes later';
      if (other !== undefined) await this.#compare({ plan, whole, other, change });
    }
  }

  /** Each instant has an altered future of its own: every second one is shuffled too. */
  async #alter(plan: PlayPlan, whole: DecisionRecorder): Promise<void> {
    for (const [place, instant] of plan.instants.entries()) {
      const isOdd = place % 2 === 1;
      const alters = new Set<AlteredPart>(ALTERED_PARTS.filter((part) => isOdd || part !== 'order'));
      const future: Future = { kind: 'altered', alters, signals: isOdd ? 'withheld' : 'replaced' };
      const other = await this.#replay(plan, future, place + 1);
      if (this.#parts.signal.aborted) return;
      await this.#compare({ plan, whole, other, change: `with all after ${timeOf(instant)} altered` });
    }
  }

  async #disguise(plan: PlayPlan, whole: DecisionRecorder): Promise<void> {
    const other = await this.#replay(plan, { kind: 'disguised' });
    if (this.#parts.signal.aborted) return;
    await this.#compare({ plan, whole, other, change: 'in other years and under other ids' });
  }

  /** Every definition, name and winner is there only when it is published; files and environment are not there at all. */
  async #withoutFuture(plan: PlayPlan): Promise<DecisionRecorder> {
    try {
      return await this.#replay(plan, { kind: 'veiled' }, plan.instants.length, true);
    } catch (error) {
      if (!this.#hasFiles || !isStrategyError(error)) throw error;
      // It cannot even be loaded without its files.
      const { where, what } = error.parts;
      const causes: readonly Cause[] = ['files'];
      const about = { difference: undefined, change: '', instant: 0, market: undefined, strategy: undefined };
      throw findingError({ ...about, causes, place: where, evidence: [what] });
    }
  }

  /** Each replay has a clock and chance of its own, so that a decision by the time of day or by chance differs. */
  #replay(
    { play, instants }: PlayPlan,
    future: Future,
    upTo = instants.length,
    isWithheld = false,
  ): Promise<DecisionRecorder> {
    const { replays } = this.#replays;
    return this.#replays.play({
      play,
      instants: instants.slice(0, upTo),
      future,
      clockShiftMs: replays * CLOCK_SHIFT_MS,
      seed: this.#parts.options.seed + replays,
      areFilesWithheld: isWithheld,
      isEnvironmentWithheld: isWithheld,
    });
  }

  async #compare({ plan, whole, other, change }: Comparison): Promise<void> {
    const place = whole.firstDifferent(other);
    if (place === undefined) return;
    const instant = plan.instants[place] ?? 0;
    const left = this.#left.names();
    const difference = firstDifference(whole, other, instant);
    const search = { replays: this.#replays, play: plan.play, instant, seed: this.#parts.options.seed };
    const causes = await findCauses({ ...search, ...this.#shown, hasFiles: this.#hasFiles, hasLeft: left.length > 0 });
    if (this.#parts.signal.aborted) return;
    const index = difference?.first.strategy ?? -1;
    const market = difference?.first.market;
    throw findingError({
      difference,
      change,
      instant,
      causes,
      strategy: this.#parts.strategies[index]?.plugin.name,
      market: this.#parts.markets.find((each) => each.index === market)?.market.facts.id ?? String(market),
      place: placeOfDecide(this.#parts.strategies[index]),
      evidence: evidenceOf(causes, { left, files: this.#filesOf(index) }),
    });
  }

  /** What an object read within its calls; of a file only what was granted to it is known. */
  #filesOf(index: number): readonly string[] {
    const granted = this.#parts.options.strategies[index]?.files ?? [];
    return [...this.#replays.filesRead, ...granted];
  }
}

/** 88 days, 14 hours and some: another hour, weekday, month, and an odd number of milliseconds. */
const CLOCK_SHIFT_MS = 7_654_321_987;

function evidenceOf(
  causes: readonly Cause[],
  { left, files }: { readonly left: readonly string[]; readonly files: readonly string[] },
): readonly string[] {
  const isKept = causes.includes('memory') || causes.includes('again');
  return [
    ...(isKept && left.length > 0 ? [`The replays left behind: ${left.slice(0, 5).join(', ')}.`] : []),
    ...(causes.includes('files') && files.length > 0
      ? [`Read, or granted to it: ${files.slice(0, 5).join(', ')}.`]
      : []),
  ];
}

function updatesOf(markets: readonly SourceMarket[]): number {
  return markets.reduce((sum, { market }) => sum + market.updates, 0);
}

/** Instants are drawn over the whole run, and each belongs to the piece of its market; strategies apart take turns. */
function plansOf({ options, markets, pieces }: ProofParts): readonly PlayPlan[] {
  const count = options.prove === true ? INSTANTS : Number(options.prove);
  const drawn = drawInstants(new MergedUpdates(markets), markets, { count, seed: options.seed });
  const plays = pieces.map(({ markets: own, only }) => ({ markets: own, only }));
  const random = Random.fromSeed(options.seed);
  const turn = random.below(Math.max(1, plays.length));
  const byPlay = new Map<Play, DrawnInstant[]>();
  for (const [at, instant] of drawn.entries()) {
    const own = plays.filter((play) => play.markets.some(({ index }) => index === instant.market));
    const play = own[(at + turn) % own.length];
    if (play !== undefined) byPlay.set(play, [...(byPlay.get(play) ?? []), instant]);
  }
  return [...byPlay].flatMap(([play, all]) => {
    const startAt = Math.min(...play.markets.map(({ market }) => market.firstAt));
    const ofPlay = all.filter(({ at }, i) => at >= startAt && at !== all[i - 1]?.at);
    return ofPlay.length === 0 ? [] : [{ play, drawn: ofPlay, instants: ofPlay.map(({ at }) => at) }];
  });
}

/**
 * The place of a strategy's `decide`: file, line and column. Nothing in JavaScript gives it, so `decide` is called with an input that
 * cannot be read, and what it throws names the line at which it first reads it. Undefined where it reads nothing, or catches that.
 */
function placeOfDecide(strategy: LoadedStrategy | undefined): string | undefined {
  if (strategy === undefined) return undefined;
  const { plugin, file } = strategy;
  const named = file === '' ? undefined : near(file);
  try {
    plugin.decide?.(UNREADABLE);
  } catch (thrown) {
    const place = strategy.faultOf(thrown);
    if (place.line !== undefined) return `${near(place.file)}:${place.line}:${place.column ?? 1}`;
  }
  return named;
}

function near(file: string): string {
  const path = relative('', file);
  return path === '' || path.startsWith('..') ? file : path;
}

const UNREADABLE = new Proxy(Object.create(null), {
  get: () => {
    throw new Error('This input cannot be read: it only finds out where it is read.');
  },
});

/** The objects that a strategy most easily reaches, by name. */
const SHARED: readonly (readonly [string, object])[] = [
  ['globalThis', globalThis], // edge: strategies that are given as objects share it
  ...[Object, Function, Array, String, Number, Boolean, Date, RegExp, Promise, Map, Set, WeakMap, Error, URL].flatMap(
    (each): (readonly [string, object])[] => [
      [each.name, each],
      [`${each.name}.prototype`, each.prototype],
    ],
  ),
  ['Math', Math],
  ['JSON', JSON],
  ['Reflect', Reflect],
];

/** What strategies leave on objects that all runs of a process share. */
class LeftBehind {
  readonly #before = SHARED.map(([, shared]) => new Set(Reflect.ownKeys(shared)));

  /** Properties that were not there when this was made, such as `globalThis.memo`. */
  names(): readonly string[] {
    return SHARED.flatMap(([name, shared], at) =>
      Reflect.ownKeys(shared)
        .filter((key) => this.#before[at]?.has(key) !== true)
        .map((key) => `${name}.${String(key)}`),
    );
  }
}
