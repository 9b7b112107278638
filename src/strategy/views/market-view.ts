/**
 * The view of a market that strategies read: one object for the market's lifetime, which reads the live state on
 * access.
 */

import type { InPlayStatus, MarketFacts, MarketStatus, OutcomeStatus } from '../../core/market.ts';
import type { MarketState } from '../../core/market-state.ts';
import { stakeStepOf } from '../../core/minimum-stake.ts';
import { decimalOfTick, NO_TICK, TICK_COUNT, type Tick } from '../../core/number/ladder.ts';
import { moneyToDecimal, type Price, priceToDecimal, ZERO } from '../../core/number/units.ts';
import { AGAINST, FOR, type Side, type SideIndex, sideIndex } from '../../core/side.ts';
import { closeClass } from './closed-class.ts';
import { snapshotOf } from './market-snapshot.ts';
import { DEFAULT_DEPTH, OthersBook } from './others-book.ts';
import { checkOpen, type ViewGate } from './view-gate.ts';
import type { BookView, Level, MarketView, OutcomeView, StartingPrices } from './views.ts';

/**
 * Made once per market and reused. All views of a strategy share one gate: a single `open` and `close` around each
 * decision covers them, and outside every access throws. Nothing is computed before it is read.
 */
export function createMarketView(state: MarketState, gate: ViewGate): MarketView {
  return new LiveMarket(state, gate);
}

class LiveMarket implements MarketView {
  readonly #state: MarketState;
  readonly #gate: ViewGate;
  #facts: MarketFacts | undefined;
  #outcomes: readonly OutcomeView[] = [];
  #outcomeById: ReadonlyMap<string, OutcomeView> = new Map();

  constructor(state: MarketState, gate: ViewGate) {
    this.#state = state;
    this.#gate = gate;
    // All strategies are given this one object.
    Object.freeze(this);
  }

  get id(): string {
    return this.#read().facts.id;
  }

  get name(): string {
    return this.#read().facts.name;
  }

  get eventId(): string {
    return this.#read().facts.eventId;
  }

  get eventName(): string {
    return this.#read().facts.eventName;
  }

  get marketTypeId(): string {
    return this.#read().facts.marketTypeId;
  }

  get venue(): string | undefined {
    return this.#read().facts.venue;
  }

  get countryCode(): string | undefined {
    return this.#read().facts.countryCode;
  }

  get status(): MarketStatus {
    return this.#read().status;
  }

  get inPlayStatus(): InPlayStatus {
    return this.#read().inPlayStatus;
  }

  get inPlay(): boolean {
    return this.#read().inPlayStatus === 'InPlay';
  }

  get tradable(): boolean {
    const state = this.#read();
    return state.status === 'Open' && !state.suspended;
  }

  get suspended(): boolean {
    return this.#read().suspended;
  }

  get inPlayDelay(): number {
    return this.#read().inPlayDelayMs / 1000;
  }

  get expectedStartTime(): number | undefined {
    return this.#read().facts.expectedStartTime;
  }

  get winnersMin(): number {
    return this.#read().winners.min;
  }

  get winnersMax(): number {
    return this.#read().winners.max;
  }

  get stakeMin(): number | undefined {
    return stakeMinOf(this.#read());
  }

  get payoutMin(): number | undefined {
    return payoutMinOf(this.#read());
  }

  get updatedAt(): number {
    return this.#read().updatedAt;
  }

  get outcomes(): readonly OutcomeView[] {
    this.#index(this.#read().facts);
    return this.#outcomes;
  }

  outcome(id: string): OutcomeView | undefined {
    this.#index(this.#read().facts);
    return this.#outcomeById.get(id);
  }

  snapshot(depth: number = DEFAULT_DEPTH): MarketView {
    this.#read();
    return snapshotOf(this, depth);
  }

  #read(): MarketState {
    checkOpen(this.#gate);
    return this.#state;
  }

  /** Outcome views survive a change of facts, since an index always means the same outcome. */
  #index(facts: MarketFacts): void {
    // A method of its own, since closures that capture `facts` would allocate at each call.
    if (facts !== this.#facts) this.#reindex(facts);
  }

  #reindex(facts: MarketFacts): void {
    if (facts.outcomes.length !== this.#outcomes.length) {
      const outcomes: OutcomeView[] = [];
      for (let at = 0; at < facts.outcomes.length; at += 1)
        outcomes[at] = this.#outcomes[at] ?? new LiveOutcome(this.#state, at, this.#gate);
      this.#outcomes = Object.freeze(outcomes);
    }
    this.#outcomeById = new Map(this.#outcomes.map((view, at) => [facts.outcomes[at]?.id ?? '', view]));
    // Set last: a stack overflow of a strategy may interrupt this method, and the next strategy must not see half an
    // index.
    this.#facts = facts;
  }
}

/**
 * The best level of a side as last read. The frozen object that strategies get is made anew only when the level
 * changes: ten strategies that ask cost one look-up, and asking again costs no memory.
 */
interface BestLevel {
  version: number;
  /** NO_TICK where the side is empty. */
  tick: number;
  amount: number;
  level: Level | undefined;
}

/**
 * Scratch space of the current call: a slice of it has exactly the needed length, while a growing list allocates more.
 */
const read: Level[] = [];

class LiveOutcome implements OutcomeView {
  readonly #state: MarketState;
  readonly #at: number;
  readonly #gate: ViewGate;
  readonly #bestAgainst: BestLevel = { version: 0, tick: NO_TICK, amount: 0, level: undefined };
  readonly #bestFor: BestLevel = { version: 0, tick: NO_TICK, amount: 0, level: undefined };
  readonly #others: BookView;

