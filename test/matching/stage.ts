/** A small exchange ready to trade, and the short vocabulary of the matching tests. */

import { expect } from 'vitest';
import { priceOfTick, tickOfDecimal } from '../../src/core/number/ladder.ts';
import { type Instant, type Money, moneyFromDecimal, moneyToDecimal } from '../../src/core/number/units.ts';
import type { Side } from '../../src/core/side.ts';
import { Exchange, type ExchangeOptions } from '../../src/matching/exchange.ts';
import type { Command, MarketTerms, PlaceRequest } from '../../src/matching/messages/command.ts';
import type { ExchangeEvent } from '../../src/matching/messages/event.ts';

export const CURRENCY = 7;
export const START = 1_000_000;

export function units(decimal: number): Money {
  const micros = moneyFromDecimal(decimal);
  if (micros === undefined) throw new Error(`no money: ${decimal}`);
  return micros;
}

/** Omit applied to each member of a union separately. */
type WithoutTime<T> = T extends unknown ? Omit<T, 'at'> : never;

export class Stage {
  readonly exchange: Exchange;
  /** App 1 and its wallets, each with funds. */
  readonly app = 1;
  readonly wallets: number[] = [];
  now = START;

  constructor(options: ExchangeOptions = {}) {
    this.exchange = new Exchange(options);
    this.do({ kind: 'createApp' });
  }

  /** Applies a command, checks every law, and returns the command's events. */
  do(command: WithoutTime<Command>): readonly ExchangeEvent[] {
    const before = this.exchange.events.length;
    this.exchange.apply({ ...command, at: this.now as Instant } as Command);
    return this.since(before);
  }

  since(before: number): readonly ExchangeEvent[] {
    expect(this.exchange.brokenLaws()).toEqual([]);
    const events: ExchangeEvent[] = [];
    for (let i = before; i < this.exchange.events.length; i += 1) events.push(this.exchange.events.read(i));
    return events;
  }

  wallet(balance: number, app = this.app): number {
    const created = this.do({ kind: 'createWallet', app }).find((event) => event.kind === 'walletCreated');
    const wallet = created?.wallet ?? -1;
    this.wallets.push(wallet);
    if (balance > 0) this.do({ kind: 'deposit', wallet, currency: CURRENCY, amount: units(balance) });
    return wallet;
  }

  /** An open, published market of three outcomes and one winner, unless the terms say otherwise. */
  market(terms: Partial<MarketTerms> = {}): number {
    const [event] = this.do({ kind: 'createEvent', app: this.app });
    const created = this.do({
      kind: 'createMarket',
      app: this.app,
      event: event?.kind === 'eventCreated' ? event.event : -1,
      currency: CURRENCY,
      outcomes: 3,
      winners: { min: 1, max: 1 },
      crossMatching: false,
      turnsInPlay: true,
      inPlayDelayMs: 0,
      eventStartAction: 'None',
      marketLockAction: 'None',
      ...terms,
    }).find((each) => each.kind === 'marketCreated');
    const market = created?.market ?? -1;
    this.do({ kind: 'publish', market, published: true });
    this.do({ kind: 'open', market });
    return market;
  }

  /** Turns `[wallet, side, outcome, stake, price]` into an order request. */
  request(market: number, bet: Bet, more: Partial<PlaceRequest> = {}): PlaceRequest {
    const [wallet, side, outcome, stake, at] = bet;
    const tick = tickOfDecimal(at);
    if (tick === undefined) throw new Error(`no ladder price: ${at}`);
    const kept = { keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' } as const;
    return { wallet, market, side, outcome, tick, stake: units(stake), ...kept, ...more };
  }

  place(market: number, bet: Bet, more: Partial<PlaceRequest> = {}): readonly ExchangeEvent[] {
    return this.do({ kind: 'place', app: this.app, requests: [this.request(market, bet, more)] });
  }

  /** Places an order that must be accepted; returns its id. */
  order(market: number, bet: Bet, more: Partial<PlaceRequest> = {}): number {
    const events = this.place(market, bet, more);
    const accepted = events.find((event) => event.kind === 'orderAccepted');
    if (accepted === undefined) throw new Error(`not accepted: ${JSON.stringify(events)}`);
    return accepted.order;
  }

  /** The code with which an order is refused; undefined where it is accepted. */
  refusal(market: number, bet: Bet, more: Partial<PlaceRequest> = {}): string | undefined {
    const refused = this.place(market, bet, more).find((event) => event.kind === 'orderRefused');
    return refused?.code;
  }

  settle(market: number, winners: readonly number[], places?: number): readonly ExchangeEvent[] {
    this.do({ kind: 'lock', market });
    return this.do({ kind: 'settle', market, winners, ...(places === undefined ? {} : { places }) });
  }

  balance(wallet: number): number {
    return moneyToDecimal(this.exchange.account(wallet, CURRENCY)?.balance ?? (Number.NaN as Money));
  }

  available(wallet: number): number {
    return moneyToDecimal(this.exchange.account(wallet, CURRENCY)?.balanceAvailable ?? (Number.NaN as Money));
  }

  escrow(market: number): number {
    return this.balance(this.exchange.market(market)?.escrowWallet ?? -1);
  }

  /** R of a wallet in a market: what is taken from it for matched and unmatched bets. */
  taken(wallet: number, market: number): number {
    return moneyToDecimal(this.exchange.position(wallet, market)?.required ?? (0 as Money));
  }

  exposures(wallet: number, market: number): readonly number[] {
    return (this.exchange.position(wallet, market)?.exposures ?? []).map(moneyToDecimal);
  }

  /** `status unmatched/voided` of an order, with its reason where it has one. */
  standing(order: number): string {
    const view = this.exchange.order(order);
    if (view === undefined) return 'unknown';
    const left = `${moneyToDecimal(view.stakeUnmatched)}/${moneyToDecimal(view.stakeVoided)}`;
    return [view.status, left, ...(view.reason === undefined ? [] : [view.reason])].join(' ');
  }

  /** The price at which an order rests, in thousandths. */
  priceOf(order: number): number | undefined {
    const tick = this.exchange.order(order)?.tick;
    return tick === undefined ? undefined : priceOfTick(tick);
  }

  /** `side price amount` of an outcome's visible levels. */
  levels(market: number, outcome: number, cross = false): readonly string[] {
    const levels = this.exchange.prices(market, { cross }).filter((level) => level.outcome === outcome);
    return levels.map((level) => `${level.side} ${level.price / 1000} ${moneyToDecimal(level.amount)}`);
  }
}

export type Bet = readonly [wallet: number, side: Side, outcome: number, stake: number, price: number];
