/** One recorded market as far as it was played: what is the same in every world, since only the recording decides it. */

import type { Grade, MarketFacts, OutcomeFacts } from '../../core/market.ts';
import type { MinimumStake } from '../../core/minimum-stake.ts';
import type { Instant } from '../../core/number/units.ts';
import type { RecordedDefinition } from '../../recording/tape/definition.ts';
import type { FillRules } from '../overlay/fill-rules.ts';
import { windowMemoryMs } from '../overlay/out-of-sight.ts';
import type { OverlayLiquidity } from '../overlay/overlay-liquidity.ts';
import { RecordedBook } from '../overlay/recorded-book.ts';
import { type PreOffPrices, readPreOff } from './pre-off-prices.ts';

/** What a tape says about a market before it is replayed. */
export interface RecordedMarket {
  readonly facts: MarketFacts;
  readonly grade: Grade;
  readonly updates: number;
  /** The exchange whose market was recorded; absent for our own exchange's markets, recorded live or synthetic. */
  readonly exchange?: 'betfair';
  /** The smallest order, where the exchange told it while it was recorded. */
  readonly minimumStake?: MinimumStake;
  readonly definitions: readonly RecordedDefinition[];
  /** How many levels of each side its source shows; absent where it shows all. */
  readonly depth?: number;
  /** The times since which the prices and the status of a market that is received while it is played are known to be so. */
  readonly freshAt?: Instant | undefined;
  readonly statusFreshAt?: Instant | undefined;
}

/** It changes with updates alone. */
export class PlayedMarket {
  readonly index: number;
  readonly recorded: RecordedMarket;
  readonly book: RecordedBook;
  readonly minimumStake: MinimumStake | undefined;
  /** Whether the recorded exchange cancels parts of orders. */
  readonly canReduce: boolean;
  readonly outcomesMax: number;
  /** The orders of each world, laid over the book; in the order of the worlds. */
  readonly overlays: OverlayLiquidity[] = [];
  /** Commission rate in parts per million: that of the current definition, or of the run. */
  commissionPpm: number;
  definition: RecordedDefinition | undefined;
  /** Indexes of the outcomes removed so far; a removal is final. */
  readonly removed = new Set<number>();
  endedAt: Instant | undefined;
  /** The definition that gave its last result: from the first one on, only the result can change. */
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
  updatedAt: Instant;
  updatesSeen = 0;
  /** What a strategy may know about the market by now. */
  facts: MarketFacts;
  readonly #rateOfRun: number | undefined;

  constructor(parts: {
    index: number;
    recorded: RecordedMarket;
    book: RecordedBook;
    at: Instant;
    /** Commission rate used instead of the recorded one, parts per million. */
    commissionPpm: number | undefined;
    minimumStake: MinimumStake | undefined;
  }) {
    this.index = parts.index;
    this.#rateOfRun = parts.commissionPpm;
    this.commissionPpm = parts.commissionPpm ?? 0;
    this.recorded = parts.recorded;
    this.book = parts.book;
    this.minimumStake = parts.minimumStake;
    this.canReduce = parts.recorded.exchange === 'betfair';
    const { facts, definitions } = parts.recorded;
    this.outcomesMax = facts.outcomes.length;
    this.facts = factsWith(facts, facts.expectedStartTime, listedOutcomes(facts, definitions[0]));
    this.updatedAt = parts.at;
  }

  /** Keeps the prices where the next definition, which is not in force yet, stops trading before the off, and when the off comes. */
  noteClose(next: RecordedDefinition, at: Instant, isMatching: boolean): void {
    const { definition: now } = this;
    if (now === undefined || this.hasEnded || this.inPlayAt !== undefined || now.inPlayStatus === 'InPlay') return;
    const isOff = next.inPlayStatus === 'InPlay' && next.status === 'Open';
    const stops = isOff || next.suspended || next.status !== 'Open';
    if (stops && isMatching) this.preOff = readPreOff(this.book, at, this.preOff);
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

  /** Notes that a recorded update is being applied. */
  seen(publishedAt: Instant): void {
    this.updatedAt = publishedAt;
    this.updatesSeen += 1;
  }

  /** Notes that the next update stands for so many others, beside itself. */
  leaveOut(updates: number): void {
    this.updatesSeen += updates;
  }

  /** Whether the market was settled or voided. */
  get hasEnded(): boolean {
    return this.ending !== undefined;
  }

  /** The outcomes listed until now, by the names they have now; the same list object where nothing changed. */
  #outcomesBy(definition: RecordedDefinition): readonly OutcomeFacts[] {
    const known = this.facts.outcomes;
    const listed = listedOutcomes(this.recorded.facts, definition);
    const isSame = listed.length <= known.length && listed.every(({ title }, index) => title === known[index]?.title);
    // An outcome that was listed once stays, whatever a later definition leaves out.
    return isSame ? known : [...listed, ...known.slice(listed.length)];
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
