/** Applies recorded updates to the markets of a replay: each once, to the recorded book and to the orders of all worlds over it. */

import { defined } from '../../core/checks/assert.ts';
import { NO_TICK } from '../../core/number/ladder.ts';
import type { Instant } from '../../core/number/units.ts';
import { DEFINITION, type PendingUpdate, recordColumns, type UpdateColumns } from '../../recording/segment/update.ts';
import { isEnded, isSuspendedInPlay, type LifeRules, lifeCommands, termsOf } from '../fill-model/market-life.ts';
import { applyToBook, applyToModels, applyUpdate, areIdle } from '../overlay/apply-update.ts';
import type { RecordedBook } from '../overlay/recorded-book.ts';
import { type MinimumStakeRule, minimumStakeOf } from './minimum-stake.ts';
import { bookFor, PlayedMarket, type RecordedMarket } from './played-market.ts';
import type { ReplayExchange } from './replay-exchange.ts';

/** Rules that are the same in every world. */
export interface RecordedRules {
  readonly life: LifeRules;
  /** A commission rate in parts per million, used instead of the recorded ones. */
  readonly commissionPpm?: number;
  /** Absent: no minimum. */
  readonly minimumStake?: MinimumStakeRule;
}

export class RecordedMarkets {
  readonly worlds: readonly ReplayExchange[];
  readonly #first: ReplayExchange;
  readonly #rules: RecordedRules;
  readonly #markets = new Map<number, PlayedMarket>();
  /** The market asked for last: the next update is nearly always of the same one. */
  #last: PlayedMarket | undefined;

  constructor(rules: RecordedRules, worlds: readonly ReplayExchange[]) {
    this.#rules = rules;
    this.worlds = worlds;
    this.#first = defined(worlds[0], 'a replay has at least one world');
  }

  market(index: number): PlayedMarket | undefined {
    if (this.#last?.index === index) return this.#last;
    this.#last = this.#markets.get(index);
    return this.#last;
  }

  /** Lists a market in every world. Call it at the market's first recorded update, not before. */
  open(index: number, recorded: RecordedMarket, at: Instant): PlayedMarket {
    const { life, commissionPpm, minimumStake = 'none' } = this.#rules;
    const rules = this.worlds.map(({ exchange }) => exchange.fillRules);
    const market = new PlayedMarket({
      index,
      recorded,
      book: bookFor(recorded, rules),
      at,
      commissionPpm,
      minimumStake: minimumStakeOf(minimumStake, recorded.exchange, recorded.minimumStake),
    });
    this.#markets.set(index, market);
    const terms = termsOf(recorded.definitions, life);
    for (const world of this.worlds) world.open(market, terms, at);
    return market;
  }

  /** Applies one recorded update; returns whether the market's definition changed. Everything due by then must have been done. */
  apply(market: PlayedMarket, update: PendingUpdate): 'prices' | 'status' {
    if (update.isDefinition) {
      this.#applyDefinition(market, update);
      return 'status';
    }
    this.applyPrices(market, update);
    return 'prices';
  }

  #applyDefinition(market: PlayedMarket, update: PendingUpdate): void {
    const columns = update.columns();
    this.#updateComes(update.publishedAt);
    this.#defineAll(market, columns);
    market.seen(update.publishedAt);
    // The columns are passed on, not the update whose columns were read: V8 would meet a second kind of update where
    // prices are read, and compile the hot code again.
    applyUpdate(market.book, market.overlays, {
      publishedAt: update.publishedAt,
      recordInto: (sink) => recordColumns(columns, sink),
    });
    if (market.awaitsEmptyBook) this.#lookAtBook(market, update.publishedAt);
  }

  /** Applies a recorded update that leaves the definition as it was; returns whether it may have changed an order. */
  applyPrices(market: PlayedMarket, update: PendingUpdate): boolean {
    const { book, overlays } = market;
    market.seen(update.publishedAt);
    if (areIdle(overlays)) return applyToBook(book, update);
    // The exchanges need the time of an update only where it may fill something.
    this.#updateComes(update.publishedAt);
    applyToModels(book, overlays, update);
    if (market.awaitsEmptyBook) this.#lookAtBook(market, update.publishedAt);
    return true;
  }

