/** Plays one recorded market live: after each update, real orders of the driver's app show what the recording shows. */

import { defined } from '../../core/checks/assert.ts';
import type { Tick } from '../../core/number/ladder.ts';
import { type Instant, type Money, STAKE_STEP } from '../../core/number/units.ts';
import { AGAINST, crosses, FOR, opposite, oppositeIndex, type SideIndex, sideIndex, sideOf } from '../../core/side.ts';
import type { Command, PlaceRequest } from '../../matching/messages/command.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import type { MarketView } from '../../matching/state/views.ts';
import {
  DEFINITION,
  eventsOf,
  LAST_PRICE,
  LEVEL,
  recordColumns,
  STARTING_PRICE,
  TRADE,
  type UpdateColumns,
} from '../../recording/segment/update.ts';
import type { RecordedDefinition } from '../../recording/tape/definition.ts';
import { isEnded, lifeCommands } from '../../simulator/fill-model/market-life.ts';
import { cellInRow, cellOf, rowOfCell, sideOfRow, tickOfCell } from '../../simulator/overlay/level-cell.ts';
import { RecordedBook } from '../../simulator/overlay/recorded-book.ts';
import { applyChange, type MarketMaker, tryCommand, withoutTime } from './market-maker.ts';
import { shownMarket } from './recorded-facts.ts';
import { LIFE_RULES } from './tape-terms.ts';
import type { TrafficContext } from './traffic.ts';

const NO_TICK = -1;

export class TapePlayer {
  readonly market: number;
  readonly event: number;
  /** The recorded book. Stakes below 0.001 are in it too, although no order can be that small. */
  readonly book: RecordedBook;
  definition: RecordedDefinition | undefined;
  hasEnded = false;
  readonly #context: TrafficContext;
  readonly #maker: MarketMaker;
  readonly #definitions: readonly RecordedDefinition[];
  readonly #clockTime: ((tapeAt: Instant) => Instant) | undefined;
  readonly #levels = new MakerLevels();
  readonly #removed = new Set<number>();
  #ending: RecordedDefinition | undefined;
  /** Levels whose orders may differ from the recording. */
  readonly #outdated = new Set<number>();
  #placing: readonly PlaceRequest[] = [];
  /** The market's state as of its last event. */
  #marketState: Pick<MarketView, 'status' | 'suspended'> = { status: 'Initializing', suspended: false };

  constructor(parts: {
    readonly context: TrafficContext;
    readonly maker: MarketMaker;
    readonly market: number;
    readonly event: number;
    readonly outcomes: number;
    readonly definitions: readonly RecordedDefinition[];
    /** The time at which a time of the tape is played, where what is recorded beside prices and life is shown. */
    readonly clockTime: ((tapeAt: Instant) => Instant) | undefined;
  }) {
    this.#context = parts.context;
    this.#maker = parts.maker;
    this.#definitions = parts.definitions;
    this.#clockTime = parts.clockTime;
    this.market = parts.market;
    this.event = parts.event;
    this.book = new RecordedBook(parts.outcomes);
    this.#marketState = parts.context.world.exchange.market(parts.market) ?? this.#marketState;
  }

