/** One recorded market as the bot sees it: the recorded book with the bot's own orders laid over it. */

import { defined } from '../../core/checks/assert.ts';
import {
  type Grade,
  type InPlayStatus,
  type MarketFacts,
  type MarketStatus,
  type OutcomeFacts,
  type OutcomeStatus,
  type StartingPriceKind,
  type WinnersRange,
  winnersOfCount,
} from '../../core/market.ts';
import { type MarketState, NO_OWN_STAKE, type OwnStake } from '../../core/market-state.ts';
import type { MinimumStake } from '../../core/minimum-stake.ts';
import { priceOfTick, tick } from '../../core/number/ladder.ts';
import { type Instant, type Money, PRICE_SCALE, type Price, price } from '../../core/number/units.ts';
import type { SideIndex } from '../../core/side.ts';
import type { MarketMessage } from '../../exchange/gateway.ts';
import type { RecordedDefinition } from '../../recording/tape/definition.ts';
import type { FillModelExchange } from '../fill-model/fill-model-exchange.ts';
import type { FillModelMarket, MarketChanged } from '../fill-model/fill-model-market.ts';
import type { OrderMarket } from '../fill-model/request-pool.ts';
import type { FillRules } from '../overlay/fill-rules.ts';
import { windowMemoryMs } from '../overlay/out-of-sight.ts';
import type { OverlayLiquidity } from '../overlay/overlay-liquidity.ts';
import { RecordedBook } from '../overlay/recorded-book.ts';
import type { MarketWindow } from './market-window.ts';
import { type PreOffPrices, readPreOff } from './pre-off-prices.ts';

/** What a tape says about a market before it is replayed. */
export interface RecordedMarket {
  readonly facts: MarketFacts;
  readonly grade: Grade;
  readonly updates: number;
  /** The exchange whose market was recorded; absent for our own exchange's markets, recorded live or synthetic. */
  readonly exchange?: 'betfair';
  readonly definitions: readonly RecordedDefinition[];
  /** How many levels of each side its source shows; absent where it shows all. */
  readonly depth?: number;
  /** Of a market that is received while it is played: since when its prices, and its status, are known to be so. */
  readonly freshAt?: Instant | undefined;
  readonly statusFreshAt?: Instant | undefined;
}

/** What strategies see reads the exchange and the overlay of the first fill model; nothing is copied. */
export class ReplayMarket implements MarketState, OrderMarket {
  readonly index: number;
  /** The exchange's id of the market, the same under every fill model. */
  readonly exchangeId: number;
  /** Commission rate in parts per million: that of the current definition, or of the run. */
  commissionPpm: number;
  readonly recorded: RecordedMarket;
  readonly book: RecordedBook;
  readonly minimumStake: MinimumStake | undefined;
  /** The overlays, in the order of the fill models: first the one under which the bot trades. */
  readonly models: readonly OverlayLiquidity[];
  definition: RecordedDefinition | undefined;
  /** Indexes of the outcomes removed so far; a removal is final. */
  readonly removed = new Set<number>();
  /** Whether the market was settled or voided: from then on only its result can change. */
  hasEnded = false;
  endedAt: Instant | undefined;
  /** The definition that gave its last result. */
  ending: RecordedDefinition | undefined;
  /** The first switch to in play that the recording shows. */
  inPlayAt: Instant | undefined;
  /** What the recorded book showed when trading last stopped before that switch. */
  preOff: PreOffPrices | undefined;
  /** Whether its recording ended before the market did, at `updatedAt`. */
  isCutOff = false;
  /**
   * Whether the market is suspended in play with stake in the recorded book: if the recording empties the book, our
   * orders are withdrawn too.
   */
  awaitsEmptyBook = false;
  /** How many orders such suspensions took from the book, under the model under which the bot trades. */
  ordersSuspended = 0;
  updatedAt = 0 as Instant;
  updatesSeen = 0;
  /** When strategies are asked; absent: from its first update to its end. */
  window: MarketWindow | undefined;
  /** Whether the market is not reported to the bot: its window has not opened, or never did. */
  isHidden = false;
  /** What a strategy may know about the market by now. */
  facts: MarketFacts;
  readonly outcomesMax: number;
  /** The message that reports new prices, made once because it is sent again and again. */
  readonly pricesMessage: MarketMessage;
  readonly #rateOfRun: number | undefined;
  /** That of the fill model under which the bot trades. */
  readonly #exchange: FillModelExchange;
  readonly #primary: FillModelMarket;
  readonly #model: OverlayLiquidity;

