/** One of the three answers: an exchange of its own over its own lane of each market, and what came of our orders there. */

import { AssertionFailure, assert, present } from '../core/assert.ts';
import type { OrderErrorCode } from '../core/order.ts';
import { type Instant, instant, type Money, type Price, ZERO } from '../core/units.ts';
import type { OrderRequest } from '../exchange/gateway.ts';
import { UNLIMITED_OVERDRAFT } from '../matching/accounts.ts';
import type { Command, PlaceRequest } from '../matching/command.ts';
import type { CommandRefusal, ExchangeEvent } from '../matching/event.ts';
import { Exchange } from '../matching/exchange.ts';
import type { Rules } from '../matching/rules.ts';
import { MarketAccount } from './market-account.ts';
import type { RecordedTerms } from './market-life.ts';
import { OrderTrack } from './order-track.ts';
import type { FillRules } from './overlay/fill-rules.ts';
import { OverlayLane } from './overlay/overlay-lane.ts';
import { OwnOrders } from './overlay/own-orders.ts';
import type { RecordedBook } from './overlay/recorded-book.ts';

/** Told of what happens to our orders in this answer, as it happens. */
export interface LaneListener {
  filled(fill: LaneFill): void;
}

export interface LaneFill {
  readonly client: number;
  readonly market: number;
  readonly price: Price;
  readonly stake: Money;
  readonly at: Instant;
}

export interface LaneMarket {
  readonly lane: OverlayLane;
  readonly account: MarketAccount;
  /** Of our orders in it, by client. */
  readonly tracks: Map<number, OrderTrack>;
  /** Ids of their trades. */
  readonly trades: Set<number>;
  /** How the exchange last described the market. */
  state: MarketChanged;
  /** Postings between each of our wallets and this market, by wallet. */
  readonly results: Map<number, WalletResult>;
}

export type MarketChanged = ExchangeEvent & { kind: 'marketChanged' };

/** What a market paid a wallet so far: net of commission, and the commission. */
export interface WalletResult {
  net: Money;
  commission: Money;
}

/** A request with what the recorded market says of its commission, and the exchange's id of that market. */
export interface LaneRequest {
  readonly request: OrderRequest;
  readonly market: number;
  readonly commissionPpm: number;
}

interface LaneTrade {
  readonly track: OrderTrack;
  readonly stake: Money;
  price: Price;
}

export type PlacedItem =
  | { readonly kind: 'accepted'; readonly track: OrderTrack }
  | { readonly kind: 'refused'; readonly code: OrderErrorCode };

/** The operator's app owns the markets, the bot's app the orders. */
const MARKETS_APP = 1;
const BOT_APP = 2;
const CURRENCY = 0;
const NOTHING_YET = -1;
const NO_TRACKS: readonly OrderTrack[] = [];

export class LaneExchange {
  readonly fillRules: FillRules;
  readonly #exchange: Exchange;
  readonly #listener: LaneListener;
  readonly #markets = new Map<number, LaneMarket>();
  readonly #trackByOrder = new Map<number, OrderTrack>();
  readonly #trades = new Map<number, LaneTrade>();
  readonly #ownOrders = new OwnOrders();
  readonly #rateByPpm = new Map<number, number>();
  readonly #wallets: number[] = [];
  readonly #changed = new Set<OrderTrack>();
  #placing: readonly LaneRequest[] = [];
  #placed: PlacedItem[] = [];
  #opening: RecordedBook | undefined;
  #openedLane: OverlayLane | undefined;
  #openedState: MarketChanged | undefined;
  #created = NOTHING_YET;
  #refusal: CommandRefusal | undefined;
  #heartbeatActive = false;
  #updateAt: Instant;

  constructor(parts: { fillRules: FillRules; rules: Partial<Rules>; listener: LaneListener; at: Instant }) {
    this.fillRules = parts.fillRules;
    this.#listener = parts.listener;
    this.#updateAt = parts.at;
    this.#exchange = new Exchange({ rules: parts.rules, liquidityFor: () => this.#newLane() });
    this.#apply({ at: parts.at, kind: 'createApp' });
    this.#apply({ at: parts.at, kind: 'createApp' });
  }

  /** When something falls due by itself; undefined where nothing does. */
  get nextDue(): Instant | undefined {
    return this.#exchange.nextDue();
  }

  /** Opens the next wallet, counted from 0; `unlimited` for the frozen flow of a bound, whose verdicts stand already. */
  openWallet(at: Instant, balance: Money | 'unlimited'): void {
    const wallet = this.#create({ at, kind: 'createWallet', app: BOT_APP });
    this.#wallets.push(wallet);
    this.#apply({ at, kind: 'openAccount', wallet, currency: CURRENCY });
    if (balance === 'unlimited')
      this.#apply({ at, kind: 'setOverdraft', wallet, currency: CURRENCY, overdraft: UNLIMITED_OVERDRAFT });
    else if (balance > 0) this.#apply({ at, kind: 'deposit', wallet, currency: CURRENCY, amount: balance });
  }

