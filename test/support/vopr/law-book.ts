/** What must hold at every instant of a simulated life, whatever went wrong: each law by a routine of its own. */

import type { JournalRecord } from '../../../src/core/journal.ts';
import { isLive } from '../../../src/core/order.ts';
import type { TradingState } from '../../../src/core/trading-state.ts';
import { moneyFromDecimal } from '../../../src/core/units.ts';
import type { WireReply, WireRequest } from '../../../src/rest/transport.ts';
import { numericId } from '../../../src/sandbox/world/ids.ts';
import type { Operation } from '../../../src/wire/endpoints.ts';
import type { BotLife } from './bot-life.ts';
import { OwnOrders, type OwnPlaced } from './own-orders.ts';
import type { Scenario } from './scenario.ts';
import type { SimulatedExchange } from './simulated-exchange.ts';
import { DUST, type Held, lossAlone, worstLoss } from './true-exposure.ts';

export class Violation extends Error {
  override readonly name = 'Violation';
  readonly law: string;

  constructor(law: string, what: string) {
    super(`${law}: ${what}`);
    this.law = law;
  }
}

/** What the exchange holds of a wallet besides its orders is read with its positions. */
const BOOKS: ReadonlySet<Operation> = new Set(['listWalletPositions', 'listAllPositions', 'listMarketPositions']);

/** Three comparisons, and the reading of the books. */
const FOUND_OUT_MS = 40_000;
const PROVEN_ABSENT = 'PROVEN_ABSENT';
/** Journal records of one instant: more is a bot that asks the same again and again while no time goes by. */
const AT_ONCE_MAX = 5_000;

type Sent = JournalRecord & { readonly kind: 'sent' };
type Holding = Held & { readonly placed: OwnPlaced };

export class LawBook {
  readonly orders: OwnOrders;
  /** Durable before any byte of the order left. */
  readonly sent = new Map<number, Sent>();
  readonly #exchange: SimulatedExchange;
  readonly #scenario: Scenario;
  readonly #money: number;
  /** Exchange order by number: durable, and of the process that lives. */
  readonly #adopted = new Set<number>();
  readonly #adoptedNow = new Set<number>();
  readonly #limit: ReturnType<typeof limitsOf>;
  /** Requests of new orders by the number in them: whether the exchange refused its session, and nothing else. */
  readonly #left = new Map<number, 'sent' | 'unauthorised'>();
  /** Cancellations that the living process asked for. */
  readonly cancelled = new Set<number>();
  /** The exchange's books must be read before the next order. */
  #needsBooks = true;
  /** Orders that the exchange refused, as far as the bot was told, and when. */
  readonly #refused = new Map<number, number>();
  /** As the durable records say. */
  #trading: TradingState = 'running';
  /** Records of the newest instant. */
  #atOnce = { at: 0, records: 0 };
  first: Violation | undefined;

  constructor(parts: { readonly exchange: SimulatedExchange; readonly scenario: Scenario; readonly run: string }) {
    this.#exchange = parts.exchange;
    this.#scenario = parts.scenario;
    this.orders = new OwnOrders(parts.exchange, parts.run);
    this.#limit = limitsOf(parts.scenario);
    this.#money = this.#sumOfWallets();
  }

  fail(law: string, what: string): void {
    this.first ??= new Violation(law, what);
  }

  appended(record: JournalRecord): void {
    this.#count();
    if (record.kind === 'adopted') this.#adoptedNow.add(machineOrder(record.order));
    if (record.kind === 'rejected' && record.code !== PROVEN_ABSENT)
      this.#refused.set(record.client, this.#exchange.desk.now());
    if (record.kind === 'cancelSent') this.cancelled.add(record.client);
    if (record.kind === 'phase' && record.to === 'recovering') this.#needsBooks = true;
    if (record.kind === 'strategyHalted') this.fail('nothing throws', record.details);
  }

