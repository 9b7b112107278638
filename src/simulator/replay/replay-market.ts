/** One recorded market as the bot sees it: the recorded crowd with the bot's own orders laid over it. */

import { present } from '../../core/checks/assert.ts';
import type {
  Grade,
  InPlayStatus,
  MarketFacts,
  MarketStatus,
  OutcomeFacts,
  OutcomeStatus,
  WinnersRange,
} from '../../core/market.ts';
import type { MarketState } from '../../core/market-state.ts';
import type { MinimumStake } from '../../core/minimum-stake.ts';
import { priceOfTick, tick } from '../../core/number/ladder.ts';
import type { Instant, Money, Price } from '../../core/number/units.ts';
import type { SideIndex } from '../../core/side.ts';
import type { MarketMessage } from '../../exchange/gateway.ts';
import type { RecordedDefinition } from '../../recording/tape/definition.ts';
import type { FillModelExchange } from '../fill-model/fill-model-exchange.ts';
import type { FillModelMarket, MarketChanged } from '../fill-model/fill-model-market.ts';
import type { OrderMarket } from '../fill-model/request-pool.ts';
import type { FillRules } from '../overlay/fill-rules.ts';
import { memoryMsOf } from '../overlay/out-of-sight.ts';
import type { OverlayLiquidity } from '../overlay/overlay-liquidity.ts';
import { RecordedBook } from '../overlay/recorded-book.ts';

/** What a tape says of a market before it is replayed. */
export interface RecordedMarket {
  readonly facts: MarketFacts;
  readonly grade: Grade;
  readonly updates: number;
  /** Whose market it was; absent for our own exchange's, recorded live or made up. */
  readonly exchange?: 'betfair';
  readonly definitions: readonly RecordedDefinition[];
  /** How many levels of each side its source shows; absent where it shows all. */
  readonly depth?: number;
}

export class ReplayMarket implements MarketState, OrderMarket {
  readonly index: number;
  /** The exchange's id of it, the same in every answer. */
  readonly exchangeId: number;
  /** Of the current definition, or of the run. */
  commissionPpm: number;
  readonly recorded: RecordedMarket;
  readonly book: RecordedBook;
  readonly minimumStake: MinimumStake | undefined;
  /** In the order of the answers, the one the bot lives in first. */
  readonly lanes: readonly OverlayLiquidity[];
  definition: RecordedDefinition | undefined;
  /** Indexes of outcomes removed so far, for good. */
  readonly removed = new Set<number>();
  /** Once settled or voided: from then on its result can only change. */
  hasEnded = false;
  endedAt: Instant | undefined;
  /** Its recording ended before it did, at `updatedAt`. */
  isCutOff = false;
  /** Suspended in play with a crowd in the book: should the recording empty it, our orders go too. */
  awaitsEmptyBook = false;
  /** Orders that such suspensions took from the book, in the answer the bot lives in. */
  ordersSuspended = 0;
  updatedAt = 0 as Instant;
  updatesSeen = 0;
  /** As known by now. */
  facts: MarketFacts;
  readonly outcomesMax: number;
  /** What is told of it again and again, made once. */
  readonly pricesMessage: MarketMessage;
  readonly #rateOfRun: number | undefined;
  readonly #primary: FillModelMarket;
  readonly #lane: OverlayLiquidity;

  constructor(parts: {
    index: number;
    exchangeId: number;
    recorded: RecordedMarket;
    book: RecordedBook;
    exchanges: readonly FillModelExchange[];
    at: Instant;
    /** Instead of the recorded rates. */
    commissionPpm: number | undefined;
    minimumStake: MinimumStake | undefined;
  }) {
    this.index = parts.index;
    this.exchangeId = parts.exchangeId;
    this.#rateOfRun = parts.commissionPpm;
    this.commissionPpm = parts.commissionPpm ?? 0;
    this.recorded = parts.recorded;
    this.book = parts.book;
    this.minimumStake = parts.minimumStake;
    const { facts, definitions } = parts.recorded;
    this.outcomesMax = facts.outcomes.length;
    this.facts = factsWith(facts, facts.expectedStartTime, listedOutcomes(facts, definitions[0]));
    this.updatedAt = parts.at;
    this.lanes = parts.exchanges.map((exchange) => exchange.market(parts.exchangeId).lane);
    this.#primary = present(parts.exchanges[0], 'a replay has at least one answer').market(parts.exchangeId);
    this.#lane = this.#primary.lane;
    this.pricesMessage = { kind: 'market', market: this, cause: 'prices' };
  }

  /** Takes the next definition; the facts a strategy sees are those known by now. */
  define(definition: RecordedDefinition): void {
    this.definition = definition;
    this.commissionPpm = this.#rateOfRun ?? definition.commissionPpm ?? 0;
    const { expectedStartTime } = definition;
    const outcomes = this.#outcomesBy(definition);
    if (expectedStartTime !== this.facts.expectedStartTime || outcomes !== this.facts.outcomes)
      this.facts = factsWith(this.recorded.facts, expectedStartTime, outcomes);
  }

