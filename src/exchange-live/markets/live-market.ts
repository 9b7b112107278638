/** A market of the exchange as last reported: status and facts by document or stream, prices by book. */

import type {
  InPlayStatus,
  LiquidityAction,
  MarketFacts,
  MarketStatus,
  OutcomeStatus,
  StartingPriceKind,
  WinnersRange,
} from '../../core/market.ts';
import type { MarketState, OwnStake } from '../../core/market-state.ts';
import type { MinimumStake } from '../../core/minimum-stake.ts';
import { type Instant, type Money, money, type Price } from '../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../core/side.ts';
import type { MarketCondition, MarketDefinition } from './market-definition.ts';
import type { MarketPrices } from './market-prices.ts';
import type { OwnStakes } from './own-stakes.ts';
import { believed } from './told-condition.ts';

/** What the exchange does not tell stays unknown: BetDEX tells no last and no starting price, and its stream no traded volume. */
export class LiveMarket implements MarketState {
  readonly index: number;
  facts: MarketFacts;
  readonly winners: WinnersRange;
  readonly eventStartAction: LiquidityAction;
  readonly minimumStake: MinimumStake | undefined;
  readonly canReduce: boolean;
  readonly prices: MarketPrices;
  readonly #own: OwnStakes;
  /** When prices were last known: on our clock, since the exchange's answers do not say when they were true. */
  updatedAt: Instant;
  freshAt: Instant;
  statusFreshAt: Instant;
  #condition: MarketCondition;
  /** When the newest of the streamed changes was made, by the exchange's clock. */
  #toldAt: Instant | undefined;
  #mayClose: boolean;

  constructor(parts: {
    readonly index: number;
    readonly definition: MarketDefinition;
    readonly prices: MarketPrices;
    readonly own: OwnStakes;
    readonly at: Instant;
    /** Whether the market may show itself as Closed at once, or only after `close`. */
    readonly mayClose: boolean;
  }) {
    const { facts, winners, eventStartAction, minimumStake, canReduce = false, condition } = parts.definition;
    this.index = parts.index;
    this.facts = facts;
    this.winners = winners;
    this.eventStartAction = eventStartAction;
    this.minimumStake = minimumStake;
    this.canReduce = canReduce;
    this.updatedAt = parts.at;
    this.freshAt = parts.at;
    this.statusFreshAt = parts.at;
    this.prices = parts.prices;
    this.#own = parts.own;
    this.#condition = condition;
    this.#mayClose = parts.mayClose;
  }

  /** Receivers drop a closed market, so `Closed` is hidden until its result has been reported. */
  get status(): MarketStatus {
    if (!this.isClosing) return this.#condition.status;
    return this.winnerIds.length > 0 ? 'Settled' : 'Voided';
  }
  /** Whether the exchange has closed the market, but that is still hidden. */
  get isClosing(): boolean {
    return this.#condition.status === 'Closed' && !this.#mayClose;
  }
  get inPlayStatus(): InPlayStatus {
    return this.#condition.inPlayStatus;
  }
  get published(): boolean {
    return this.#condition.published;
  }
  get suspended(): boolean {
    return this.#condition.suspended;
  }
  get inPlayDelayMs(): number {
    return this.#condition.inPlayDelayMs;
  }
  get lockAt(): Instant | undefined {
    return this.#condition.lockAt;
  }
  get crossMatching(): boolean {
    return this.#condition.crossMatching;
  }
  get settledAt(): Instant | undefined {
    return this.#condition.settledAt;
  }
  get winnerIds(): readonly string[] {
    return this.#condition.winnerIds;
  }

  /** Whether the market has a result: then its orders change no more, unless it gets another result. */
  get isOver(): boolean {
    return this.status === 'Settled' || this.status === 'Voided' || this.status === 'Closed';
  }

  /** A name of the current result. A market that gets another result gets another name. */
  get result(): string {
    return `${this.settledAt ?? ''} ${this.winnerIds.join()}`;
  }

