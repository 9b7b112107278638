/**
 * What a conformance case needs of the exchange behind a gateway: to move its markets, to trade against us, to let time pass.
 */

import type { Observable } from 'rxjs';
import { describe, it } from 'vitest';
import type { MarketState } from '../../../src/core/market-state.ts';
import { tickOfDecimal } from '../../../src/core/number/ladder.ts';
import { type Money, money } from '../../../src/core/number/units.ts';
import type { Side } from '../../../src/core/side.ts';
import type { FeedMessage, Gateway, OrderReport, OrderRequest } from '../../../src/exchange/gateway.ts';
import type { Clock } from '../../../src/time/clock.ts';

export interface MarketTerms {
  readonly outcomes: number;
  readonly inPlayDelayMs: number;
  readonly cancelsAtStart: boolean;
}

export interface Level {
  readonly outcome: number;
  /** The side of the resting order. */
  readonly side: Side;
  readonly price: number;
  readonly stake: number;
}

/** Changes one market. Each change is done when its promise resolves, although the gateway may receive it later. */
export interface MarketControl {
  /** The exchange's id of the market. */
  readonly id: string;
  /** Rests stake of another participant here: added to what is there in a book of orders, replacing it on a tape. */
  rest(level: Level): Promise<void>;
  /** Stake of another participant that matches what rests, as far as possible; the rest of it is removed. */
  take(level: Level): Promise<void>;
  /** Removes all stake of others from a level. */
  clear(level: Omit<Level, 'stake'>): Promise<void>;
  suspend(suspended: boolean): Promise<void>;
  goInPlay(): Promise<void>;
  settle(...winners: readonly number[]): Promise<void>;
  void(): Promise<void>;
  close(): Promise<void>;
  /** The four below are there where the exchange has them. The outcome does not run; prices of the others fall by the factor. */
  remove?(outcome: number, factorPpm: number): Promise<void>;
  /** Makes all that matched so far void. */
  voidTrades?(): Promise<void>;
  /** Another result than before. */
  resettle?(...winners: readonly number[]): Promise<void>;
  showStartingPrice?(outcome: number, price: number): Promise<void>;
  /** All stake that the exchange shows at a level, our own included. */
  amountAt(level: Omit<Level, 'stake'>): number;
}

export interface Stage {
  readonly clock: Clock;
  readonly gateway: Gateway;
  /** All messages of the feed so far. */
  readonly said: readonly FeedMessage[];
  /** Balance of wallet 0 at the start. */
  readonly balance: number;
  /** Commission rate, percent of net winnings. */
  readonly commission: number;
  market(terms?: Partial<MarketTerms>): Promise<MarketControl>;
  /** Subscribes to the feed. Markets must be made before. */
  listen(): void;
  /** Lets time pass until the condition holds; fails if it does not within a few seconds. */
  until(condition: () => boolean, what: string): Promise<void>;
  pass(ms: number): Promise<void>;
  /** Arms the heartbeat and lets it lapse. */
  lapse(): Promise<void>;
  /** Whether new orders are refused after a lapse, until the heartbeat is cleared. */
  readonly lapseBlocks: boolean;
  /** Absent: those of BetDEX. */
  readonly traits?: ExchangeTraits;
  /** Defined only if the gateway works over a network. */
  readonly wire: WireControl | undefined;
  close(): Promise<void>;
}

/** In what exchanges differ that a strategy need not know. */
export interface ExchangeTraits {
  /** Whether the orders of a batch are placed all or none. */
  readonly isBatchWhole: boolean;
  /** The step of stakes. */
  readonly stakeStep: number;
  /** Whether new orders in play are answered after their delay, so that nobody sees them wait. */
  readonly answersAfterDelay: boolean;
  /** Whether a wallet's balance is without what its matched bets may lose. */
  readonly paysAtMatch: boolean;
  /** Characters of the longest reference. */
  readonly referenceMax: number;
}

export const BETDEX_TRAITS: ExchangeTraits = {
  isBatchWhole: false,
  stakeStep: 0.001,
  answersAfterDelay: false,
  paysAtMatch: true,
  referenceMax: 100,
};

/** A call as it was sent, in the words of the suite. */
export interface SentCall {
  readonly kind: 'place' | 'cancel' | 'readOrders' | 'readMarkets' | 'other';
  /** The ids that it names. */
  readonly markets: readonly string[];
  readonly orders: number;
}

export interface WireControl {
  /** Injects a fault through the sandbox's control surface. */
  fault(body: Readonly<Record<string, unknown>>): Promise<void>;
  heal(): Promise<void>;
  /** Drops the stream's connections; undefined if no feed is streamed. */
  readonly cutStream: (() => Promise<void>) | undefined;
  /** Longer than it takes to prove a lost order absent, ms; absent: 3,500. */
  readonly proofMs?: number;
  /** The prefix of our references. */
  readonly prefix: string;
  /** References of our wallet's orders on the exchange, oldest first. */
  references(): readonly string[];
  /** Places an order with this reference in our wallet, as another program would. */
  placeAs(reference: string, market: MarketControl): Promise<void>;
  /** Ids of orders that are not ours. */
  foreignOrders(): readonly number[];
  /** The calls so far, where the stage keeps them. */
  readonly calls?: () => readonly SentCall[];
  /** The gateway's notices. */
  notices(): readonly { readonly kind: string }[];
}

/** The strategies of a run over the wire: the second has a name that no reference holds whole. */
export const STRATEGIES = ['case', 'a strategy whose name is longer than any reference of any exchange will ever be'];

