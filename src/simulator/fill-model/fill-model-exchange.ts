/** The exchange of one fill model (pessimistic, central, …), with an overlay for each market, and what became of the bot's orders there. */

import { AssertionFailure, assert, defined } from '../../core/checks/assert.ts';
import { mapExact } from '../../core/collections/map-exact.ts';
import { SequenceMap } from '../../core/collections/sequence-map.ts';
import { type Instant, instant, type Money, type Price, ZERO } from '../../core/number/units.ts';
import { CANCELLATION_REASONS, isLive, ORDER_STATUSES } from '../../core/order.ts';
import { TRANSACTION_CODES } from '../../core/transaction.ts';
import type { OrderRequest } from '../../exchange/gateway.ts';
import { Exchange } from '../../matching/exchange.ts';
import { type BetWorth, noBetWorth } from '../../matching/life/bet-worth.ts';
import type { Command } from '../../matching/messages/command.ts';
import type { CommandRefusal, ExchangeEvent } from '../../matching/messages/event.ts';
import { decodeEvent, type EventRow, NO_MARKET, NO_REASON, word } from '../../matching/messages/event-codec.ts';
import { UNLIMITED_OVERDRAFT } from '../../matching/records/accounts.ts';
import type { FillRules } from '../overlay/fill-rules.ts';
import { OverlayLiquidity } from '../overlay/overlay-liquidity.ts';
import { OwnOrders } from '../overlay/own-orders.ts';
import type { RecordedBook } from '../overlay/recorded-book.ts';
import type { FillListener } from './fill-listener.ts';
import { bookPosting, type FillModelMarket, type MarketChanged, newFillModelMarket } from './fill-model-market.ts';
import type { FillModelParts } from './fill-model-parts.ts';
import { FillModelTrades } from './fill-model-trades.ts';
import { MarketAccount } from './market-account.ts';
import type { RecordedTerms } from './market-life.ts';
import { ClientOrderIds, OrderTrack, QueueArrivals, trackOfEnded } from './order-track.ts';
import { type OrderMarket, type PlacedItem, type RequestOrigin, RequestPool } from './request-pool.ts';

/** The operator's app owns the markets, the bot's app the orders. */
const MARKETS_APP = 1;
const BOT_APP = 2;
const CURRENCY = 0;
const NOTHING_YET = -1;
const NO_TRACKS: readonly OrderTrack[] = [];

export class FillModelExchange {
  readonly fillRules: FillRules;
  readonly #exchange: Exchange;
  readonly #listener: FillListener;
  readonly #markets = new Map<number, FillModelMarket>();
  /** The market asked for last: the next question is nearly always about the same one. */
  #last: FillModelMarket | undefined;
  readonly #tracks = new SequenceMap<OrderTrack>();
  readonly #clientOrderIds = new ClientOrderIds();
  readonly #trades = new FillModelTrades();
  readonly #ownOrders = new OwnOrders();
  readonly #arrivals = new QueueArrivals();
  readonly #rateByPpm = new Map<number, number>();
  readonly #requestPool = new RequestPool();
  readonly #wallets: number[] = [];
  /** The slot of each wallet's account in the exchange machine. */
  readonly #accounts: number[] = [];
  #changed: OrderTrack[] = [];
  readonly #marketOf: (index: number) => OrderMarket;
  #placing: readonly OrderRequest[] = [];
  #placed: PlacedItem[] = [];
  #opening: RecordedBook | undefined;
  #openedModel: OverlayLiquidity | undefined;
  #openedState: MarketChanged | undefined;
  #created = NOTHING_YET;
  #refusal: CommandRefusal | undefined;
  #heartbeatActive = false;
  #updateAt = 0 as Instant;

  constructor(parts: FillModelParts) {
    this.fillRules = parts.fillRules;
    this.#listener = parts.listener;
    this.#marketOf = parts.marketOf;
    this.#updateAt = parts.at;
    this.#exchange = new Exchange({ rules: parts.rules, liquidityFor: () => this.#newOverlay() });
    this.#apply({ at: parts.at, kind: 'createApp' });
    this.#apply({ at: parts.at, kind: 'createApp' });
  }

  /** When something happens by itself in this exchange; undefined where nothing will. */
  get nextDue(): Instant | undefined {
    return this.#exchange.nextDue();
  }