  walletMoney(wallet: number): { readonly balance: Money; readonly balanceAvailable: Money } {
    return present(this.#exchange.account(this.#wallet(wallet), CURRENCY), 'a wallet has its account');
  }

  /** Profit or loss of the wallet's matched bets in a market, by the outcome that wins; undefined where it has none. */
  profitsIfWins(wallet: number, market: number): readonly Money[] | undefined {
    return this.#exchange.position(this.#wallet(wallet), market)?.exposures;
  }

  createEvent(at: Instant): number {
    return this.#create({ at, kind: 'createEvent', app: MARKETS_APP });
  }

  /** Creates a market over a recorded book; returns the exchange's id of it, the same in every lane's exchange. */
  openMarket(at: Instant, terms: RecordedTerms, book: RecordedBook): number {
    this.#opening = book;
    const market = this.#create({ at, kind: 'createMarket', ...terms, app: MARKETS_APP, currency: CURRENCY });
    const lane = present(this.#openedLane, 'the exchange asked for the liquidity of its new market');
    const account = new MarketAccount(terms.outcomes);
    const state = present(this.#openedState, 'the exchange described its new market');
    this.#markets.set(market, { lane, account, state, tracks: new Map(), trades: new Set(), results: new Map() });
    return market;
  }

  /** A recorded update of this instant follows: what it fills is filled then. All that was due by then has been done. */
  updateComes(at: Instant): void {
    this.#updateAt = at;
  }

  market(id: number): LaneMarket {
    return present(this.#markets.get(id), `market ${id} is not in this exchange`);
  }

  /** Market life: a refusal is our bug, or a recording that no exchange allows. */
  command(command: Command): void {
    this.#apply(command);
  }

  get heartbeatActive(): boolean {
    return this.#heartbeatActive;
  }

  /** The items in the order of the batch; undefined where a lapsed heartbeat blocks them all. */
  place(at: Instant, batch: readonly LaneRequest[]): readonly PlacedItem[] | undefined {
    this.#placing = batch;
    this.#placed = [];
    const requests = batch.map((item) => this.#exchangeRequest(at, item));
    this.#apply({ at, kind: 'place', app: BOT_APP, requests }, 'HEARTBEAT_LAPSED');
    if (this.#refusal !== undefined) return undefined;
    assert(this.#placed.length === batch.length, 'every item of a batch is answered');
    return this.#placed;
  }

  cancel(at: Instant, tracks: readonly OrderTrack[]): void {
    if (tracks.length > 0) this.#apply({ at, kind: 'cancel', app: BOT_APP, orders: tracks.map(({ order }) => order) });
  }

  trackOf(order: number): OrderTrack | undefined {
    return this.#trackByOrder.get(order);
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

  /** What of money and exposure does not add up: nothing, unless we have a bug. Costs a walk over all orders. */
  brokenLaws(): readonly string[] {
    return this.#exchange.brokenLaws();
  }

  /** Orders that changed since the last call, in the order of their first change. */
  takeChanged(): readonly OrderTrack[] {
    if (this.#changed.size === 0) return NO_TRACKS;
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  /** Frees all that is kept of an ended market. */
  forget(at: Instant, market: number): void {
    this.#apply({ at, kind: 'forget', market });
    for (const track of this.market(market).tracks.values()) this.#trackByOrder.delete(track.order);
    for (const trade of this.market(market).trades) this.#trades.delete(trade);
    this.#markets.delete(market);
  }

  #newLane(): OverlayLane {
    const book = present(this.#opening, 'a market is opened over a recorded book');
    const fillResting = (slot: number, stake: Money): void => {
      const order = this.#exchange.orderOfSlot(slot);
      const at = instant(Math.max(this.#updateAt, this.#exchange.now));
      this.#exchange.matchWithCrowd({ at, order, stake });
      this.#drain();
    };
    this.#openedLane = new OverlayLane({ book, orders: this.#ownOrders, rules: this.fillRules, sink: { fillResting } });
    return this.#openedLane;
  }

  #wallet(index: number): number {
    return present(this.#wallets[index], `there is no wallet ${index}`);
  }

  #exchangeRequest(at: Instant, item: LaneRequest): PlaceRequest {
    const { side, outcome, tick, stake, keepWhenInPlay, matchBehavior, wallet } = item.request;
    return {
      wallet: this.#wallet(wallet),
      market: item.market,
      side,
      outcome,
      tick,
      stake,
      keepWhenInPlay,
      matchBehavior,
      commissionRate: this.#rate(at, item.commissionPpm),
    };
  }

  #rate(at: Instant, ratePpm: number): number {
    const known = this.#rateByPpm.get(ratePpm);
    if (known !== undefined) return known;
    const rate = this.#create({ at, kind: 'createCommissionRate', app: BOT_APP, ratePpm, isDefault: false });
    this.#rateByPpm.set(ratePpm, rate);
    return rate;
  }

  /** Applies a command that creates one thing, and gives its id. */
  #create(command: Command): number {
    this.#created = NOTHING_YET;
    this.#apply(command);
    assert(this.#created !== NOTHING_YET, `the exchange did not carry out ${command.kind}`);
    return this.#created;
  }

  /** A refusal of a whole command is our bug, but for those of `allowed`. */
  #apply(command: Command, allowed?: CommandRefusal): void {
    this.#refusal = undefined;
    this.#exchange.apply(command);
    this.#drain();
    if (this.#refusal === undefined || this.#refusal === allowed) return;
    throw new AssertionFailure(`the exchange refused ${command.kind} at ${command.at}: ${this.#refusal}`);
  }

  /** Hears what the exchange did. Events of markets and heartbeats are known to whoever gave the command. */
  #drain(): void {
    const { events } = this.#exchange;
    for (let i = 0; i < events.length; i += 1) this.#hear(events.read(i));
    events.clear();
  }

  #hear(event: ExchangeEvent): void {
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
      case 'orderAccepted':
        return this.#accepted(event);
      case 'orderRefused':
        this.#placed[event.item] = { kind: 'refused', code: event.code };
        return;
      case 'orderMatched':
        return this.#matched(event);
      case 'orderChanged':
        return this.#orderChanged(event);
      case 'transaction':
        return this.#posted(event);
      case 'tradeRepriced':
        return this.#repriced(event);
      case 'tradeSettled':
        return this.#tradeSettled(event);
      case 'outcomeRemoved':
        return this.market(event.market).account.voidOutcome(event.outcome);
    }
  }

  #marketChanged(event: MarketChanged): void {
    const market = this.#markets.get(event.market);
    if (market === undefined) this.#openedState = event;
    else market.state = event;
  }

  #accepted(event: ExchangeEvent & { kind: 'orderAccepted' }): void {
    const { request, market } = present(this.#placing[event.item], 'an accepted item is one of the batch');
    const track = new OrderTrack(request, market, event);
    this.#placed[event.item] = { kind: 'accepted', track };
    this.#trackByOrder.set(event.order, track);
    this.market(market).tracks.set(request.client, track);
  }

  #matched(event: ExchangeEvent & { kind: 'orderMatched' }): void {
    const { price, stake } = event;
    const track = present(this.#trackByOrder.get(event.order), 'only our orders match here');
    const market = this.market(track.market);
    track.match(price, stake);
    track.changedAt = event.at;
    this.#trades.set(event.trade, { track, stake, price });
    market.trades.add(event.trade);
    market.account.match({ outcome: track.request.outcome, side: track.request.side, price, stake });
    this.#changed.add(track);
    this.#listener.filled({ client: track.request.client, market: track.request.market, price, stake, at: event.at });
  }

  #orderChanged(event: ExchangeEvent & { kind: 'orderChanged' }): void {
    const track = present(this.#trackByOrder.get(event.order), 'only our orders change here');
    track.status = event.status;
    track.unmatched = event.stakeUnmatched;
    track.voided = event.stakeVoided;
    track.reason = event.reason;
    track.changedAt = event.at;
    this.#changed.add(track);
  }

  #posted(event: ExchangeEvent & { kind: 'transaction' }): void {
    const wallet = this.#wallets.indexOf(event.wallet);
    if (wallet < 0 || event.market === undefined) return;
    const { account, results } = this.market(event.market);
    const result = results.get(wallet) ?? { net: ZERO, commission: ZERO };
    results.set(wallet, result);
    result.net = (result.net + event.amount) as Money;
    account.net = (account.net + event.amount) as Money;
    if (event.code !== 'Commission') return;
    result.commission = (result.commission - event.amount) as Money;
    account.commission = (account.commission - event.amount) as Money;
  }

  #repriced(event: ExchangeEvent & { kind: 'tradeRepriced' }): void {
    const trade = present(this.#trades.get(event.trade), 'only trades of ours are repriced');
    const { track, stake, price: from } = trade;
    const { outcome, side } = track.request;
    track.reprice(stake, from, event.price);
    this.market(track.market).account.reprice({ outcome, side, stake, from, to: event.price });
    trade.price = event.price;
    this.#changed.add(track);
  }

  #tradeSettled(event: ExchangeEvent & { kind: 'tradeSettled' }): void {
    const trade = present(this.#trades.get(event.trade), 'only trades of ours are settled');
    trade.track.settle(event.trade, event.profitLoss);
  }
}