  /** Where the exchange does not report non-runners, an outcome is in the market until the market has its result. */
  outcomeStatus(outcome: number): OutcomeStatus {
    const facts = this.facts.outcomes[outcome];
    if (facts === undefined) return 'Hidden';
    const told = this.#condition.outcomes?.[outcome];
    if (told !== undefined) return told;
    if (this.winnerIds.includes(facts.id)) return 'Winner';
    return this.winnerIds.length > 0 ? 'Loser' : 'Active';
  }
  bestTick(outcome: number, side: SideIndex): number {
    return this.prices.bestTick(outcome, side);
  }
  nextTick(outcome: number, side: SideIndex, from: number): number {
    return this.prices.nextTick(outcome, side, from);
  }
  amountAt(outcome: number, side: SideIndex, at: number): Money {
    return this.prices.amountAt(outcome, side, at);
  }
  ownAt(outcome: number, resting: SideIndex, tick: number): readonly OwnStake[] {
    const { facts } = this;
    const side = resting === FOR ? 'For' : 'Against';
    const place = { marketId: facts.id, outcomeId: facts.outcomes[outcome]?.id ?? '', side, tick } as const;
    return this.#own.at(place, (state) => this.prices.shows({ outcome, side: resting, tick }, state));
  }
  traded(outcome: number): Money {
    return this.prices.traded(outcome);
  }
  /** What was matched against resting orders of either side. */
  tradedAt(outcome: number, at: number): Money {
    return money(this.prices.matchedAt(outcome, FOR, at) + this.prices.matchedAt(outcome, AGAINST, at));
  }
  startingPrice(outcome: number, which: StartingPriceKind): Price | undefined {
    return this.prices.startingPrice(outcome, which);
  }
  matchedAt(outcome: number, side: SideIndex, at: number): Money {
    return this.prices.matchedAt(outcome, side, at);
  }
  /** When the newest prices were published, as far as the exchange says: the stream does, a REST answer does not. */
  get publishedAt(): Instant | undefined {
    return this.prices.isPolled ? undefined : this.prices.validAt;
  }
  lastPrice(outcome: number): Price | undefined {
    return this.prices.lastPrice(outcome);
  }

  /** The result has been reported, so that `Closed` may be shown. */
  close(): void {
    this.#mayClose = true;
  }

  /** Takes what a document says; says whether anything is new. Outcomes are what they were when it was first known. */
  redefine({ facts, condition }: MarketDefinition): boolean {
    const { outcomes, name, eventName, expectedStartTime } = this.facts;
    const isChanged = this.change(condition);
    if (name === facts.name && eventName === facts.eventName && expectedStartTime === facts.expectedStartTime)
      return isChanged;
    this.facts = { ...facts, outcomes };
    return true;
  }

  /** Whether a document is older than the one that is known: then nothing of it is taken. */
  isNewerThan({ condition: { modifiedAt } }: MarketDefinition): boolean {
    return isLater(this.#condition.modifiedAt, modifiedAt);
  }

  /** Takes over changed fields; returns whether anything changed. */
  change(changes: Partial<MarketCondition>): boolean {
    const known = this.#condition;
    this.#condition = { ...known, ...changes, modifiedAt: changes.modifiedAt ?? known.modifiedAt };
    return !isSame(known, this.#condition);
  }

  /** A document with what was streamed since it was asked for, as far as that is believed. */
  withTold(definition: MarketDefinition, told: readonly Partial<MarketCondition>[]): MarketDefinition {
    let { condition } = definition;
    for (const each of told) {
      const { modifiedAt } = condition;
      condition = { ...condition, ...believed(condition, each).changes, modifiedAt };
    }
    return { ...definition, condition };
  }

  /** Takes what was streamed, as far as it is believed; says whether anything changed, and whether the rest must be read. */
  tell(told: Partial<MarketCondition>): { readonly isChanged: boolean; readonly needsReading: boolean } {
    const { modifiedAt } = this.#condition;
    const newest = isLater(this.#toldAt, modifiedAt) ? this.#toldAt : modifiedAt;
    const { changes, needsReading } = believed({ ...this.#condition, modifiedAt: newest }, told);
    if (isLater(told.modifiedAt, this.#toldAt)) this.#toldAt = told.modifiedAt;
    // What a stream calls its time of change is compared with documents, and never taken for that of one.
    return { isChanged: this.change(changes), needsReading };
  }
}

function isLater(one: Instant | undefined, other: Instant | undefined): boolean {
  return one !== undefined && (other === undefined || one > other);
}

function isSame(a: MarketCondition, b: MarketCondition): boolean {
  return (
    a.status === b.status &&
    a.inPlayStatus === b.inPlayStatus &&
    a.published === b.published &&
    a.suspended === b.suspended &&
    a.inPlayDelayMs === b.inPlayDelayMs &&
    a.lockAt === b.lockAt &&
    a.crossMatching === b.crossMatching &&
    a.settledAt === b.settledAt &&
    a.winnerIds.join() === b.winnerIds.join() &&
    a.outcomes?.join() === b.outcomes?.join()
  );
}