  constructor(parts: {
    index: number;
    exchangeId: number;
    recorded: RecordedMarket;
    book: RecordedBook;
    exchanges: readonly FillModelExchange[];
    at: Instant;
    /** Commission rate used instead of the recorded one, parts per million. */
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
    this.models = parts.exchanges.map((exchange) => exchange.market(parts.exchangeId).model);
    this.#exchange = defined(parts.exchanges[0], 'a replay has at least one fill model');
    this.#primary = this.#exchange.market(parts.exchangeId);
    this.#model = this.#primary.model;
    this.pricesMessage = { kind: 'market', market: this, cause: 'prices' };
  }

  /** Keeps the prices where the next definition, which is not in force yet, stops trading before the off, and when the off comes. */
  noteClose(next: RecordedDefinition, at: Instant): void {
    const { definition: now } = this;
    if (now === undefined || this.hasEnded || this.inPlayAt !== undefined || now.inPlayStatus === 'InPlay') return;
    const isOff = next.inPlayStatus === 'InPlay' && next.status === 'Open';
    const stops = isOff || next.suspended || next.status !== 'Open';
    if (stops && this.isMatching) this.preOff = readPreOff(this.book, at, this.preOff);
    if (isOff) this.inPlayAt = at;
  }

  /** Makes the next definition the current one, and updates the facts that a strategy sees. */
  define(definition: RecordedDefinition): void {
    this.definition = definition;
    this.commissionPpm = this.#rateOfRun ?? definition.commissionPpm ?? 0;
    const { expectedStartTime } = definition;
    const outcomes = this.#outcomesBy(definition);
    if (expectedStartTime !== this.facts.expectedStartTime || outcomes !== this.facts.outcomes)
      this.facts = factsWith(this.recorded.facts, expectedStartTime, outcomes);
  }

  get freshAt(): Instant | undefined {
    return this.recorded.freshAt;
  }
  get statusFreshAt(): Instant | undefined {
    return this.recorded.statusFreshAt;
  }
  get status(): MarketStatus {
    return this.#state().status;
  }
  /**
   * The status of the definition in force. The exchange's own status differs: it treats every market as one that may
   * turn in play.
   */
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
    return winnersOfCount(this.definition?.winnerCount ?? 1, this.facts.outcomes.length);
  }
  get crossMatching(): boolean {
    return this.definition?.crossMatching === true;
  }

  /** Notes that a recorded update is being applied. */
  seen(publishedAt: Instant): void {
    this.updatedAt = publishedAt;
    this.updatesSeen += 1;
  }

  /** Notes that the next update stands for so many others, beside itself. */
  leaveOut(updates: number): void {
    this.updatesSeen += updates;
  }

  /** Whether orders can match, as opposed to a paused market. */
  get isMatching(): boolean {
    return this.status === 'Open' && !this.suspended;
  }

  /** Remembers the outcomes that the current definition removed, once the exchange has been informed. */
  noteRemovals(): void {
    for (const [outcome, { status }] of (this.definition?.outcomes ?? []).entries()) {
      if (status === 'Removed') this.removed.add(outcome);
    }
  }

  /**
   * Under the model under which the bot trades: stake that takers did not match because levels had been out of sight
   * for too long.
   */
  get stakeOutOfSight(): Money {
    return this.#model.stakeOutOfSight;
  }

  outcomeStatus(outcome: number): OutcomeStatus {
    if (this.removed.has(outcome)) return 'Removed';
    return this.definition?.outcomes[outcome]?.status ?? 'Hidden';
  }
  bestTick(outcome: number, side: SideIndex): number {
    return this.#model.bestTick(outcome, side);
  }
  nextTick(outcome: number, side: SideIndex, from: number): number {
    return this.#model.nextTick(outcome, side, from);
  }
  amountAt(outcome: number, side: SideIndex, tick: number): Money {
    return this.#model.amountAt(outcome, side, tick);
  }
  ownAt(outcome: number, side: SideIndex, tick: number): readonly OwnStake[] {
    const slots = this.#model.ordersAt(outcome, side, tick);
    if (slots.length === 0) return NO_OWN_STAKE;
    return slots.map((slot) => {
      const { request, unmatched } = this.#exchange.trackOfSlot(slot);
      return { strategy: request.strategy, stake: unmatched };
    });
  }
  traded(outcome: number): Money {
    return this.book.traded(outcome);
  }
  tradedAt(outcome: number, tick: number): Money {
    return this.book.tradedAt(outcome, tick);
  }
  /** The reconciled one is in the definition, from the one that brings it on. */
  startingPrice(outcome: number, which: StartingPriceKind): Price | undefined {
    const thousandths =
      which === 'actual'
        ? Math.round((this.definition?.outcomes[outcome]?.startingPrice ?? 0) * PRICE_SCALE)
        : this.book.projectedStart(outcome, which);
    return thousandths > PRICE_SCALE ? price(thousandths) : undefined;
  }
  lastPrice(outcome: number): Price | undefined {
    const last = this.book.lastTick(outcome);
    return last < 0 ? undefined : priceOfTick(tick(last));
  }

  /** The outcomes listed until now, by the names they have now; the same list object where nothing changed. */
  #outcomesBy(definition: RecordedDefinition): readonly OutcomeFacts[] {
    const known = this.facts.outcomes;
    const listed = listedOutcomes(this.recorded.facts, definition);
    const isSame = listed.length <= known.length && listed.every(({ title }, index) => title === known[index]?.title);
    // An outcome that was listed once stays, whatever a later definition leaves out.
    return isSame ? known : [...listed, ...known.slice(listed.length)];
  }

  #state(): MarketChanged {
    return this.#primary.state;
  }
}

/**
 * The outcomes up to the last one that the definition lists: outcomes are numbered in the order in which they were
 * listed.
 */
function listedOutcomes(facts: MarketFacts, definition: RecordedDefinition | undefined): readonly OutcomeFacts[] {
  const listed = definition?.outcomes ?? [];
  const count = listed.findLastIndex(({ isUnlisted }) => isUnlisted !== true) + 1;
  return facts.outcomes.slice(0, count).map((outcome, index) => {
    const title = listed[index]?.title;
    return title === undefined ? outcome : { ...outcome, title };
  });
}

/**
 * Spelled out: objects copied with `...` get a hidden class for each definition, and code that reads many classes is
 * slow.
 */
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
  const hasWindow = rules.some(({ levelsOutOfSight }) => levelsOutOfSight !== 'always');
  if (depth === undefined || crosses || !hasWindow) return new RecordedBook(facts.outcomes.length);
  return new RecordedBook(facts.outcomes.length, { depth, memoryMs: windowMemoryMs(rules) });
}