  /** Plays one update; returns whether the market's definition changed. */
  apply(update: UpdateColumns): boolean {
    // Trades in a message that also stops the market happened before the stop.
    const wasMatching = this.#isMatching();
    if (wasMatching) this.#tradeAll(update);
    let isDefined = false;
    for (const definition of this.#definitionsIn(update)) {
      this.#define(definition);
      isDefined = true;
    }
    if (!wasMatching) this.#tradeAll(update);
    this.#noteLevels(update);
    this.#adjustOrders();
    if (this.#clockTime !== undefined) this.#show(update, isDefined, this.#clockTime);
    return isDefined;
  }

  /** Takes an update that an earlier run has played already: changes the recorded state only, not the exchange. */
  rehearse(update: UpdateColumns): void {
    for (const definition of this.#definitionsIn(update)) this.#remember(definition);
    recordColumns(update, this.book);
  }

  /** After `rehearse`: finds the orders of the earlier run, and adjusts them to the recording. */
  takeOver(): void {
    for (const order of this.#context.world.exchange.ordersOfMarket(this.market)) {
      if (order.app !== this.#maker.app || order.stakeUnmatched === 0) continue;
      this.#levels.add(order.id, cellOf(order.outcome, sideIndex(order.side), order.tick), order.stakeUnmatched);
    }
    this.#markAllOutdated();
    this.#adjustOrders();
  }

  /** Takes an event of this market or of an order in it. `own`: it belongs to a change of this driver. */
  onEvent(event: ExchangeEvent, own: boolean): void {
    if (event.kind === 'marketChanged') this.#marketState = event;
    if (event.kind === 'orderAccepted' && own && event.app === this.#maker.app) {
      const request = defined(this.#placing[event.item], 'the driver knows what it placed');
      const cell = cellOf(request.outcome, sideIndex(request.side), request.tick);
      this.#levels.add(event.order, cell, request.stake);
    }
    if (event.kind === 'orderReduced') {
      const order = this.#context.world.exchange.order(event.order);
      if (order !== undefined) this.#levels.move(order.id, cellOf(order.outcome, sideIndex(order.side), order.tick));
    }
    if (event.kind !== 'orderChanged') return;
    const cell = this.#levels.setLeft(event.order, event.stakeUnmatched);
    // Stake that others matched is not replaced until the recording next mentions the level.
    if (cell !== undefined && own) this.#outdated.add(cell);
  }

  /** Voids a market whose recording ends before its result: stakes are returned. */
  abandon(): void {
    if (!this.hasEnded) tryCommand(this.#context, { kind: 'void', market: this.market });
    this.hasEnded = true;
  }

  /** Shows what the update says beside prices and life. The recorded last price is shown after trades too, which came at several prices. */
  #show(update: UpdateColumns, isDefined: boolean, clockTime: (tapeAt: Instant) => Instant): void {
    let isNew = isDefined;
    const moved = new Set<number>();
    for (const { kind, outcome } of eventsOf(update)) {
      if (kind === STARTING_PRICE) isNew = true;
      if (kind === TRADE || kind === LAST_PRICE) moved.add(outcome);
    }
    for (const outcome of moved) {
      const tick = this.book.lastTick(outcome);
      if (tick !== NO_TICK)
        tryCommand(this.#context, { kind: 'setLastPrice', market: this.market, outcome, tick: tick as Tick });
    }
    if (!isNew || this.definition === undefined) return;
    applyChange(this.#context, {
      kind: 'showMarket',
      market: this.market,
      shown: shownMarket(this.definition, this.book, clockTime),
    });
  }

  #isMatching(): boolean {
    return this.#marketState.status === 'Open' && !this.#marketState.suspended;
  }

  #define(after: RecordedDefinition): void {
    const removed = this.#removed.size;
    for (const command of this.#remember(after)) tryCommand(this.#context, withoutTime(command));
    // A removal cancels orders that the recording may still show.
    if (this.#removed.size > removed) this.#markAllOutdated();
    if (!this.hasEnded) return;
    // The machine refused the result, such as one without any winner: the market is voided.
    const { status } = this.#marketState;
    if (status === 'Open' || status === 'Locked') tryCommand(this.#context, { kind: 'void', market: this.market });
  }

  /** Returns the commands that the definition asks for. */
  #remember(after: RecordedDefinition): readonly Command[] {
    const change = { before: this.definition, after, ending: this.#ending, removed: this.#removed, rules: LIFE_RULES };
    const commands = lifeCommands(this.market, this.#context.now(), change);
    this.definition = after;
    if (isEnded(after)) this.#ending = after;
    this.hasEnded ||= isEnded(after);
    for (const command of commands) if (command.kind === 'removeOutcome') this.#removed.add(command.outcome);
    return commands;
  }

  #definitionsIn(update: UpdateColumns): readonly RecordedDefinition[] {
    const named = [...eventsOf(update)].filter(({ kind }) => kind === DEFINITION);
    return named.map(({ amount }) => defined(this.#definitions[amount], 'a tape has the definitions it names'));
  }

  #noteLevels(update: UpdateColumns): void {
    for (const { kind, outcome, side, tick } of eventsOf(update))
      if (kind === LEVEL) this.#outdated.add(cellOf(outcome, side === AGAINST ? AGAINST : FOR, tick));
    recordColumns(update, this.book);
  }

  #tradeAll(update: UpdateColumns): void {
    if (!this.#isMatching()) return;
    for (const { kind, outcome, tick, amount } of eventsOf(update))
      if (kind === TRADE) this.#trade(outcome, tick as Tick, wholeSteps(amount));
  }

  /**
   * Executes recorded volume through real matching: a taker of the other side matches what rests at the price or
   * better, of any app. If less rests there than was traded, the difference is matched between two orders of the
   * driver, behind everyone else.
   */
  #trade(outcome: number, tick: Tick, stake: Money): void {
    if (stake === 0) return;
    const { resting, available, isCrossed } = this.#restingAt(outcome, tick);
    const shortfall = (stake - available) as Money;
    const side = sideOf(resting);
    const taker = { ...this.#request(outcome, opposite(side), tick, stake), matchBehavior: 'CancelUnmatched' } as const;
    const tops = shortfall > 0 && !isCrossed;
    this.#place(tops ? [this.#request(outcome, side, tick, shortfall), taker] : [taker]);
  }

  /**
   * The resting side of a trade at a price: the side that showed stake there before the update, else the side that has
   * more stake at the price or better now. `isCrossed`: an order of that side at the price would itself match at once.
   */
  #restingAt(outcome: number, tick: Tick) {
    const rests: [number, number] = [0, 0];
    for (const level of this.#context.world.exchange.prices(this.market)) {
      const side = sideIndex(level.side);
      if (level.outcome === outcome && crosses(oppositeIndex(side), tick, level.tick)) rests[side] += level.amount;
    }
    const resting = this.#displayed(outcome, tick) ?? (rests[FOR] > rests[AGAINST] ? FOR : AGAINST);
    return { resting, available: rests[resting], isCrossed: rests[oppositeIndex(resting)] > 0 };
  }

  #displayed(outcome: number, tick: Tick): SideIndex | undefined {
    const against = this.book.amountAt(outcome, AGAINST, tick);
    const forStake = this.book.amountAt(outcome, FOR, tick);
    if (against === 0 && forStake === 0) return undefined;
    return against >= forStake ? AGAINST : FOR;
  }

  /**
   * Adjusts orders to the recording. Cancels first, so that the driver's orders never match each other. Increases wait
   * while the market does not match.
   */
  #adjustOrders(): void {
    if (this.#outdated.size === 0) return;
    if (this.#marketState.status !== 'Open') return;
    const cancels: number[] = [];
    const rises: PlaceRequest[] = [];
    for (const cell of this.#outdated) {
      const wanted = wholeSteps(this.book.stakeAt(cell));
      const shown = this.#levels.stakeAt(cell);
      if (shown === wanted) continue;
      const { orders, again } = this.#levels.decrease(cell, shown - wanted);
      cancels.push(...orders);
      const rise = shown < wanted ? wanted - shown : again;
      if (rise > 0) rises.push(this.#requestAt(cell, rise as Money));
    }
    this.#outdated.clear();
    if (cancels.length > 0) tryCommand(this.#context, { kind: 'cancel', app: this.#maker.app, orders: cancels });
    if (this.#isMatching()) this.#placeAll(rises);
    else for (const { outcome, side, tick } of rises) this.#outdated.add(cellOf(outcome, sideIndex(side), tick));
  }

  #markAllOutdated(): void {
    for (const cell of this.#levels.cells()) this.#outdated.add(cell);
    for (let row = 0; row < this.book.outcomes * 2; row += 1) {
      let tick = this.book.bestInRow(row);
      for (; tick !== NO_TICK; tick = this.book.worseInRow(row, tick)) this.#outdated.add(cellInRow(row, tick));
    }
  }

  #requestAt(cell: number, stake: Money): PlaceRequest {
    const row = rowOfCell(cell);
    return this.#request(Math.trunc(row / 2), sideOf(sideOfRow(row)), tickOfCell(cell) as Tick, stake);
  }

  #request(outcome: number, side: PlaceRequest['side'], tick: Tick, stake: Money): PlaceRequest {
    return {
      wallet: this.#maker.wallet,
      market: this.market,
      outcome,
      side,
      tick,
      stake,
      keepWhenInPlay: true,
      matchBehavior: 'RetainUnmatched',
      undelayed: true,
    };
  }

  #placeAll(requests: readonly PlaceRequest[]): void {
    const { batchMax } = this.#context.world.exchange.inspect().rules;
    for (let from = 0; from < requests.length; from += batchMax) this.#place(requests.slice(from, from + batchMax));
  }

  #place(requests: readonly PlaceRequest[]): void {
    this.#placing = requests;
    tryCommand(this.#context, { kind: 'place', app: this.#maker.app, requests });
    this.#placing = [];
  }
}

function wholeSteps(stake: number): Money {
  return (stake - (stake % STAKE_STEP)) as Money;
}

interface Resting {
  readonly order: number;
  readonly cell: number;
  left: number;
}

interface Decrease {
  /** Orders to cancel. */
  readonly orders: readonly number[];
  /** Stake of these that must be placed again, behind everything at the level. */
  readonly again: Money;
}

/** The resting stake of a driver's own orders, by level and in the order of placing. */
class MakerLevels {
  readonly #byOrder = new Map<number, Resting>();
  /** Oldest first; orders without stake are dropped when the level is next used. */
  readonly #queues = new Map<number, Resting[]>();
  readonly #stakes = new Map<number, number>();

  add(order: number, cell: number, left: Money): void {
    const resting = { order, cell, left };
    this.#byOrder.set(order, resting);
    const queue = this.#queues.get(cell);
    if (queue === undefined) this.#queues.set(cell, [resting]);
    else queue.push(resting);
    this.#stakes.set(cell, this.stakeAt(cell) + left);
  }

  /** Sets the stake left of an order; returns its level, undefined where the order is not known. */
  setLeft(order: number, left: Money): number | undefined {
    const resting = this.#byOrder.get(order);
    if (resting === undefined) return undefined;
    const stake = this.stakeAt(resting.cell) + left - resting.left;
    resting.left = left;
    this.#stakes.set(resting.cell, stake);
    if (left === 0) this.#byOrder.delete(order);
    if (stake === 0) this.#dropLevel(resting.cell);
    return resting.cell;
  }

  /** A removal lets an order rest at another price. */
  move(order: number, cell: number): void {
    const left = this.#byOrder.get(order)?.left;
    if (left === undefined) return;
    this.setLeft(order, 0 as Money);
    this.add(order, cell, left as Money);
  }

  stakeAt(cell: number): number {
    return this.#stakes.get(cell) ?? 0;
  }

  /** The levels with stake. */
  cells(): Iterable<number> {
    return this.#stakes.keys();
  }

  /** The orders to cancel so that a level falls by `excess`: the newest, so that the front of the queue stays. */
  decrease(cell: number, excess: number): Decrease {
    const queue = (this.#queues.get(cell) ?? []).filter(({ left }) => left > 0);
    this.#queues.set(cell, queue);
    const orders: number[] = [];
    let taken = 0;
    for (let at = queue.length - 1; at >= 0 && taken < excess; at -= 1) {
      const resting = queue[at];
      if (resting === undefined) break;
      orders.push(resting.order);
      taken += resting.left;
    }
    return { orders, again: Math.max(0, taken - excess) as Money };
  }

  #dropLevel(cell: number): void {
    this.#stakes.delete(cell);
    this.#queues.delete(cell);
  }
}