  /**
   * Checks the recorded book within an in-play suspension, and at its end: if it is empty, our orders are withdrawn
   * too. A settlement handles resting orders itself.
   */
  #lookAtBook(market: PlayedMarket, at: Instant): void {
    const { status, suspended } = this.#first.opened(market.index);
    const isOpen = status === 'Open';
    const isEmpty = isEmptyBook(market.book);
    if (isEmpty && isOpen) this.#withdraw(market, at);
    market.awaitsEmptyBook = isOpen && !isEmpty && suspended;
  }

  #withdraw({ index }: PlayedMarket, at: Instant): void {
    for (const world of this.worlds) world.withdraw(index, at);
  }

  #suspendInPlay(market: PlayedMarket, at: Instant): void {
    const { inPlaySuspension } = this.#rules.life;
    if (inPlaySuspension === 'cancel') this.#withdraw(market, at);
    market.awaitsEmptyBook = inPlaySuspension === 'as-recorded' && !isEmptyBook(market.book);
  }

  #updateComes(at: Instant): void {
    for (let i = 0; i < this.worlds.length; i += 1) this.worlds[i]?.exchange.updateComes(at);
  }

  #defineAll(market: PlayedMarket, { count, kind, amount, publishedAt }: UpdateColumns): void {
    for (let i = 0; i < count && kind[i] === DEFINITION; i += 1) this.#define(market, amount[i] ?? 0, publishedAt);
  }

  #define(market: PlayedMarket, number: number, at: Instant): void {
    const before = market.definition;
    const after = defined(market.recorded.definitions[number], `the market has no definition ${number}`);
    // Recorded definitions alone change a market's status, so that it is the same in every world.
    const shown = this.#first.opened(market.index);
    const wasMatching = shown.isMatching;
    if (wasMatching && (after.suspended || after.status !== 'Open')) this.#value(market);
    market.noteClose(after, at, wasMatching);
    market.define(after);
    const { ending, removed } = market;
    const change = { before, after, ending, removed, rules: this.#rules.life };
    const commands = lifeCommands(shown.exchangeId, at, change);
    for (const { exchange } of this.worlds) for (const command of commands) exchange.command(command);
    for (const command of commands) if (command.kind === 'removeOutcome') removed.add(command.outcome);
    // A recording may go on after the result; the exchange's market does not.
    if (shown.status === 'Open' && isSuspendedInPlay(before, after)) this.#suspendInPlay(market, at);
    if (isEnded(after)) market.ending = after;
    if (isEnded(after) && ending === undefined) {
      market.endedAt = at;
      for (const overlay of market.overlays) overlay.release();
    }
    if (shown.isMatching === wasMatching && before !== undefined) return;
    for (const overlay of market.overlays) {
      if (shown.isMatching) overlay.resume();
      else overlay.pause();
    }
  }

  /**
   * Handles the last update of a market: returns true if the market is cut off there, and suspends it for good then.
   */
  cutOff(market: PlayedMarket, at: Instant): boolean {
    if (market.hasEnded || this.#rules.life.suspendsAtEnd !== true) return false;
    const { isMatching, exchangeId } = this.#first.opened(market.index);
    if (isMatching) this.#value(market);
    market.isCutOff = true;
    for (const { exchange } of this.worlds)
      exchange.command({ at, kind: 'suspend', market: exchangeId, suspended: true });
    for (const overlay of market.overlays) overlay.pause();
    return true;
  }

  /** Forgets a market that all worlds have freed. */
  forget(market: PlayedMarket): void {
    this.#markets.delete(market.index);
    this.#last = undefined;
  }

  /** Values the positions at the prices shown until now, because the market stops trading. */
  #value({ index }: PlayedMarket): void {
    for (const world of this.worlds) world.opened(index).value();
  }
}

function isEmptyBook(book: RecordedBook): boolean {
  for (let row = 0; row < book.outcomes * 2; row += 1) if (book.bestInRow(row) !== NO_TICK) return false;
  return true;
}
