/**
 * The least that a bot and its exchange do in one recorded market: the bound of the row `replay-active`. Book, overlay, views and
 * strategy are the real ones; beside them stands what matched by outcome, and nothing else: no exchange (ids, funds, trades,
 * events, settlement, commission), no risk, no ledger, no reports, no clock, no journal, no result, and an order that is over is
 * forgotten.
 */

import { defined } from '../../src/core/checks/assert.ts';
import type { Intent, PlaceIntent } from '../../src/core/intent.ts';
import {
  type InPlayStatus,
  type MarketFacts,
  type MarketStatus,
  type OutcomeStatus,
  type WinnersRange,
  winnersOfCount,
} from '../../src/core/market.ts';
import type { MarketState } from '../../src/core/market-state.ts';
import { decimalOfTick, NO_TICK, priceOfTick, type Tick, tick, tickOfDecimal } from '../../src/core/number/ladder.ts';
import { type Instant, type Money, moneyToDecimal, type Price, profitAt } from '../../src/core/number/units.ts';
import type { OrderStatus } from '../../src/core/order.ts';
import { crosses, FOR, oppositeIndex, type Side, type SideIndex, sideIndex } from '../../src/core/side.ts';
import { DEFINITION, type PendingUpdate } from '../../src/recording/segment/update.ts';
import type { RecordedDefinition } from '../../src/recording/tape/definition.ts';
import { applyUpdate } from '../../src/simulator/overlay/apply-update.ts';
import { fillRulesOf } from '../../src/simulator/overlay/fill-rules.ts';
import { OverlayLiquidity } from '../../src/simulator/overlay/overlay-liquidity.ts';
import { OwnOrders } from '../../src/simulator/overlay/own-orders.ts';
import { RecordedBook } from '../../src/simulator/overlay/recorded-book.ts';
import type { RecordedMarket } from '../../src/simulator/replay/played-market.ts';
import type { DecideInput, StrategyPlugin } from '../../src/strategy/contract.ts';
import { stakeOfDecimal } from '../../src/strategy/stake-step.ts';
import { createMarketView } from '../../src/strategy/views/market-view.ts';
import { ViewGate } from '../../src/strategy/views/view-gate.ts';
import type { MarketView, OrderView, PositionView } from '../../src/strategy/views/views.ts';
import { claim } from './figure.ts';
import { REQUEST_MS } from './replay-run.ts';

/** Slots of resting orders: the strategy has few at once. */
const SLOTS = 1024;

type Decide = (input: DecideInput) => readonly Intent[];

class BareOrder implements OrderView {
  readonly stakeMin = undefined;
  readonly payoutMin = undefined;
  readonly id: number;
  readonly outcome: number;
  readonly sideIndex: SideIndex;
  readonly tick: Tick;
  readonly placedAt: number;
  readonly mayRest: boolean;
  readonly unknown = false;
  readonly cancelling = false;
  left: Money;
  isOver = false;
  status: OrderStatus | undefined;
  inFlight: 'place' | 'cancel' | undefined = 'place';
  readonly #intent: PlaceIntent;

  constructor(id: number, intent: PlaceIntent, outcome: number, at: number) {
    this.id = id;
    this.outcome = outcome;
    this.sideIndex = sideIndex(intent.side);
    this.tick = defined(tickOfDecimal(intent.price), 'the strategy names prices of the ladder');
    this.left = defined(stakeOfDecimal(intent.stake), 'the strategy names stakes that can be placed');
    this.placedAt = at;
    this.mayRest = intent.matchBehavior !== 'CancelUnmatched';
    this.#intent = intent;
  }

  get note(): string | undefined {
    return this.#intent.note;
  }
  get marketId(): string {
    return this.#intent.market;
  }
  get outcomeId(): string {
    return this.#intent.outcome;
  }
  get side(): Side {
    return this.#intent.side;
  }
  get price(): number {
    return decimalOfTick(this.tick);
  }
  get stake(): number {
    return this.#intent.stake;
  }
  get stakeMatched(): number {
    return this.stake - this.stakeUnmatched;
  }
  get stakeUnmatched(): number {
    return moneyToDecimal(this.left);
  }
  get stakeVoided(): number {
    return 0;
  }
  get averagePrice(): number | undefined {
    return undefined;
  }
}

interface Call {
  readonly at: number;
  readonly order: BareOrder;
  readonly isCancel: boolean;
}

/** What a replay came to. */
export interface BareEnd {
  readonly updates: number;
  readonly orders: number;
  readonly cancels: number;
  readonly fills: number;
  readonly stake: number;
}

