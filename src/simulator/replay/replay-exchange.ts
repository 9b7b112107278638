/**
 * The built-in exchange over recorded markets: one market life and one recorded book, with one exchange for each fill
 * model, all of which get the same order flow.
 */

import { assert, defined } from '../../core/checks/assert.ts';
import { NO_TICK } from '../../core/number/ladder.ts';
import type { Instant, Money } from '../../core/number/units.ts';
import type { OrderRequest } from '../../exchange/gateway.ts';
import type { Rules } from '../../matching/messages/rules.ts';
import { DEFINITION, type PendingUpdate, recordColumns, type UpdateColumns } from '../../recording/segment/update.ts';
import type { FillListener } from '../fill-model/fill-listener.ts';
import { FillModelExchange } from '../fill-model/fill-model-exchange.ts';
import { isEnded, isSuspendedInPlay, type LifeRules, lifeCommands, termsOf } from '../fill-model/market-life.ts';
import type { OrderTrack } from '../fill-model/order-track.ts';
import type { OrderMarket, PlacedItem } from '../fill-model/request-pool.ts';
import { applyToBook, applyToModels, applyUpdate, areIdle } from '../overlay/apply-update.ts';
import type { FillRules } from '../overlay/fill-rules.ts';
import type { RecordedBook } from '../overlay/recorded-book.ts';
import { type MinimumStakeRule, minimumStakeOf } from './minimum-stake.ts';
import { bookFor, type RecordedMarket, ReplayMarket } from './replay-market.ts';

/** What a replay is made of. Money is in 10⁻⁶; `unlimited` wallets never run out of funds. */
export interface ReplayConfig {
  readonly at: Instant;
  /**
   * The fill models: the bot trades under the first; the others follow its order flow and accept what the first
   * accepted.
   */
  readonly models: readonly { readonly fillRules: FillRules; readonly listener: FillListener }[];
  readonly rules: Partial<Rules>;
  readonly life: LifeRules;
  /** A commission rate in parts per million, used instead of the recorded ones. */
  readonly commissionPpm?: number;
  readonly wallets: readonly (Money | 'unlimited')[];
  /** Absent: no minimum. */
  readonly minimumStake?: MinimumStakeRule;
}

/** Applies recorded updates and the bot's requests to all fill models in step, in the order of time. */
export class ReplayExchange {
  readonly exchanges: readonly FillModelExchange[];
  /** The exchange of the fill model under which the bot trades. */
  readonly primary: FillModelExchange;
  readonly #followers: readonly FillModelExchange[];
  readonly #config: ReplayConfig;
  readonly #markets = new Map<number, ReplayMarket>();
  /** The market asked for last: the next update is nearly always of the same one. */
  #last: ReplayMarket | undefined;
  readonly #eventById = new Map<string, number>();

  constructor(config: ReplayConfig) {
    this.#config = config;
    this.exchanges = config.models.map(({ fillRules, listener }, index) => {
      const marketOf = (market: number) => this.market(market) ?? UNKNOWN_MARKET;
      const { rules, at } = config;
      const exchange = new FillModelExchange({ fillRules, listener, marketOf, rules, at, keepsChanges: index === 0 });
      for (const balance of config.wallets) exchange.openWallet(config.at, index === 0 ? balance : 'unlimited');
      return exchange;
    });
    this.primary = defined(this.exchanges[0], 'a replay has at least one fill model');
    this.#followers = this.exchanges.slice(1);
  }