  constructor(state: MarketState, at: number, gate: ViewGate) {
    this.#state = state;
    this.#at = at;
    this.#gate = gate;
    this.#others = new OthersBook(state, at, gate);
    Object.freeze(this);
  }

  get id(): string {
    return this.#read().facts.outcomes[this.#at]?.id ?? '';
  }

  get marketId(): string {
    return this.#read().facts.id;
  }

  get title(): string {
    return this.#read().facts.outcomes[this.#at]?.title ?? '';
  }

  get ordering(): number {
    return this.#read().facts.outcomes[this.#at]?.ordering ?? 0;
  }

  get metadata(): Readonly<Record<string, string>> {
    return Object.freeze({ ...this.#read().facts.outcomes[this.#at]?.metadata });
  }

  get status(): OutcomeStatus {
    return this.#read().outcomeStatus(this.#at);
  }

  get stakeMin(): number | undefined {
    return stakeMinOf(this.#read());
  }

  get payoutMin(): number | undefined {
    return payoutMinOf(this.#read());
  }

  get stakeStep(): number {
    return moneyToDecimal(stakeStepOf(this.#read().minimumStake));
  }

  get bestAgainst(): Level | undefined {
    return this.#best(AGAINST, this.#bestAgainst);
  }

  get bestFor(): Level | undefined {
    return this.#best(FOR, this.#bestFor);
  }

  bestPrice(side: Side): number | undefined {
    const best = this.#read().bestTick(this.#at, sideIndex(side));
    return best < 0 ? undefined : decimalOfTick(best as Tick);
  }

  get lastPrice(): number | undefined {
    return decimalOf(this.#read().lastPrice(this.#at));
  }

  get traded(): number {
    return moneyToDecimal(this.#read().traded(this.#at));
  }

  tradedLevels(): readonly Level[] {
    const state = this.#read();
    let found = 0;
    for (let tick = 0; tick < TICK_COUNT; tick += 1) {
      const stake = state.tradedAt(this.#at, tick);
      if (stake <= 0) continue;
      read[found] = { price: decimalOfTick(tick as Tick), stake: moneyToDecimal(stake) };
      found += 1;
    }
    return read.slice(0, found);
  }

  get startingPrices(): StartingPrices {
    const state = this.#read();
    return Object.freeze({
      near: decimalOf(state.startingPrice(this.#at, 'near')),
      far: decimalOf(state.startingPrice(this.#at, 'far')),
      actual: decimalOf(state.startingPrice(this.#at, 'actual')),
    });
  }

  levels(side: Side, depth: number = DEFAULT_DEPTH): readonly Level[] {
    const state = this.#read();
    const resting = sideIndex(side);
    let found = 0;
    let tick = state.bestTick(this.#at, resting);
    while (tick >= 0 && found < depth) {
      read[found] = this.#level(state, resting, tick);
      found += 1;
      tick = state.nextTick(this.#at, resting, tick);
    }
    return read.slice(0, found);
  }

  get others(): BookView {
    checkOpen(this.#gate);
    return this.#others;
  }

  #best(side: SideIndex, known: BestLevel): Level | undefined {
    // A level read at the current version of the gate may be returned without checking the gate.
    if (known.version !== this.#gate.version) this.#readBest(this.#read(), side, known);
    return known.level;
  }

  #readBest(state: MarketState, side: SideIndex, known: BestLevel): void {
    const tick = state.bestTick(this.#at, side);
    const amount = tick < 0 ? ZERO : state.amountAt(this.#at, side, tick);
    if (tick !== known.tick || amount !== known.amount) {
      known.level =
        tick < 0 ? undefined : Object.freeze({ price: decimalOfTick(tick as Tick), stake: moneyToDecimal(amount) });
      known.tick = tick;
      known.amount = amount;
    }
    // Set last: a stack overflow of a strategy may interrupt this method, and the next strategy would be shown an old
    // level.
    known.version = this.#gate.version;
  }

  #level(state: MarketState, side: SideIndex, tick: number): Level {
    return { price: decimalOfTick(tick as Tick), stake: moneyToDecimal(state.amountAt(this.#at, side, tick)) };
  }

  #read(): MarketState {
    checkOpen(this.#gate);
    return this.#state;
  }
}

function decimalOf(price: Price | undefined): number | undefined {
  return price === undefined ? undefined : priceToDecimal(price);
}

/** The exchange's smallest stake in the market, in decimals. */
export function stakeMinOf({ minimumStake }: MarketState): number | undefined {
  return minimumStake === undefined ? undefined : moneyToDecimal(minimumStake.stake);
}

/** The payout from which a smaller stake is accepted there, in decimals. */
export function payoutMinOf({ minimumStake }: MarketState): number | undefined {
  return minimumStake?.payout === undefined ? undefined : moneyToDecimal(minimumStake.payout);
}

closeClass(LiveMarket);
closeClass(LiveOutcome);