  /** Opens the next wallet, counted from 0. */
  openWallet(at: Instant, balance: Money | 'unlimited'): void {
    const wallet = this.#create({ at, kind: 'createWallet', app: BOT_APP });
    this.#wallets.push(wallet);
    this.#apply({ at, kind: 'openAccount', wallet, currency: CURRENCY });
    this.#accounts.push(defined(this.#exchange.accountSlot(wallet, CURRENCY), 'an account was opened'));
    if (balance === 'unlimited')
      this.#apply({ at, kind: 'setOverdraft', wallet, currency: CURRENCY, overdraft: UNLIMITED_OVERDRAFT });
    else if (balance > 0) this.#apply({ at, kind: 'deposit', wallet, currency: CURRENCY, amount: balance });
  }

  walletMoney(wallet: number): { readonly balance: Money; readonly balanceAvailable: Money } {
    const money = { balance: ZERO, balanceAvailable: ZERO };
    this.readMoney(wallet, money);
    return money;
  }

  /** Writes a wallet's balances (10⁻⁶) into an object that the caller uses again. */
  readMoney(wallet: number, money: { balance: Money; balanceAvailable: Money }): void {
    this.#exchange.readMoney(defined(this.#accounts[wallet], 'a wallet has its account'), money);
  }

  /** Profit or loss of the wallet's matched bets in a market, by the outcome that wins; undefined where it has none. */
  profitsIfWins(wallet: number, market: number): readonly Money[] | undefined {
    return this.#exchange.position(this.#wallet(wallet), market)?.exposures;
  }