export class BareMarket implements MarketState, PositionView {
  readonly index = 0;
  readonly published = true;
  readonly inPlayDelayMs = 0;
  readonly lockAt = undefined;
  readonly crossMatching = false;
  readonly facts: MarketFacts;
  status: MarketStatus = 'Initializing';
  inPlayStatus: InPlayStatus = 'NotApplicable';
  suspended = false;
  updatedAt = 0 as Instant;
  readonly #definitions: readonly RecordedDefinition[];
  #definition: RecordedDefinition | undefined;
  readonly #book: RecordedBook;
  readonly #model: OverlayLiquidity;
  readonly #models: readonly OverlayLiquidity[];
  readonly #decide: Decide;
  readonly #gate = new ViewGate();
  readonly #input: DecideInput & { now: number };
  readonly #outcomeById: ReadonlyMap<string, number>;
  readonly #win: Float64Array;
  readonly #lose: Float64Array;
  readonly #orders: BareOrder[] = [];
  readonly #bySlot: (BareOrder | undefined)[] = [];
  readonly #calls: (Call | undefined)[] = [];
  #arrived = 0;
  readonly #level: { outcome: number; side: SideIndex; tick: number } = { outcome: 0, side: FOR, tick: 0 };
  #taker: BareOrder | undefined;
  #price = 0 as Price;
  #updates = 0;
  #sent = 0;
  #cancels = 0;
  #fills = 0;
  #stake = 0;

  constructor({ facts, definitions }: RecordedMarket, plugin: StrategyPlugin) {
    const { length } = facts.outcomes;
    this.facts = facts;
    this.#definitions = definitions;
    this.#outcomeById = new Map(facts.outcomes.map(({ id }, outcome) => [id, outcome]));
    this.#book = new RecordedBook(length);
    const rules = fillRulesOf('central');
    this.#model = new OverlayLiquidity({ book: this.#book, orders: new OwnOrders(), rules, sink: this });
    this.#models = [this.#model];
    this.#win = new Float64Array(length);
    this.#lose = new Float64Array(length);
    this.#decide = defined(plugin.decide, 'the strategy decides call by call') as Decide;
    this.#input = inputOf(createMarketView(this, this.#gate), this, this.#orders);
  }

