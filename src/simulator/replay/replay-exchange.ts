/** The built-in exchange over recorded markets: one life, one crowd, and up to three answers to the same order flow. */

import { assert, present } from '../../core/checks/assert.ts';
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

export interface ReplayConfig {
  readonly at: Instant;
  /** The answers: the bot lives in the first, the others follow its order flow with frozen verdicts. */
  readonly answers: readonly { readonly fillRules: FillRules; readonly listener: FillListener }[];
  readonly rules: Partial<Rules>;
  readonly life: LifeRules;
  /** Instead of the recorded rates. */
  readonly commissionPpm?: number;
  readonly wallets: readonly (Money | 'unlimited')[];
  /** Absent: none. */
  readonly minimumStake?: MinimumStakeRule;
}

export class ReplayExchange {
  readonly exchanges: readonly FillModelExchange[];
  /** The answer in which the bot lives. */
  readonly primary: FillModelExchange;
  readonly #followers: readonly FillModelExchange[];
  readonly #config: ReplayConfig;
  readonly #markets = new Map<number, ReplayMarket>();
  /** The market asked for last: the next update is nearly always of the same one. */
  #last: ReplayMarket | undefined;
  readonly #eventById = new Map<string, number>();

  constructor(config: ReplayConfig) {
    this.#config = config;
    this.exchanges = config.answers.map(({ fillRules, listener }, answer) => {
      const marketOf = (index: number) => this.market(index) ?? UNKNOWN_MARKET;
      const { rules, at } = config;
      const exchange = new FillModelExchange({ fillRules, listener, marketOf, rules, at, tellsChanges: answer === 0 });
      for (const balance of config.wallets) exchange.openWallet(config.at, answer === 0 ? balance : 'unlimited');
      return exchange;
    });
    this.primary = present(this.exchanges[0], 'a replay has at least one answer');
    this.#followers = this.exchanges.slice(1);
  }

  /** When something falls due by itself in any answer; Infinity where nothing does. */
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

  /** Markets listed and not freed. */
  openMarkets(): readonly ReplayMarket[] {
    return [...this.#markets.values()];
  }

  /** Lists a market, at its first recorded update and not before. */
  open(index: number, recorded: RecordedMarket, at: Instant): ReplayMarket {
    const rules = this.exchanges.map(({ fillRules }) => fillRules);
    const book = bookFor(recorded, rules);
    const event = this.#event(recorded.facts.eventId, at);
    const terms = termsOf(recorded.definitions, event, this.#config.life);
    const ids = this.exchanges.map((exchange) => exchange.openMarket(at, terms, book));
    const exchangeId = present(ids[0], 'a market is opened in at least one exchange');
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

  /** Applies one recorded update in every answer; says whether the market's definition changed. */
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
    // Not as an update whose columns were asked for: that would be the first such one that reading prices meets.
    applyUpdate(market.book, market.lanes, {
      publishedAt: update.publishedAt,
      recordInto: (sink) => recordColumns(columns, sink),
    });
    if (market.awaitsEmptyBook) this.#lookAtBook(market, update.publishedAt);
  }

  /** The same of an update that leaves the definition as it was; says whether it may have done anything to an order. */
  applyPrices(market: ReplayMarket, update: PendingUpdate): boolean {
    const { book, lanes } = market;
    market.seen(update.publishedAt);
    if (areIdle(lanes)) return applyToBook(book, update);
    // An exchange asks for the time of an update only where that fills something.
    this.#updateComes(update.publishedAt);
    applyToModels(book, lanes, update);
    if (market.awaitsEmptyBook) this.#lookAtBook(market, update.publishedAt);
    return true;
  }

  /** Within an in-play suspension, or at its end: an empty book takes our orders with it. What rests at a settlement is that one's. */
  #lookAtBook(market: ReplayMarket, at: Instant): void {
    const isOpen = market.status === 'Open';
    const isEmpty = isEmptyBook(market.book);
    if (isEmpty && isOpen) this.#withdraw(market, at);
    market.awaitsEmptyBook = isOpen && !isEmpty && market.suspended;
  }

  /** Takes all that rests out of the book, in every answer. */
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

  /** Funds and everything else are judged in the first answer; what it accepted is placed in the others as it was. */
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
    const answers = this.#followers.map((exchange) => present(exchange.place(at, requests), 'no follower is blocked'));
    for (const [index, track] of tracks.entries()) track.siblings = answers.map((items) => acceptedTrack(items[index]));
  }

  /** Cancels orders by the first answer's ids, in every answer; the orders it named. */
  cancel(at: Instant, orders: readonly number[]): readonly OrderTrack[] {
    const tracks = this.#tracksOf(orders);
    this.primary.cancel(at, tracks);
    for (let follower = 0; follower < this.#followers.length; follower += 1) {
      // One that was released has no twin, and nothing left to cancel.
      const siblings = tracks.map((track) => track.siblings[follower]).filter((sibling) => sibling !== undefined);
      this.#followers[follower]?.cancel(at, siblings);
    }
    return tracks;
  }

  /** Lets go of an order that ended without a match, where its twins have ended too; says whether. */
  release(track: OrderTrack): boolean {
    if (!track.isReleasable) return false;
    this.primary.release(track);
    for (let follower = 0; follower < this.#followers.length; follower += 1) {
      const sibling = track.siblings[follower];
      if (sibling?.isReleasable === true) this.#followers[follower]?.release(sibling);
    }
    return true;
  }

  /** Unknown ones are passed over. */
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

  /** Closes an ended market for good and frees it. Its results must have been read. */
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
    const event = present(ids[0], 'an event is created in at least one exchange');
    this.#eventById.set(id, event);
    return event;
  }

  #define(market: ReplayMarket, number: number, at: Instant): void {
    const before = market.definition;
    const after = present(market.recorded.definitions[number], `the market has no definition ${number}`);
    const wasMatching = market.isMatching;
    if (wasMatching && (after.suspended || after.status !== 'Open')) this.#value(market);
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
      for (const lane of market.lanes) lane.release();
    }
    if (market.isMatching === wasMatching && before !== undefined) return;
    for (const lane of market.lanes) {
      if (market.isMatching) lane.resume();
      else lane.pause();
    }
  }

  /** Says whether the market is cut off by this update, its last one; it is suspended for good then. */
  cutOff(market: ReplayMarket, at: Instant): boolean {
    if (market.hasEnded || this.#config.life.suspendsAtEnd !== true) return false;
    if (market.isMatching) this.#value(market);
    market.isCutOff = true;
    for (const exchange of this.exchanges)
      exchange.command({ at, kind: 'suspend', market: market.exchangeId, suspended: true });
    for (const lane of market.lanes) lane.pause();
    return true;
  }

  /** The market stops trading: what the positions are worth at the prices shown until now. */
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

/** What the exchange answers with MARKET_NOT_FOUND: an order that arrives after its market was forgotten. */
const UNKNOWN_MARKET: OrderMarket = { exchangeId: Number.MAX_SAFE_INTEGER, commissionPpm: 0 };

/** A follower has no limits of its own: what the first answer took, it takes. */
function acceptedTrack(item: PlacedItem | undefined): OrderTrack {
  assert(item?.kind === 'accepted', 'what the first answer accepted is accepted in every answer');
  return item.track;
}