  /** What the matched bets of all wallets in a market are worth, by outcome. */
  betWorth(market: number, outcomes: number): BetWorth {
    const worth = noBetWorth(outcomes);
    for (const wallet of this.#wallets) this.#exchange.addBetWorth(wallet, market, worth);
    return worth;
  }

  createEvent(at: Instant): number {
    return this.#create({ at, kind: 'createEvent', app: MARKETS_APP });
  }

  /** Creates a market over a recorded book. Returns the exchange's id of it, which is the same in every fill model's exchange. */
  openMarket(at: Instant, terms: RecordedTerms, book: RecordedBook): number {
    this.#opening = book;
    const market = this.#create({ at, kind: 'createMarket', ...terms, app: MARKETS_APP, currency: CURRENCY });
    const model = defined(this.#openedModel, 'the exchange asked for the liquidity of its new market');
    const account = new MarketAccount(terms.outcomes);
    const state = defined(this.#openedState, 'the exchange described its new market');
    this.#markets.set(market, newFillModelMarket(model, account, state));
    return market;
  }

  /** Announces a recorded update: what it fills is filled at this instant. Everything that was due by then has been done. */
  updateComes(at: Instant): void {
    this.#updateAt = at;
  }

  market(id: number): FillModelMarket {
    if (this.#last?.state.market === id) return this.#last;
    const market = this.#markets.get(id);
    if (market === undefined) throw new AssertionFailure(`market ${id} is not in this exchange`);
    this.#last = market;
    return market;
  }

  /** Applies a command about a market's life. A refusal is a bug of ours, or a recording that no exchange allows. */
  command(command: Command): void {
    this.#apply(command);
  }

  get heartbeatActive(): boolean {
    return this.#heartbeatActive;
  }

  /** Places a batch and returns what became of its items, in order; undefined where a lapsed heartbeat blocks them all. */
  place(at: Instant, batch: readonly OrderRequest[]): readonly PlacedItem[] | undefined {
    this.#placing = batch;
    this.#placed = [];
    const requests = this.#requestPool.write(batch, (item) => this.#originOf(at, item));
    this.#apply({ at, kind: 'place', app: BOT_APP, requests }, 'HEARTBEAT_LAPSED');
    if (this.#refusal !== undefined) return undefined;
    assert(this.#placed.length === batch.length, 'every item of a batch is answered');
    return this.#placed;
  }

  cancel(at: Instant, tracks: readonly OrderTrack[]): void {
    if (tracks.length > 0) this.#apply({ at, kind: 'cancel', app: BOT_APP, orders: mapExact(tracks, orderOf) });
  }

  /** Takes stake off an order; one that does not rest stays as it is. */
  reduce(at: Instant, { order }: OrderTrack, stake: Money): void {
    this.#apply({ at, kind: 'reduce', app: BOT_APP, order, stake }, 'INVALID_MOVE');
  }

  /**
   * The track of an order; for a released order it is made anew. Undefined for an order that is unknown, or whose market was forgotten.
   */
  trackOf(order: number): OrderTrack | undefined {
    return this.#tracks.get(order) ?? this.#endedTrack(order);
  }

  /** The track of an order that rests in a slot. */
  trackOfSlot(slot: number): OrderTrack {
    return defined(this.#tracks.get(this.#exchange.orderOfSlot(slot)), 'what rests has a track');
  }

  /** Forgets the track of an order that ended without a match. */
  release(track: OrderTrack): void {
    this.#tracks.delete(track.order);
    if (track.link !== undefined) this.market(track.market).tracks.remove(track.link);
    track.link = undefined;
  }

  advance(at: Instant): void {
    this.#apply({ at, kind: 'advance' });
  }

  heartbeat(at: Instant, timeoutMs: number): void {
    this.#apply({ at, kind: 'heartbeat', app: BOT_APP, timeoutMs });
  }

  clearHeartbeat(at: Instant): void {
    this.#apply({ at, kind: 'deleteHeartbeat', app: BOT_APP }, 'NO_HEARTBEAT');
  }

  /** Every law of money and exposure that does not hold, as a sentence; empty unless we have a bug. Slow: it walks all orders. */
  brokenLaws(): readonly string[] {
    return this.#exchange.brokenLaws();
  }

  /** Returns the orders that changed since the last call, in the order of their first change, and starts a new list. */
  drainChanged(): readonly OrderTrack[] {
    if (this.#changed.length === 0) return NO_TRACKS;
    const changed = this.#changed;
    this.#changed = [];
    for (const track of changed) track.isChanged = false;
    return changed;
  }

  /** Frees everything that is kept of an ended market. */
  forget(at: Instant, market: number): void {
    this.#apply({ at, kind: 'forget', market });
    for (const track of this.market(market).tracks) this.#tracks.delete(track.order);
    this.#trades.forget(this.market(market).trades);
    this.#markets.delete(market);
    this.#last = undefined;
  }

  #endedTrack(order: number): OrderTrack | undefined {
    const view = this.#exchange.order(order);
    const clientOrderId = this.#clientOrderIds.of(order);
    if (view === undefined || clientOrderId === undefined) return undefined;
    return trackOfEnded(view, clientOrderId, this.#wallets.indexOf(view.wallet));
  }

  #newOverlay(): OverlayLiquidity {
    const book = defined(this.#opening, 'a market is opened over a recorded book');
    const now = (): Instant => instant(Math.max(this.#updateAt, this.#exchange.now));
    const fillResting = (slot: number, stake: Money): void => {
      const order = this.#exchange.orderOfSlot(slot);
      this.#exchange.matchWithRecorded({ at: now(), order, stake });
      this.#drain();
    };
    const rests = (slot: number, ahead: Money) => this.#arrivals.rests(this.#exchange.orderOfSlot(slot), ahead);
    const sink = { fillResting, rests };
    this.#openedModel = new OverlayLiquidity({ book, orders: this.#ownOrders, rules: this.fillRules, sink, now });
    return this.#openedModel;
  }

  #wallet(index: number): number {
    const wallet = this.#wallets[index];
    if (wallet === undefined) throw new AssertionFailure(`there is no wallet ${index}`);
    return wallet;
  }

  #originOf(at: Instant, { wallet, market: index }: OrderRequest): RequestOrigin {
    const market = this.#marketOf(index);
    return { wallet: this.#wallet(wallet), market, commissionRate: this.#rate(at, market.commissionPpm) };
  }

  #rate(at: Instant, ratePpm: number): number {
    const known = this.#rateByPpm.get(ratePpm);
    if (known !== undefined) return known;
    const rate = this.#create({ at, kind: 'createCommissionRate', app: BOT_APP, ratePpm, isDefault: false });
    this.#rateByPpm.set(ratePpm, rate);
    return rate;
  }

  /** Applies a command that creates one thing, and returns its id. */
  #create(command: Command): number {
    this.#created = NOTHING_YET;
    this.#apply(command);
    assert(this.#created !== NOTHING_YET, `the exchange did not carry out ${command.kind}`);
    return this.#created;
  }

  /** Applies a command. A refusal of a whole command is a bug of ours, except for those in `allowed`. */
  #apply(command: Command, allowed?: CommandRefusal): void {
    this.#refusal = undefined;
    this.#exchange.apply(command);
    this.#drain();
    if (this.#refusal === undefined || this.#refusal === allowed) return;
    throw new AssertionFailure(`the exchange refused ${command.kind} at ${command.at}: ${this.#refusal}`);
  }

  /** Reads the events of the last command. Events of markets and heartbeats are skipped, because the caller gave those commands. */
  #drain(): void {
    const { events } = this.#exchange;
    for (let i = 0; i < events.length; i += 1) {
      const row = events.row(i);
      // The frequent events are read from their row, without an object for each.
      if (row.kind === 'orderAccepted') this.#accepted(row);
      else if (row.kind === 'orderMatched') this.#matched(row);
      else if (row.kind === 'orderChanged') this.#orderChanged(row);
      else if (row.kind === 'transaction') this.#posted(row);
      else this.#onEvent(decodeEvent(row));
    }
    events.clear();
    this.#arrivals.writeTo(this.#tracks);
  }

  #onEvent(event: ExchangeEvent): void {
    switch (event.kind) {
      case 'refused':
        this.#refusal = event.reason;
        return;
      case 'heartbeatChanged':
        this.#heartbeatActive = event.active;
        return;
      case 'heartbeatDeleted':
        this.#heartbeatActive = false;
        return;
      case 'walletCreated':
        this.#created = event.wallet;
        return;
      case 'eventCreated':
        this.#created = event.event;
        return;
      case 'marketCreated':
        this.#created = event.market;
        return;
      case 'commissionRateCreated':
        this.#created = event.rate;
        return;
      case 'marketChanged':
        return this.#marketChanged(event);
      case 'orderRefused':
        return this.#setPlaced(event.item, { kind: 'refused', code: event.code });
      case 'tradeRepriced':
        return this.#noteChange(this.#trades.repriced(event, (track) => this.market(track.market)));
      case 'tradeSettled':
        return this.#trades.settled(event);
      case 'outcomeRemoved':
        return this.market(event.market).account.voidOutcome(event.outcome);
    }
  }

  /** Sets what became of an item of the batch; items are reported in their order. */
  #setPlaced(item: number, placed: PlacedItem): void {
    if (item === 0) this.#placed = [placed];
    else this.#placed.push(placed);
  }

  #marketChanged(event: MarketChanged): void {
    const market = this.#markets.get(event.market);
    if (market === undefined) this.#openedState = event;
    else market.state = event;
  }

  #accepted({ at, b: item, c: order, d: due }: EventRow): void {
    const request = defined(this.#placing[item], 'an accepted item is one of the batch');
    const market = this.#marketOf(request.market).exchangeId;
    const track = new OrderTrack(request, market, order, due > 0 ? 'Pending' : 'Unmatched', at as Instant);
    this.#setPlaced(item, { kind: 'accepted', track });
    this.#tracks.add(order, track);
    const fillMarket = this.market(market);
    track.link = fillMarket.tracks.add(track);
    fillMarket.orders += 1;
    this.#clientOrderIds.add(order, request.client);
  }

  #matched({ at, a: id, b: order, c: priceNumber, d: stakeNumber }: EventRow): void {
    const price = priceNumber as Price;
    const stake = stakeNumber as Money;
    const track = defined(this.#tracks.get(order), 'only our orders match here');
    const { client: clientOrderId, market: index, outcome, side } = track.request;
    const market = this.market(track.market);
    track.match(price, stake);
    track.changedAt = at as Instant;
    this.#trades.matched(id, { track, stake, price });
    market.trades.push(id);
    market.account.match({ outcome, side, price, stake });
    this.#noteChange(track);
    this.#listener.filled({ clientOrderId, price, stake, at: at as Instant, market: index, outcome });
  }

  #orderChanged({ at, a: order, b: status, c: unmatched, d: voided, e: reason }: EventRow): void {
    const track = defined(this.#tracks.get(order), 'only our orders change here');
    track.status = word(ORDER_STATUSES, status);
    if (!isLive(track.status)) track.endedAt ??= at as Instant;
    track.unmatched = unmatched as Money;
    track.voided = voided as Money;
    track.reason = reason === NO_REASON ? undefined : word(CANCELLATION_REASONS, reason);
    track.changedAt = at as Instant;
    this.#noteChange(track);
  }

  #noteChange(track: OrderTrack): void {
    if (track.isChanged) return;
    track.isChanged = true;
    if (this.#changed.length === 0) this.#changed = [track];
    else this.#changed.push(track);
  }

  #posted({ a: id, c: code, d: amount, e: market }: EventRow): void {
    const wallet = this.#wallets.indexOf(id);
    if (wallet < 0 || market === NO_MARKET) return;
    bookPosting(this.market(market), wallet, amount as Money, word(TRANSACTION_CODES, code) === 'Commission');
  }
}

function orderOf(track: OrderTrack): number {
  return track.order;
}