  get end(): BareEnd {
    const [updates, orders, cancels] = [this.#updates, this.#sent, this.#cancels];
    return { updates, orders, cancels, fills: this.#fills, stake: this.#stake };
  }

  outcomeStatus(outcome: number): OutcomeStatus {
    return this.#definition?.outcomes[outcome]?.status ?? 'Hidden';
  }
  bestTick(outcome: number, side: SideIndex): number {
    return this.#model.bestTick(outcome, side);
  }
  nextTick(outcome: number, side: SideIndex, from: number): number {
    return this.#model.nextTick(outcome, side, from);
  }
  amountAt(outcome: number, side: SideIndex, at: number): Money {
    return this.#model.amountAt(outcome, side, at);
  }
  traded(outcome: number): Money {
    return this.#book.traded(outcome);
  }
  tradedAt(outcome: number, at: number): Money {
    return this.#book.tradedAt(outcome, at);
  }
  startingPrice(): undefined {
    return undefined;
  }
  lastPrice(outcome: number): Price | undefined {
    const last = this.#book.lastTick(outcome);
    return last < 0 ? undefined : priceOfTick(tick(last));
  }

  get winners(): WinnersRange {
    return winnersOfCount(this.#definition?.winnerCount ?? 1, this.facts.outcomes.length);
  }

  get isFlat(): boolean {
    return this.#stake === 0;
  }
  get worstLoss(): number {
    return 0;
  }
  profitIfWins(id: string): number {
    const winner = this.#outcomeById.get(id);
    let total = 0;
    for (let i = 0; i < this.#win.length; i += 1) total += (i === winner ? this.#win[i] : this.#lose[i]) ?? 0;
    return moneyToDecimal(total as Money);
  }
  matched(): { readonly stake: number; readonly averagePrice: number | undefined } {
    return { stake: 0, averagePrice: undefined };
  }

  /** What has arrived by then, the update, and what the strategy wants. */
  play(update: PendingUpdate): void {
    const at = update.publishedAt;
    this.#updates += 1;
    for (
      let call = this.#calls[this.#arrived];
      call !== undefined && call.at <= at;
      call = this.#calls[this.#arrived]
    ) {
      this.#calls[this.#arrived] = undefined;
      this.#arrived += 1;
      this.#arrive(call);
    }
    if (update.isDefinition) this.#define(update);
    this.updatedAt = at;
    applyUpdate(this.#book, this.#models, update);
    if (update.isDefinition) return;
    this.#input.now = at;
    this.#gate.open();
    const intents = this.#decide(this.#input);
    this.#gate.close();
    for (let i = 0; i < intents.length; i += 1) this.#send(intents[i], at);
  }

  filled(_maker: number, stake: Money): void {
    this.#match(defined(this.#taker, 'somebody takes'), stake, this.#price);
  }

  fillResting(slot: number, stake: Money): void {
    const order = defined(this.#bySlot[slot], 'a resting order has its slot');
    this.#model.reduce(slot, stake);
    this.#match(order, stake, priceOfTick(order.tick));
    if (order.left === 0) this.#forget(order);
  }

  #send(intent: Intent | undefined, at: number): void {
    if (intent?.kind === 'place') {
      const outcome = defined(this.#outcomeById.get(intent.outcome), 'the strategy names outcomes of its market');
      this.#sent += 1;
      const order = new BareOrder(this.#sent, intent, outcome, at);
      this.#orders.push(order);
      this.#calls.push({ at: at + REQUEST_MS, order, isCancel: false });
      return;
    }
    claim(intent?.kind === 'cancel', 'the strategy places and cancels');
    const order = defined(
      this.#orders.find(({ id }) => id === intent.order),
      'the strategy cancels orders of its own',
    );
    order.inFlight = 'cancel';
    this.#cancels += 1;
    this.#calls.push({ at: at + REQUEST_MS, order, isCancel: true });
  }

  #arrive({ order, isCancel }: Call): void {
    if (order.isOver) return;
    if (isCancel) {
      this.#model.withdraw(order.id % SLOTS);
      this.#forget(order);
      return;
    }
    const isOpen = this.status === 'Open' && !this.suspended && this.outcomeStatus(order.outcome) === 'Active';
    if (!isOpen) return this.#forget(order);
    this.#take(order);
    order.status = 'Unmatched';
    order.inFlight = undefined;
    if (order.left === 0 || !order.mayRest) return this.#forget(order);
    const slot = order.id % SLOTS;
    this.#bySlot[slot] = order;
    this.#model.rest({ slot, outcome: order.outcome, side: order.sideIndex, tick: order.tick, stake: order.left });
  }

  #take(order: BareOrder): void {
    const level = this.#level;
    level.outcome = order.outcome;
    level.side = oppositeIndex(order.sideIndex);
    this.#taker = order;
    while (order.left > 0) {
      const best = this.#model.bestTick(order.outcome, level.side);
      if (best === NO_TICK || !crosses(order.sideIndex, order.tick, best)) return;
      level.tick = best;
      this.#price = priceOfTick(tick(best));
      this.#model.consume(level, order.left, this);
    }
  }

  #match(order: BareOrder, stake: Money, price: Price): void {
    const { outcome } = order;
    const sign = order.sideIndex === FOR ? 1 : -1;
    order.left = (order.left - stake) as Money;
    this.#win[outcome] = (this.#win[outcome] ?? 0) + sign * profitAt(stake, price);
    this.#lose[outcome] = (this.#lose[outcome] ?? 0) - sign * stake;
    this.#fills += 1;
    this.#stake += stake;
  }

  #forget(order: BareOrder): void {
    order.isOver = true;
    this.#orders.splice(this.#orders.indexOf(order), 1);
  }

  #define(update: PendingUpdate): void {
    const { count, kind, amount } = update.columns();
    for (let i = 0; i < count && kind[i] === DEFINITION; i += 1) {
      const definition = defined(this.#definitions[amount[i] ?? 0], 'the tape has its definitions');
      const { status, suspended, inPlayStatus } = definition;
      this.#definition = definition;
      this.status = status;
      this.suspended = suspended;
      this.inPlayStatus = inPlayStatus;
      if (status === 'Open' && !suspended) this.#model.resume();
      else this.#model.pause();
      const isOver = status === 'Settled' || status === 'Voided';
      for (const order of [...this.#orders]) {
        if (isOver || this.outcomeStatus(order.outcome) === 'Removed') this.#void(order);
      }
      if (isOver) this.#model.release();
    }
  }

  #void(order: BareOrder): void {
    if (order.status !== undefined) this.#model.withdraw(order.id % SLOTS);
    this.#forget(order);
  }
}

function inputOf(
  market: MarketView,
  position: PositionView,
  orders: readonly OrderView[],
): DecideInput & { now: number } {
  return {
    why: 'prices',
    market,
    markets: { get: () => undefined, all: () => [market] },
    orders,
    position,
    linked: [],
    wallet: { balance: 0, balanceAvailable: 0 },
    params: {},
    state: undefined,
    now: 0,
    signal: () => undefined,
    plot: () => undefined,
  };
}