  /** Thrown, because whatever goes round without end hears of nothing else. */
  #count(): void {
    const at = this.#exchange.desk.now();
    this.#atOnce = { at, records: at === this.#atOnce.at ? this.#atOnce.records + 1 : 1 };
    if (this.#atOnce.records <= AT_ONCE_MAX) return;
    this.fail('time goes by', `more than ${AT_ONCE_MAX} records were written at one instant`);
    throw this.first;
  }

  /** The process was given an answer. */
  heard(operation: Operation, request: WireRequest, reply: WireReply): void {
    if (reply.kind !== 'reply') return;
    if (reply.status === 200 && BOOKS.has(operation)) this.#needsBooks = false;
    if (operation !== 'createOrders' || reply.status !== 401) return;
    for (const client of this.#clientsIn(request)) this.#left.set(client, 'unauthorised');
  }

  /** Law 9: what stopped the run outlives the process. */
  began(life: BotLife): void {
    const { trading } = life.status();
    if (trading !== this.#trading)
      this.fail('a halt outlives the process', `the journal says ${this.#trading}, the new process is ${trading}`);
  }

  /** Strays that live in open markets and that nobody has taken in. */
  unadopted(): readonly number[] {
    return [...this.orders.byOrder.values()].flatMap(({ client, order, market }) => {
      if (client > 0 || this.#adoptedNow.has(order)) return [];
      const status = this.#exchange.machine.order(order)?.status;
      const isOpen = this.#exchange.statusOf(market) === 'Open';
      return isOpen && status !== undefined && isLive(status) ? [order + 1] : [];
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

  #livesOn(client: number, where: 'open' | 'anywhere' = 'open'): boolean {
    const placed = this.orders.byClient.get(client);
    const status = placed && this.#exchange.machine.order(placed.order)?.status;
    if (placed === undefined || status === undefined) return false;
    if (where === 'anywhere') return isLive(status) && !this.#exchange.isOver(placed.market);
    return isLive(status) && this.#exchange.statusOf(placed.market) === 'Open';
  }

  /** Orders whose cancellation the living process asked for, and that live on where they could be cancelled. */
  uncancelled(): readonly number[] {
    return [...this.cancelled].filter((client) => this.#livesOn(client));
  }

  committed(records: readonly JournalRecord[]): void {
    for (const record of records) {
      if (record.kind === 'adopted') this.#adopted.add(machineOrder(record.order));
      if (record.kind === 'trading') this.#trading = record.to;
      if (record.kind !== 'sent') continue;
      if (this.sent.has(record.client)) this.fail('none doubled', `number ${record.client} was given out twice`);
      this.sent.set(record.client, record);
    }
  }

  died(): void {
    this.#adoptedNow.clear();
    this.cancelled.clear();
    this.#needsBooks = true;
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
    const { phase, trading, heartbeat, heartbeatUntil, marketsOff } = life.standing();
    if (phase !== 'trading') this.fail('no order while not ready', `an order leaves in the phase ${phase}`);
    if (trading === 'halted') this.fail('no order while halted', 'an order leaves while halted');
    if (heartbeat !== undefined && heartbeat !== 'active')
      this.fail('no order without heartbeat', `an order leaves while the heartbeat is ${heartbeat}`);
    if (heartbeatUntil !== undefined && life.process.clock.now() >= heartbeatUntil)
      this.fail('no order without heartbeat', 'an order leaves after the heartbeat ran out');
    for (const client of this.#clientsIn(request)) {
      const market = this.sent.get(client)?.market ?? '';
      if (marketsOff.has(market)) this.fail('no order in a market at risk', `an order leaves for market ${market}`);
    }
  }

  #clientsIn({ body = '{}' }: WireRequest): readonly number[] {
    const { requests = [] }: { readonly requests?: readonly { readonly reference: string }[] } = JSON.parse(body);
    return requests.map(({ reference }) => this.orders.clientOf(reference));
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
    this.#sums();
  }

  /** Law 8, at the end: it is slow. */
  conserved(): void {
    const [broken] = this.#exchange.machine.brokenLaws();
    if (broken !== undefined) this.fail('money conserved', broken);
    const now = this.#sumOfWallets();
    if (now !== this.#money) this.fail('money conserved', `all wallets together went from ${this.#money} to ${now}`);
  }

  /** Law 3 and 4: what came to be is what was approved. */
  #came({ order, client }: OwnPlaced): void {
    if (client === 0) return;
    const view = this.#exchange.machine.order(order);
    const sent = this.sent.get(client);
    if (view === undefined) return;
    if (sent === undefined) return this.fail('journal before bytes', `order ${client} exists without a durable record`);
    const outcome = this.#exchange.world.catalogue.markets.get(view.market)?.outcomes[view.outcome]?.id;
    const isSame =
      sent.market === numericId(view.market) &&
      sent.outcome === outcome &&
      sent.side === view.side &&
      sent.tick === view.tick &&
      sent.stake === view.stake;
    if (!isSame) this.fail('none doubled', `order ${client} is not what was approved`);
    const most = this.#limit.order;
    if (most !== undefined && lossAlone(view) > most + DUST && !this.#mayHedge(view.market))
      this.fail('no limit exceeded', `order ${client} alone can lose ${lossAlone(view)}`);
  }

  /** An order may be larger than its limit where it is a hedge: then something is held in the market before it. */
  #mayHedge(market: number): boolean {
    return this.orders.heldIn(market).some(({ matched }) => matched > 0);
  }

  #lookAt(market: number, life: BotLife | undefined): void {
    const record = this.#exchange.world.catalogue.markets.get(market);
    const all = this.#exchange.isOver(market) ? [] : this.orders.heldIn(market);
    if (record === undefined || all.length === 0) return;
    const outcomes = record.outcomes.length;
    const winners = record.winners.max;
    if (all.some(({ placed }) => this.#isLiedAbout(placed.client))) return;
    const known = all.filter(({ placed }) => placed.client > 0 || this.#adoptedNow.has(placed.order));
    const truth = worstLoss(known, outcomes, winners);
    this.#limits(market, known, outcomes, winners, truth);
    if (life?.process.isAlive === true && !life.isWaitingFor(market)) this.#knows(life, market, known, truth);
  }

  /**
   * The bot was told that the order was refused, though it exists: a proxy sent it twice, and the second was refused for
   * the funds that the first took. Nobody could know; by comparison with the books it must be found out in time.
   */
  #isLiedAbout(client: number): boolean {
    const at = this.#refused.get(client);
    return at !== undefined && this.#exchange.desk.now() - at < FOUND_OUT_MS;
  }

  /** Law 1 and 5. */
  #knows(life: BotLife, market: number, known: readonly Holding[], truth: number): void {
    const { ledger } = life;
    const desk = ledger.deskById(numericId(market));
    if (desk === undefined || !ledger.exposure.isOpen(desk.state.index)) {
      if (truth > DUST)
        this.fail('exposure known', `market ${numericId(market)} is not on the ledger, and can lose ${truth}`);
      return;
    }
    const required = ledger.exposure.requiredInMarket(desk.state.index);
    if (truth > required + DUST)
      this.fail('exposure known', `market ${numericId(market)} can lose ${truth}, and risk knows of ${required}`);
    for (const { placed, order } of known) {
      if (placed.client === 0 || this.#adoptedNow.has(placed.order) || !isLive(order.status)) continue;
      const own = ledger.order(placed.client);
      if (own === undefined || !(own.isLive || own.isAbsent))
        this.fail('none forgotten', `order ${placed.client} is live at the exchange, and not on the ledger`);
    }
  }

  /** Law 2. Orders of others count for what they are, and may be more than any limit. */
  #limits(market: number, all: readonly Holding[], outcomes: number, winners: number, truth: number): void {
    if (this.orders.strayed.has(market)) return;
    // What was placed while nobody knew of such an order was within the limits as far as anybody could know.
    if (all.some(({ placed }) => this.#refused.has(placed.client))) return;
    const { market: most, outcome, ordersPerMarket } = this.#limit;
    if (most !== undefined && truth > most + DUST)
      this.fail('no limit exceeded', `market ${numericId(market)} can lose ${truth}, the limit is ${most}`);
    if (outcome !== undefined)
      for (let each = 0; each < outcomes; each += 1) {
        const on = all.filter(({ order }) => order.outcome === each);
        const worst = on.length === 0 ? 0 : worstLoss(on, outcomes, winners);
        const lost = outcomes === winners ? 0 : worst;
        if (lost > outcome + DUST)
          this.fail('no limit exceeded', `outcome ${each} of market ${numericId(market)} can lose ${lost}`);
      }
    const live = all.filter(({ order }) => isLive(order.status)).length;
    if (ordersPerMarket !== undefined && live > ordersPerMarket)
      this.fail('no limit exceeded', `market ${numericId(market)} has ${live} live orders`);
  }

  /** Law 2 for what adds up over markets. */
  #sums(): void {
    if (this.orders.strayed.size > 0) return;
    for (const client of this.#refused.keys()) if (this.orders.byClient.has(client)) return;
    const { wallet: most, event: eventMost, strategy: strategyMost } = this.#limit;
    const sums = new Map<string, number>();
    const add = (key: string, amount: number) => sums.set(key, (sums.get(key) ?? 0) + amount);
    for (const market of this.orders.byMarket.keys()) {
      const record = this.#exchange.world.catalogue.markets.get(market);
      const all = this.#exchange.isOver(market) ? [] : this.orders.heldIn(market);
      if (record === undefined || all.length === 0) continue;
      const outcomes = record.outcomes.length;
      const winners = record.winners.max;
      add(`event ${record.event}`, worstLoss(all, outcomes, winners));
      for (const [key, some] of groups(all, ({ order }) => `wallet ${order.wallet}`))
        add(key, worstLoss(some, outcomes, winners));
      for (const [key, some] of groups(all, ({ placed }) => `strategy ${this.sent.get(placed.client)?.strategy}`))
        add(key, worstLoss(some, outcomes, winners));
    }
    const limits = { wallet: most, event: eventMost, strategy: strategyMost };
    for (const [key, sum] of sums) {
      const limit = limits[(key.split(' ')[0] ?? 'wallet') as keyof typeof limits];
      if (limit !== undefined && sum > limit + DUST)
        this.fail('no limit exceeded', `${key} can lose ${sum} of ${limit}`);
    }
  }

  #sumOfWallets(): number {
    const { machine } = this.#exchange;
    let sum = 0;
    for (const wallet of machine.inspect().accounts.wallets.keys()) {
      for (const { balance } of machine.wallet(wallet)?.accounts ?? []) sum += balance;
    }
    return sum;
  }

  get scenario(): Scenario {
    return this.#scenario;
  }
}

/** Orders count from 1 on the wire. */
function machineOrder(id: number): number {
  return id - 1;
}

function groups<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = found.get(key);
    if (group === undefined) found.set(key, [item]);
    else group.push(item);
  }
  return found;
}

/** In 10⁻⁶; absent limits stay absent. */
function limitsOf({ limits }: Scenario) {
  const { order, outcome, market, event, strategy, wallet, ordersPerMarket } = limits;
  return {
    ...{ order: micros(order), outcome: micros(outcome), market: micros(market), event: micros(event) },
    ...{ strategy: micros(strategy), wallet: micros(wallet), ordersPerMarket },
  };
}

function micros(decimal: number | undefined): number | undefined {
  return decimal === undefined ? undefined : moneyFromDecimal(decimal);
}