export type OpenStage = () => Promise<Stage>;

export function at(price: number) {
  const tick = tickOfDecimal(price);
  if (tick === undefined) throw new Error(`${price} is not on the ladder`);
  return tick;
}

export function units(amount: number): Money {
  return money(Math.round(amount * 1e6));
}

/** Ten For at 2.0 on outcome 0 of market 0, except for the given changes. */
export function order(
  client: number,
  change: Partial<OrderRequest> & { price?: number; units?: number } = {},
): OrderRequest {
  const { price = 2, units: stake = 10, ...rest } = change;
  return {
    ...{ client, strategy: 0, wallet: 0, market: 0, outcome: 0, side: 'For', tick: at(price), stake: units(stake) },
    ...{ keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' },
    ...rest,
  };
}

/** A stage with functions that most cases need. */
export class Scene {
  readonly stage: Stage;
  readonly markets: readonly MarketControl[];

  constructor(stage: Stage, markets: readonly MarketControl[]) {
    this.stage = stage;
    this.markets = markets;
  }

  get gateway(): Gateway {
    return this.stage.gateway;
  }

  get traits(): ExchangeTraits {
    return this.stage.traits ?? BETDEX_TRAITS;
  }

  get market(): MarketControl {
    const [market] = this.markets;
    if (market === undefined) throw new Error('the scene has no market');
    return market;
  }

  /** The reply of a request, letting time pass until it comes. */
  async reply<T>(asked: Observable<T>): Promise<T> {
    const answers: T[] = [];
    let isOver = false;
    asked.subscribe({ next: (answer) => answers.push(answer), complete: () => (isOver = true) });
    await this.stage.until(() => isOver, 'a reply');
    if (answers.length !== 1) throw new Error(`${answers.length} replies instead of one`);
    return answers[0] as T;
  }

  /** Places orders that must all be accepted; returns their reports. */
  async place(...batch: readonly OrderRequest[]): Promise<readonly OrderReport[]> {
    const reply = await this.reply(this.gateway.place(batch));
    if (reply.kind !== 'placed') throw new Error(`not placed: ${JSON.stringify(reply)}`);
    return reply.items.map((item) => {
      if (item.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(item)}`);
      return item.report;
    });
  }

  messages<K extends FeedMessage['kind']>(kind: K): Extract<FeedMessage, { readonly kind: K }>[] {
    return this.stage.said.filter((each): each is Extract<FeedMessage, { readonly kind: K }> => each.kind === kind);
  }

  reports(client: number): OrderReport[] {
    return this.messages('order')
      .map((message) => message.order)
      .filter((report) => report.client === client);
  }

  /** Waits until the feed reports an order in this status. */
  async reported(client: number, status: string): Promise<OrderReport> {
    const found = () => this.reports(client).findLast((report) => report.status === status);
    await this.stage.until(() => found() !== undefined, `order ${client} ${status}`);
    return found() as OrderReport;
  }

  /** The first market's state as the gateway shows it. */
  get seen(): MarketState {
    return this.state(0);
  }

  /** The state of a market, by the order in which the markets were made. */
  state(index: number): MarketState {
    const id = this.markets[index]?.id;
    const message = this.messages('market').find(({ market }) => market.facts.id === id);
    if (message === undefined) throw new Error(`market ${index} was not reported`);
    return message.market;
  }

  /** Waits for a message about the first market after which the condition holds. */
  async sees(condition: (market: MarketState) => boolean, what: string): Promise<void> {
    await this.stage.until(() => condition(this.seen), what);
  }
}

type Act = (scene: Scene) => Promise<void>;

/** Adds cases, each on a stage of its own: `on` with one market, `onMarkets` with a market for each of these terms. */
interface Cases {
  readonly on: (name: string, act: Act) => void;
  readonly onMarkets: (terms: readonly Partial<MarketTerms>[], name: string, act: Act) => void;
}

/** A part of the suite: cases that run on any gateway. */
export function describeCases(add: (cases: Cases) => void): (open: OpenStage) => void {
  return describeCasesWith<undefined>(add);
}

/** The same of cases that differ by what the exchange is told. */
export function describeCasesWith<Told = undefined>(
  add: (cases: Cases, told: Told) => void,
): (open: OpenStage, ...told: Told extends undefined ? [] : [Told]) => void {
  return (open, ...[told]) => {
    const onMarkets: Cases['onMarkets'] = (terms, name, act) => it(name, () => play(open, terms, act));
    add({ onMarkets, on: (name, act) => onMarkets([{}], name, act) }, told as Told);
  };
}

/** A part of the suite that an adapter under construction is not ready for: its cases are skipped, and say why. */
export function describeLeftOut(part: string, body: () => void): void {
  describe.skip(`${part} [left out: the adapter is under construction]`, body);
}

/** Opens a stage whose markets the gateway has listed, runs the case, and closes the stage even if the case fails. */
async function play(open: OpenStage, terms: readonly Partial<MarketTerms>[], act: Act): Promise<void> {
  const stage = await open();
  try {
    const markets: MarketControl[] = [];
    for (const each of terms) markets.push(await stage.market(each));
    stage.listen();
    const scene = new Scene(stage, markets);
    const listed = () => new Set(scene.messages('market').map(({ market }) => market.facts.id)).size;
    await stage.until(() => listed() === markets.length, 'the markets');
    await act(scene);
  } finally {
    await stage.close();
  }
}
