/** The built-in exchange of one world: its own orders and money, over recorded markets that all worlds share. */

import { defined } from '../../core/checks/assert.ts';
import type { Instant, Money } from '../../core/number/units.ts';
import type { OrderRequest } from '../../exchange/gateway.ts';
import type { Rules } from '../../matching/messages/rules.ts';
import type { FillListener } from '../fill-model/fill-listener.ts';
import { FillModelExchange } from '../fill-model/fill-model-exchange.ts';
import type { RecordedTerms } from '../fill-model/market-life.ts';
import type { OrderTrack } from '../fill-model/order-track.ts';
import type { OrderMarket, PlacedItem } from '../fill-model/request-pool.ts';
import type { FillRules } from '../overlay/fill-rules.ts';
import type { PlayedMarket } from './played-market.ts';
import { ReplayMarket } from './replay-market.ts';

/** What the exchange of one world is made of. Money is in 10⁻⁶; `unlimited` wallets never run out of funds. */
export interface WorldConfig {
  readonly at: Instant;
  readonly fillRules: FillRules;
  readonly listener: FillListener;
  readonly rules: Partial<Rules>;
  readonly wallets: readonly (Money | 'unlimited')[];
}

export class ReplayExchange {
  readonly exchange: FillModelExchange;
  readonly #markets = new Map<number, ReplayMarket>();
  /** The market asked for last: the next question is nearly always about the same one. */
  #last: ReplayMarket | undefined;
  readonly #eventById = new Map<string, number>();

  constructor({ fillRules, listener, rules, at, wallets }: WorldConfig) {
    const marketOf = (market: number) => this.market(market) ?? UNKNOWN_MARKET;
    this.exchange = new FillModelExchange({ fillRules, listener, marketOf, rules, at });
    for (const balance of wallets) this.exchange.openWallet(at, balance);
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

  /** Lists a market with its first recorded update: its overlay joins those of the other worlds. */
  open(played: PlayedMarket, terms: Omit<RecordedTerms, 'event'>, at: Instant): ReplayMarket {
    const event = this.#event(played.recorded.facts.eventId, at);
    const id = this.exchange.openMarket(at, { ...terms, event }, played.book);
    const market = new ReplayMarket(played, id, this.exchange);
    this.#markets.set(played.index, market);
    played.overlays.push(this.exchange.market(id).model);
    return market;
  }

  /** The market of this world that is open; call it with the index of one that is. */
  opened(index: number): ReplayMarket {
    return defined(this.market(index), 'every world has the market');
  }

  /** Takes all resting orders out of the book. */
  withdraw(index: number, at: Instant): void {
    const market = this.opened(index);
    for (const { status } of this.exchange.market(market.exchangeId).tracks)
      if (status === 'Unmatched' || status === 'PartiallyMatched') market.ordersSuspended += 1;
    this.exchange.command({ at, kind: 'voidResting', market: market.exchangeId });
  }

  place(at: Instant, requests: readonly OrderRequest[]): readonly PlacedItem[] | undefined {
    return this.exchange.place(at, requests);
  }

  /** Cancels orders, given by the exchange's ids, and returns their tracks; unknown orders are skipped. */
  cancel(at: Instant, orders: readonly number[]): readonly OrderTrack[] {
    const tracks = this.#tracksOf(orders);
    this.exchange.cancel(at, tracks);
    return tracks;
  }

  /** Takes stake off an order, given by the exchange's id, and returns its track; undefined for an unknown order. */
  reduce(at: Instant, order: number, stake: Money): OrderTrack | undefined {
    const track = this.exchange.trackOf(order);
    if (track !== undefined) this.exchange.reduce(at, track, stake);
    return track;
  }

  /** Forgets an order that ended without a match; returns whether it did. */
  release(track: OrderTrack): boolean {
    if (!track.isReleasable) return false;
    this.exchange.release(track);
    return true;
  }

  close(market: ReplayMarket, at: Instant): void {
    this.exchange.command({ at, kind: 'close', market: market.exchangeId });
  }

  /** Frees an ended market for good. Its results must have been read. */
  forget(market: ReplayMarket, at: Instant): void {
    this.exchange.forget(at, market.exchangeId);
    this.#markets.delete(market.index);
    this.#last = undefined;
  }

  #tracksOf(orders: readonly number[]): readonly OrderTrack[] {
    const [order] = orders;
    if (order === undefined || orders.length > 1)
      return orders.map((each) => this.exchange.trackOf(each)).filter((track) => track !== undefined);
    const track = this.exchange.trackOf(order);
    return track === undefined ? [] : [track];
  }

  #event(id: string, at: Instant): number {
    const known = this.#eventById.get(id);
    if (known !== undefined) return known;
    const event = this.exchange.createEvent(at);
    this.#eventById.set(id, event);
    return event;
  }
}

/** An order that arrives after its market was forgotten; the exchange refuses it with MARKET_NOT_FOUND. */
const UNKNOWN_MARKET: OrderMarket = { exchangeId: Number.MAX_SAFE_INTEGER, commissionPpm: 0 };