  get status(): MarketStatus {
    return this.#state().status;
  }
  /** Of the definition in force: the exchange knows from the start that a market may turn in play. */
  get inPlayStatus(): InPlayStatus {
    return this.definition?.inPlayStatus ?? 'NotApplicable';
  }
  get published(): boolean {
    return this.#state().published;
  }
  get suspended(): boolean {
    return this.#state().suspended;
  }
  get inPlayDelayMs(): number {
    return this.#state().inPlayDelayMs;
  }
  get lockAt(): Instant | undefined {
    return this.#state().lockAt;
  }
  get winners(): WinnersRange {
    return { min: 1, max: Math.max(1, this.definition?.winnerCount ?? 1) };
  }
  get crossMatching(): boolean {
    return this.definition?.crossMatching === true;
  }

  /** A recorded update is being applied. */
  seen(publishedAt: Instant): void {
    this.updatedAt = publishedAt;
    this.updatesSeen += 1;
  }

  /** Orders can match: what a lane calls not paused. */
  get isMatching(): boolean {
    return this.status === 'Open' && !this.suspended;
  }

  /** Remembers what the current definition removed, once the exchange was told. */
  noteRemovals(): void {
    for (const [outcome, { status }] of (this.definition?.outcomes ?? []).entries()) {
      if (status === 'Removed') this.removed.add(outcome);
    }
  }

  /** Of the answer the bot lives in: what takers did not match because levels were out of sight for too long. */
  get stakeOutOfSight(): Money {
    return this.#lane.stakeOutOfSight;
  }

  outcomeStatus(outcome: number): OutcomeStatus {
    if (this.removed.has(outcome)) return 'Removed';
    return this.definition?.outcomes[outcome]?.status ?? 'Hidden';
  }
  bestTick(outcome: number, side: SideIndex): number {
    return this.#lane.bestTick(outcome, side);
  }
  nextTick(outcome: number, side: SideIndex, from: number): number {
    return this.#lane.nextTick(outcome, side, from);
  }
  amountAt(outcome: number, side: SideIndex, at: number): Money {
    return this.#lane.amountAt(outcome, side, at);
  }
  traded(outcome: number): Money {
    return this.book.traded(outcome);
  }
  lastPrice(outcome: number): Price | undefined {
    const last = this.book.lastTick(outcome);
    return last < 0 ? undefined : priceOfTick(tick(last));
  }

  /** Those listed until now, by the names they have now; the same list where nothing changed. */
  #outcomesBy(definition: RecordedDefinition): readonly OutcomeFacts[] {
    const known = this.facts.outcomes;
    const listed = listedOutcomes(this.recorded.facts, definition);
    const isSame = listed.length <= known.length && listed.every(({ title }, at) => title === known[at]?.title);
    // What was listed once stays, whatever a later definition leaves out.
    return isSame ? known : [...listed, ...known.slice(listed.length)];
  }

  #state(): MarketChanged {
    return this.#primary.state;
  }
}

/** Up to the last one that the definition knows: outcomes are numbered in the order in which they were listed. */
function listedOutcomes(facts: MarketFacts, definition: RecordedDefinition | undefined): readonly OutcomeFacts[] {
  const told = definition?.outcomes ?? [];
  const count = told.findLastIndex(({ isUnlisted }) => isUnlisted !== true) + 1;
  return facts.outcomes.slice(0, count).map((outcome, at) => {
    const title = told[at]?.title;
    return title === undefined ? outcome : { ...outcome, title };
  });
}

/** Written out: copied with `...`, the facts of each definition have a shape of their own, and what reads many shapes is slow. */
function factsWith(
  recorded: MarketFacts,
  expectedStartTime: Instant | undefined,
  outcomes: readonly OutcomeFacts[],
): MarketFacts {
  const { id, name, eventId, eventName, marketTypeId, venue, countryCode } = recorded;
  const facts: { -readonly [Key in keyof MarketFacts]: MarketFacts[Key] } = {
    id,
    name,
    eventId,
    eventName,
    marketTypeId,
    outcomes,
  };
  if (venue !== undefined) facts.venue = venue;
  if (countryCode !== undefined) facts.countryCode = countryCode;
  if (expectedStartTime !== undefined) facts.expectedStartTime = expectedStartTime;
  return facts;
}

/**
 * An empty book for a recorded market, which knows for how long levels are out of sight as far as one of the fill models asks. Where
 * outcomes cross each other none does, since a cross match takes what it was quoted; no market of which a source shows the best few
 * levels has that.
 */
export function bookFor({ facts, depth, definitions }: RecordedMarket, rules: readonly FillRules[]): RecordedBook {
  const crosses = definitions.some(({ crossMatching }) => crossMatching === true);
  const memories = rules.flatMap(({ levelsOutOfSight: rule }) => (rule === 'always' ? [] : [memoryMsOf(rule)]));
  if (depth === undefined || crosses || memories.length === 0) return new RecordedBook(facts.outcomes.length);
  return new RecordedBook(facts.outcomes.length, { depth, memoryMs: Math.max(...memories) });
}
