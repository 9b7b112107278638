/** What must hold at every instant of a simulated life, whatever went wrong: each law by a routine of its own. */

import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import type { Money } from '../../../src/core/number/units.ts';
import { isLive } from '../../../src/core/order.ts';
import type { JournalRecord } from '../../../src/core/run/journal.ts';
import type { TradingState } from '../../../src/core/run/trading-state.ts';
import type { WireReply, WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import type { BotLife } from './bot-life.ts';
import type { ExchangeWorld } from './exchange-world.ts';
import { unknownTo } from './exposure-law.ts';
import { FalseTold } from './false-told.ts';
import { isGuest } from './guest-strategies.ts';
import { isOn } from './hardships.ts';
import { type Holding, LimitLaw } from './limit-law.ts';
import type { Made } from './lossy-wire.ts';
import type { OddLaw } from './odd-law.ts';
import { cancelledIn, OwnOrders, type OwnPlaced } from './own-orders.ts';
import type { PriceLaw } from './price-law.ts';
import type { Scenario } from './scenario.ts';
import { brokenStanding } from './standing-law.ts';
import { DUST, held, lossAlone, worstLoss } from './true-exposure.ts';
import { Violation } from './violation.ts';

/** What the exchange holds of a wallet besides its orders is read with its positions. */
const BOOKS: ReadonlySet<Operation> = new Set(['listWalletPositions', 'listAllPositions', 'listMarketPositions']);

/** Three comparisons, and the reading of the books. */
const FOUND_OUT_MS = 40_000;
const PROVEN_ABSENT = 'PROVEN_ABSENT';
const NO_STAKE = 0 as Money;
/** Journal records of one instant: more come from a bot that repeats itself while no time goes by. */
const AT_ONCE_MAX = 5_000;

type Sent = JournalRecord & { readonly kind: 'sent' };

export interface LawBookParts {
  readonly exchange: ExchangeWorld;
  readonly scenario: Pick<Scenario, 'limits' | 'bot'>;
  readonly run: string;
  /** The references of the new orders in a request. */
  readonly referencesIn: (request: WireRequest) => readonly string[];
  readonly prices?: PriceLaw;
  readonly odd?: (orders: OwnOrders) => OddLaw;
}

export class LawBook {
  readonly orders: OwnOrders;
  /** Durable before any byte of the order left. */
  readonly sent = new Map<number, Sent>();
  readonly #exchange: ExchangeWorld;
  readonly #referencesIn: LawBookParts['referencesIn'];
  readonly #money: number;
  /** Exchange order by number: durable, and of the process that lives. */
  readonly #adopted = new Set<number>();
  readonly #adoptedNow = new Set<number>();
  readonly #limits: LimitLaw;
  /** Requests of new orders by the number in them: whether the exchange refused its session, and nothing else. */
  readonly #left = new Map<number, 'sent' | 'unauthorised'>();
  /** Cancellations that the living process asked for. */
  readonly cancelled = new Set<number>();
  /** The exchange's books must be read before the next order. */
  #needsBooks = true;
  /** Numbers in requests that the exchange was given, and those that it was given twice. */
  readonly #given = new Set<number>();
  readonly #givenTwice = new Set<number>();
  /** Of these, the orders whose refusal was reported to the bot, and when. */
  readonly #refused = new Map<number, number>();
  readonly #prices: PriceLaw | undefined;
  readonly #falsely: FalseTold;
  readonly #odd: OddLaw | undefined;
  /** By name, as the durable records say. */
  readonly haltedStrategies = new Set<string>();
  /** The process that lives has slept so long. */
  sleptMs = 0;
  /** As the durable records say. */
  #trading: TradingState = 'running';
  /** Records of the newest instant. */
  #atOnce = { at: 0, records: 0 };
  first: Violation | undefined;

  constructor(parts: LawBookParts) {
    this.#exchange = parts.exchange;
    this.#referencesIn = parts.referencesIn;
    this.orders = new OwnOrders(parts.exchange, parts.run);
    this.#limits = new LimitLaw({
      ...parts,
      ...{ orders: this.orders, strategyOf: (client) => this.sent.get(client)?.strategy },
      fail: (what) => this.fail('no limit exceeded', what),
    });
    this.#prices = parts.prices;
    this.#odd = parts.odd?.(this.orders);
    this.#falsely = new FalseTold(parts.scenario.bot.reconcile.lastingAfter);
    this.#money = this.#exchange.moneyOfAll();
  }

  fail(law: string, what: string): void {
    this.first ??= new Violation(law, what);
  }

  appended(record: JournalRecord, life: BotLife): void {
    this.#count();
    if (record.kind === 'adopted') this.#adoptedNow.add(this.#exchange.orderOf(record.order));
    if (record.kind === 'rejected' && record.code !== PROVEN_ABSENT && this.#givenTwice.has(record.client))
      this.#refused.set(record.client, this.#exchange.context.now());
    if (record.kind === 'reported') this.orders.told(record);
    if (record.kind === 'cancelSent') this.cancelled.add(record.client);
    if (record.kind === 'phase' && record.to === 'recovering') this.#needsBooks = true;
    if (record.kind === 'strategyHalted' && !isGuest(record.strategy)) this.fail('nothing throws', record.details);
    if (record.kind === 'sent' && isOn('slow')) this.#mayRestOnPrices(record.market, life);
  }

  #mayRestOnPrices(market: string, life: BotLife): void {
    // A bot that checks the date before each input has no excuse.
    const sleptMs = isOn('pauses') ? undefined : this.sleptMs;
    const broken = this.#prices?.broken(market, this.#exchange.context.now(), sleptMs);
    if (broken !== undefined) this.fail('prices are fresh', broken);
    const untrue = this.#prices?.untrue(market, this.#exchange.context.now(), life);
    if (untrue !== undefined) this.fail(...untrue);
  }

  /** The exchange was given a request, whatever it made of it. */
  carriedOut(operation: Operation, request: WireRequest, status: number): void {
    if (operation === 'cancelOrders' && status === 200) this.#notCancelled(request);
    if (operation !== 'createOrders' || status === 401) return;
    for (const client of this.#clientsIn(request))
      (this.#given.has(client) ? this.#givenTwice : this.#given).add(client);
  }

  /** The answer shows what lives on: the side that wanted it cancelled sees that, and may ask again. */
  ignored(request: WireRequest): void {
    for (const order of cancelledIn(request, this.#exchange))
      this.cancelled.delete(this.orders.byOrder.get(order)?.client ?? 0);
    this.#notCancelled(request);
  }

  #notCancelled(request: WireRequest): void {
    for (const order of cancelledIn(request, this.#exchange)) {
      const status = this.#exchange.machine.order(order)?.status;
      if (status !== undefined && isLive(status)) this.#falsely.cancelledInVain(order);
    }
  }

  /** An answer says so of orders that live. */
  toldFalsely(orders: readonly string[]): void {
    for (const id of orders) {
      const order = this.#exchange.orderOf(Number(id));
      const placed = this.orders.byOrder.get(order);
      const matched = held(this.#exchange.machine, order)?.matched ?? 0;
      if (placed !== undefined)
        this.#falsely.told(order, placed.market, { now: this.#exchange.context.now(), matched });
    }
  }

  /** Thrown, because an endless loop can be ended by nothing else. */
  #count(): void {
    const at = this.#exchange.context.now();
    this.#atOnce = { at, records: at === this.#atOnce.at ? this.#atOnce.records + 1 : 1 };
    if (this.#atOnce.records <= AT_ONCE_MAX) return;
    this.fail('time goes by', `more than ${AT_ONCE_MAX} records were written at one instant`);
    throw this.first;
  }

  /** The process was given an answer. */
  heard(operation: Operation, request: WireRequest, reply: WireReply, made: Made): void {
    if (reply.kind !== 'reply') return;
    this.#prices?.heard(operation, request, reply, made);
    this.#falsely.heard(operation, request, reply, made.at);
    if (reply.status === 200 && BOOKS.has(operation)) this.booksRead();
    if (operation === 'createOrders' && reply.status === 401) this.unauthorised(request);
  }

  /** What the exchange holds of a wallet was read. */
  booksRead(): void {
    this.#needsBooks = false;
  }

  /** The exchange refused the session of new orders, and nothing else: they may leave with another one. */
  unauthorised(request: WireRequest): void {
    for (const client of this.#clientsIn(request)) this.#left.set(client, 'unauthorised');
  }

  /** Law 9: what stopped the run outlives the process. */
  began(life: BotLife): void {
    this.#odd?.began();
    const { trading } = life.status();
    if (trading !== this.#trading)
      this.fail('a halt outlives the process', `the journal says ${this.#trading}, the new process is ${trading}`);
  }

  /** Foreign orders that are live in open markets and that the bot has not adopted. */
  unadopted(): readonly number[] {
    return [...this.orders.byOrder.values()].flatMap(({ client, order, market }) => {
      if (client > 0 || this.#adoptedNow.has(order)) return [];
      const status = this.#exchange.machine.order(order)?.status;
      const isOpen = this.#exchange.statusOf(market) === 'Open';
      return isOpen && status !== undefined && isLive(status) ? [this.#exchange.orderIdOf(order)] : [];
    });
  }

  /** Whether others traded in our wallets where the bot never took it in: what that brought is no result of the run. */
  hasUnseenStrays(): boolean {
    for (const { client, order } of this.orders.byOrder.values())
      if (client === 0 && !this.#adoptedNow.has(order)) return true;
    return false;
  }

  /** Orders of the run that live in open markets, or in any. */
  live(where: 'open' | 'anywhere' = 'open'): readonly number[] {
    return [...this.orders.byClient.keys()].filter((client) => this.#livesOn(client, where));
  }

  /** Whether nothing that the run knows of lives, in whatever market: then it takes its heartbeat away. */
  isClear(): boolean {
    const adopted = [...this.#adoptedNow].some((order) => {
      const view = this.#exchange.machine.order(order);
      return view !== undefined && isLive(view.status) && !this.#exchange.isOver(view.market);
    });
    return !adopted && this.live('anywhere').length === 0;
  }

  /** Orders of the run, or of a strategy, that is halted, where they can be cancelled. */
  liveThoughHalted(): readonly number[] {
    if (this.#trading === 'halted') return this.live();
    if (this.haltedStrategies.size === 0) return [];
    return this.live().filter((client) => this.haltedStrategies.has(this.sent.get(client)?.strategy ?? ''));
  }

  #livesOn(client: number, where: 'open' | 'anywhere' = 'open'): boolean {
    const placed = this.orders.byClient.get(client);
    const status = placed && this.#exchange.machine.order(placed.order)?.status;
    if (placed === undefined || status === undefined) return false;
    if (where === 'anywhere') return isLive(status) && !this.#exchange.isOver(placed.market);
    return isLive(status) && this.#exchange.statusOf(placed.market) === 'Open';
  }

  /**
   * Orders whose cancellation the living process asked for, and that live on where they could be cancelled. Those in
   * a market that was not open then, and opened again, are left out: what wanted their end must ask for it again.
   */
  uncancelled(): readonly number[] {
    return [...this.cancelled].filter((client) => {
      const market = this.orders.byClient.get(client)?.market ?? -1;
      return this.#livesOn(client) && !this.orders.openedAt.has(market);
    });
  }

  committed(records: readonly JournalRecord[]): void {
    for (const record of records) {
      if (record.kind === 'adopted') this.#adopted.add(this.#exchange.orderOf(record.order));
      if (record.kind === 'trading') this.#trading = record.to;
      if (record.kind === 'strategyHalted') this.haltedStrategies.add(record.strategy);
      if (record.kind === 'strategyLoaded') this.haltedStrategies.delete(record.strategy);
      if (record.kind !== 'sent') continue;
      if (this.sent.has(record.client)) this.fail('none doubled', `number ${record.client} was given out twice`);
      this.sent.set(record.client, record);
    }
  }

  died(): void {
    this.#adoptedNow.clear();
    this.cancelled.clear();
    this.#needsBooks = true;
    this.#prices?.died();
    this.#falsely.died();
    this.sleptMs = 0;
    for (const order of this.#adopted) this.#adoptedNow.add(order);
  }

  /** Law 3 and 6: bytes of new orders are about to leave. */
  placing(life: BotLife, request: WireRequest): void {
    for (const client of this.#clientsIn(request)) {
      if (!this.sent.has(client)) this.fail('journal before bytes', `order ${client} leaves without a durable record`);
      if (this.#left.get(client) === 'sent') this.fail('none doubled', `order ${client} leaves a second time`);
      this.#left.set(client, 'sent');
    }
    if (this.#needsBooks) this.fail('no order while not ready', 'an order leaves before the books were read');
    const orders = this.#clientsIn(request).flatMap((client) => this.sent.get(client) ?? []);
    const found = [...brokenStanding(life.standing(), orders), ...(this.#odd?.placing(orders) ?? [])];
    for (const broken of found) this.fail(...broken);
  }

  #clientsIn(request: WireRequest): readonly number[] {
    return this.#referencesIn(request).map((reference) => this.orders.clientOf(reference));
  }

  /** After an event: what it touched. */
  look(life: BotLife | undefined): void {
    if (this.orders.doubled !== undefined)
      this.fail('none doubled', `two orders of number ${this.orders.doubled.client}`);
    for (const placed of this.orders.takeFresh()) this.#came(placed);
    if (this.orders.touched.size === 0) return;
    const touched = [...this.orders.touched];
    this.orders.touched.clear();
    for (const market of touched) this.#lookAt(market, life);
  }

  /** Everything at once. */
  lookAtAll(life: BotLife | undefined): void {
    for (const market of this.orders.byMarket.keys()) this.#lookAt(market, life);
    if (this.#areAllTold()) this.#limits.lookAtSums();
    for (const broken of this.#odd?.resting() ?? []) this.fail(...broken);
  }

  /** Law 8, at the end: it is slow. */
  conserved(): void {
    const [broken] = this.#exchange.machine.brokenLaws();
    if (broken !== undefined) this.fail('money conserved', broken);
    const now = this.#exchange.moneyOfAll();
    if (now !== this.#money) this.fail('money conserved', `all wallets together went from ${this.#money} to ${now}`);
  }

  /** Law 3 and 4: what came to be is what was approved. */
  #came({ order, client }: OwnPlaced): void {
    if (client === 0) return;
    const view = this.#exchange.machine.order(order);
    const sent = this.sent.get(client);
    if (view === undefined) return;
    if (sent === undefined) return this.fail('journal before bytes', `order ${client} exists without a durable record`);
    const isSame =
      sent.market === this.#exchange.marketIdOf(view.market) &&
      sent.outcome === this.#exchange.outcomeIdOf(view.market, view.outcome) &&
      sent.side === view.side &&
      sent.tick === view.tick &&
      sent.stake === view.stake;
    if (!isSame) this.fail('none doubled', `order ${client} is not what was approved`);
    const most = this.#limits.order;
    if (most !== undefined && lossAlone(view) > most + DUST && !this.#mayHedge(view.market))
      this.fail('no limit exceeded', `order ${client} alone can lose ${lossAlone(view)}`);
  }

  /** An order may be larger than its limit where it is a hedge: then something is held in the market before it, or was until it became void. */
  #mayHedge(market: number): boolean {
    return this.#isShaken(market) || this.orders.heldIn(market).some(({ matched }) => matched > 0);
  }

  #lookAt(market: number, life: BotLife | undefined): void {
    const results = this.#exchange.resultsOf(market);
    const all = this.#exchange.isOver(market) ? [] : this.#shown(this.orders.heldIn(market));
    if (results === undefined || all === undefined || all.length === 0) return;
    if (this.#isShaken(market) || all.some(({ placed }) => this.#isLiedAbout(placed.client))) return;
    const known = all.filter(({ placed }) => placed.client > 0 || this.#adoptedNow.has(placed.order));
    const truth = worstLoss(known, results);
    if (this.#isFullyTold(market, known)) this.#limits.lookAt(market, { known, results, truth });
    if (life?.process.isAlive !== true || life.isWaitingFor(market)) return;
    const adopted = this.#adoptedNow;
    for (const broken of unknownTo(life, { exchange: this.#exchange, market, known, truth, adopted }))
      this.fail(...broken);
  }

  /** Without what the bot may take for gone after a report just now; undefined where that is more than can be determined. */
  #shown(all: readonly Holding[]): readonly Holding[] | undefined {
    if (this.#falsely.markets.size === 0) return all;
    const shown: Holding[] = [];
    for (const each of all) {
      const hidden = this.#falsely.hidden(each.placed.order, each.matched);
      if (hidden === 'more') return undefined;
      shown.push(
        hidden === 'nothing'
          ? each
          : { ...each, order: { ...each.order, status: 'Cancelled', stakeUnmatched: NO_STAKE } },
      );
    }
    return shown;
  }

  /**
   * The order's refusal was reported to the bot, though the order exists: a proxy sent it twice, and the second was refused for
   * the funds that the first took. The bot could not know; by comparison with the books it must find out in time.
   */
  #isLiedAbout(client: number): boolean {
    const at = this.#refused.get(client);
    return at !== undefined && this.#exchange.context.now() - at < FOUND_OUT_MS;
  }

  /** Nobody can have known that matched stake would be void; by its readings the bot must find out in time. */
  #isShaken(market: number): boolean {
    const at = this.orders.shakenAt.get(market);
    return at !== undefined && this.#exchange.context.now() - at < FOUND_OUT_MS;
  }

  /**
   * Whether the bot could keep the limits of a market: foreign orders count too, and so do orders that were falsely reported to the
   * bot as refused or ended; what it placed meanwhile was within the limits as far as it could know.
   */
  #isFullyTold(market: number, known: readonly Holding[]): boolean {
    if (this.orders.strayed.has(market) || this.#falsely.markets.has(market)) return false;
    if (this.orders.shakenAt.has(market)) return false;
    return !known.some(({ placed }) => this.#refused.has(placed.client));
  }

  #areAllTold(): boolean {
    if (this.orders.strayed.size + this.orders.shakenAt.size + this.#falsely.markets.size > 0) return false;
    for (const client of this.#refused.keys()) if (this.orders.byClient.has(client)) return false;
    return true;
  }
}