  /** When something happens by itself in any of the exchanges, in ms; Infinity where nothing will. */
  get nextDue(): number {
    let due = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.exchanges.length; i += 1) due = Math.min(due, this.exchanges[i]?.nextDue ?? due);
    return due;
  }

  market(index: number): ReplayMarket | undefined {
    if (this.#last?.index === index) return this.#last;
    this.#last = this.#markets.get(index);
    return this.#last;
  }

  /** Markets that are listed and not yet freed. */
  openMarkets(): readonly ReplayMarket[] {
    return [...this.#markets.values()];
  }

  /** Lists a market. Call it at the market's first recorded update, not before. */
  open(index: number, recorded: RecordedMarket, at: Instant): ReplayMarket {
    const rules = this.exchanges.map(({ fillRules }) => fillRules);
    const book = bookFor(recorded, rules);
    const event = this.#event(recorded.facts.eventId, at);
    const terms = termsOf(recorded.definitions, event, this.#config.life);
    const ids = this.exchanges.map((exchange) => exchange.openMarket(at, terms, book));
    const exchangeId = defined(ids[0], 'a market is opened in at least one exchange');
    const { commissionPpm, minimumStake = 'none' } = this.#config;
    const market = new ReplayMarket({
      index,
      exchangeId,
      recorded,
      book,
      exchanges: this.exchanges,
      at,
      commissionPpm,
      minimumStake: minimumStakeOf(minimumStake, recorded.exchange),
    });
    this.#markets.set(index, market);
    return market;
  }

  /** Applies one recorded update under every fill model; returns whether the market's definition changed. */
  apply(market: ReplayMarket, update: PendingUpdate): 'prices' | 'status' {
    if (update.isDefinition) {
      this.#applyDefinition(market, update);
      return 'status';
    }
    this.applyPrices(market, update);
    return 'prices';
  }

  #applyDefinition(market: ReplayMarket, update: PendingUpdate): void {
    const columns = update.columns();
    this.#updateComes(update.publishedAt);
    this.#defineAll(market, columns);
    market.seen(update.publishedAt);
    // The columns are passed on, not the update whose columns were read: V8 would meet a second kind of update where
    // prices are read, and compile the hot code again.
    applyUpdate(market.book, market.models, {
      publishedAt: update.publishedAt,
      recordInto: (sink) => recordColumns(columns, sink),
    });
    if (market.awaitsEmptyBook) this.#lookAtBook(market, update.publishedAt);
  }

  /** Applies a recorded update that leaves the definition as it was; returns whether it may have changed an order. */
  applyPrices(market: ReplayMarket, update: PendingUpdate): boolean {
    const { book, models } = market;
    market.seen(update.publishedAt);
    if (areIdle(models)) return applyToBook(book, update);
    // The exchanges need the time of an update only where it may fill something.
    this.#updateComes(update.publishedAt);
    applyToModels(book, models, update);
    if (market.awaitsEmptyBook) this.#lookAtBook(market, update.publishedAt);
    return true;
  }

  /**
   * Checks the recorded book within an in-play suspension, and at its end: if it is empty, our orders are withdrawn
   * too. A settlement handles resting orders itself.
   */
  #lookAtBook(market: ReplayMarket, at: Instant): void {
    const isOpen = market.status === 'Open';
    const isEmpty = isEmptyBook(market.book);
    if (isEmpty && isOpen) this.#withdraw(market, at);
    market.awaitsEmptyBook = isOpen && !isEmpty && market.suspended;
  }

  /** Takes all resting orders out of the book, under every fill model. */
  #withdraw(market: ReplayMarket, at: Instant): void {
    for (const { status } of this.primary.market(market.exchangeId).tracks)
      if (status === 'Unmatched' || status === 'PartiallyMatched') market.ordersSuspended += 1;
    for (const exchange of this.exchanges) exchange.command({ at, kind: 'voidResting', market: market.exchangeId });
  }

  #suspendInPlay(market: ReplayMarket, at: Instant): void {
    const { inPlaySuspension } = this.#config.life;
    if (inPlaySuspension === 'cancel') this.#withdraw(market, at);
    market.awaitsEmptyBook = inPlaySuspension === 'as-recorded' && !isEmptyBook(market.book);
  }

  #updateComes(at: Instant): void {
    for (let i = 0; i < this.exchanges.length; i += 1) this.exchanges[i]?.updateComes(at);
  }

  #defineAll(market: ReplayMarket, { count, kind, amount, publishedAt }: UpdateColumns): void {
    for (let i = 0; i < count && kind[i] === DEFINITION; i += 1) this.#define(market, amount[i] ?? 0, publishedAt);
  }

  /** Places orders. Funds and everything else are judged in the primary exchange; the others place what it accepted. */
  place(at: Instant, requests: readonly OrderRequest[]): readonly PlacedItem[] | undefined {
    const placed = this.primary.place(at, requests);
    if (placed === undefined || this.#followers.length === 0) return placed;
    this.#follow(at, requests, placed);
    return placed;
  }

  #follow(at: Instant, batch: readonly OrderRequest[], placed: readonly PlacedItem[]): void {
    const requests: OrderRequest[] = [];
    const tracks: OrderTrack[] = [];
    for (const [index, request] of batch.entries()) {
      const item = placed[index];
      if (item?.kind !== 'accepted') continue;
      requests.push(request);
      tracks.push(item.track);
    }
    if (tracks.length === 0) return;
    const placedByModel = this.#followers.map((exchange) =>
      defined(exchange.place(at, requests), 'no follower is blocked'),
    );
    for (const [index, track] of tracks.entries())
      track.siblings = placedByModel.map((items) => acceptedTrack(items[index]));
  }

  /** Cancels orders, given by the primary exchange's ids, under every fill model; returns the tracks of the orders. */
  cancel(at: Instant, orders: readonly number[]): readonly OrderTrack[] {
    const tracks = this.#tracksOf(orders);
    this.primary.cancel(at, tracks);
    for (let follower = 0; follower < this.#followers.length; follower += 1) {
      // A released order has no sibling, and nothing left to cancel.
      const siblings = tracks.map((track) => track.siblings[follower]).filter((sibling) => sibling !== undefined);
      this.#followers[follower]?.cancel(at, siblings);
    }
    return tracks;
  }

  /** Forgets an order that ended without a match, where its siblings have ended too; returns whether it did. */
  release(track: OrderTrack): boolean {
    if (!track.isReleasable) return false;
    this.primary.release(track);
    for (let follower = 0; follower < this.#followers.length; follower += 1) {
      const sibling = track.siblings[follower];
      if (sibling?.isReleasable === true) this.#followers[follower]?.release(sibling);
    }
    return true;
  }

  /** The tracks of the orders; unknown orders are skipped. */
  #tracksOf(orders: readonly number[]): readonly OrderTrack[] {
    const [order] = orders;
    if (order === undefined || orders.length > 1)
      return orders.map((each) => this.primary.trackOf(each)).filter((track) => track !== undefined);
    const track = this.primary.trackOf(order);
    return track === undefined ? [] : [track];
  }

  advance(at: Instant): void {
    for (const exchange of this.exchanges) exchange.advance(at);
  }

  heartbeat(at: Instant, timeoutMs: number): void {
    for (const exchange of this.exchanges) exchange.heartbeat(at, timeoutMs);
  }

  clearHeartbeat(at: Instant): void {
    for (const exchange of this.exchanges) exchange.clearHeartbeat(at);
  }

  /** Frees an ended market for good. Its results must have been read. */
  forget(market: ReplayMarket, at: Instant): void {
    for (const exchange of this.exchanges) exchange.forget(at, market.exchangeId);
    this.#markets.delete(market.index);
    this.#last = undefined;
  }

  close(market: ReplayMarket, at: Instant): void {
    for (const exchange of this.exchanges) exchange.command({ at, kind: 'close', market: market.exchangeId });
  }

  #event(id: string, at: Instant): number {
    const known = this.#eventById.get(id);
    if (known !== undefined) return known;
    const ids = this.exchanges.map((exchange) => exchange.createEvent(at));
    const event = defined(ids[0], 'an event is created in at least one exchange');
    this.#eventById.set(id, event);
    return event;
  }

  #define(market: ReplayMarket, number: number, at: Instant): void {
    const before = market.definition;
    const after = defined(market.recorded.definitions[number], `the market has no definition ${number}`);
    const wasMatching = market.isMatching;
    if (wasMatching && (after.suspended || after.status !== 'Open')) this.#value(market);
    market.noteClose(after, at);
    if (isEnded(after)) market.ending = after;
    market.define(after);
    const { hasEnded: wasEnded, removed } = market;
    const change = { before, after, wasEnded, removed, rules: this.#config.life };
    for (const command of lifeCommands(market.exchangeId, at, change))
      for (const exchange of this.exchanges) exchange.command(command);
    market.noteRemovals();
    // A recording may go on after the result; the exchange's market does not.
    if (market.status === 'Open' && isSuspendedInPlay(before, after)) this.#suspendInPlay(market, at);
    if (isEnded(after) && !market.hasEnded) {
      market.hasEnded = true;
      market.endedAt = at;
      for (const model of market.models) model.release();
    }
    if (market.isMatching === wasMatching && before !== undefined) return;
    for (const model of market.models) {
      if (market.isMatching) model.resume();
      else model.pause();
    }
  }

  /**
   * Handles the last update of a market: returns true if the market is cut off there, and suspends it for good then.
   */
  cutOff(market: ReplayMarket, at: Instant): boolean {
    if (market.hasEnded || this.#config.life.suspendsAtEnd !== true) return false;
    if (market.isMatching) this.#value(market);
    market.isCutOff = true;
    for (const exchange of this.exchanges)
      exchange.command({ at, kind: 'suspend', market: market.exchangeId, suspended: true });
    for (const model of market.models) model.pause();
    return true;
  }

  /** Values the positions at the prices shown until now, because the market stops trading. */
  #value(market: ReplayMarket): void {
    for (const exchange of this.exchanges) exchange.market(market.exchangeId).account.markToMarket(market);
  }

  /** Values the open positions of a market whose recording ends before its settlement. */
  valueAtEnd(market: ReplayMarket): void {
    if (market.isMatching) this.#value(market);
  }
}

function isEmptyBook(book: RecordedBook): boolean {
  for (let row = 0; row < book.outcomes * 2; row += 1) if (book.bestInRow(row) !== NO_TICK) return false;
  return true;
}

/** An order that arrives after its market was forgotten; the exchange refuses it with MARKET_NOT_FOUND. */
const UNKNOWN_MARKET: OrderMarket = { exchangeId: Number.MAX_SAFE_INTEGER, commissionPpm: 0 };

/** The track of an item in a follower, which accepts whatever the primary exchange accepted. */
function acceptedTrack(item: PlacedItem | undefined): OrderTrack {
  assert(item?.kind === 'accepted', 'what the first fill model accepted is accepted in every one');
  return item.track;
}
