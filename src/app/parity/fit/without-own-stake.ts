/** The updates of a live run's tapes without the stake that the run had in the recorded levels itself. */

import type { UpdateSource } from '../../../backtest/simulation/backtest-source.ts';
import type { Instant } from '../../../core/number/units.ts';
import { AGAINST, FOR } from '../../../core/side.ts';
import {
  DEFINITION,
  eventsOf,
  LAST_PRICE,
  LEVEL,
  type PendingUpdate,
  STARTING_PRICE,
  TRADE,
  type UpdateColumns,
} from '../../../recording/segment/update.ts';
import { UpdateBuffer } from '../../../recording/segment/update-buffer.ts';
import { cellOf, rowOfCell, tickOfCell } from '../../../simulator/overlay/level-cell.ts';
import type { RecordedMarket } from '../../../simulator/replay/played-market.ts';
import { OwnLevels, type PlacedOrder } from './own-levels.ts';
import type { RunOrder } from './run-orders.ts';

export class WithoutOwnStake implements UpdateSource {
  readonly startAt: Instant;
  readonly #source: UpdateSource;
  readonly #markets = new Map<number, MarketWithoutOwnStake>();

  /** `orders`: those whose stake is taken out. */
  constructor(source: UpdateSource, orders: readonly PlacedOrder[]) {
    this.startAt = source.startAt;
    this.#source = source;
    for (const [market, of] of Map.groupBy(orders, (order) => order.market))
      this.#markets.set(market, new MarketWithoutOwnStake(of));
  }

  get index(): number {
    return this.#source.index;
  }

  next(): PendingUpdate | undefined {
    const update = this.#source.next();
    const market = this.#markets.get(this.#source.index);
    return update === undefined || market === undefined ? update : market.withoutOwn(update.columns());
  }

  recorded(index: number): RecordedMarket {
    return this.#source.recorded(index);
  }

  /** Orders that the recorded prices never showed, after all was played. */
  neverShown(): readonly RunOrder[] {
    return [...this.#markets.values()].flatMap(({ own }) => own.neverShown());
  }
}

/** Stake at a level now: as recorded, and what was last written of it without our own. */
interface Held {
  recorded: number;
  written: number;
}

class MarketWithoutOwnStake {
  readonly own: OwnLevels;
  readonly #held = new Map<number, Held>();
  readonly #update = new UpdateBuffer();

  constructor(orders: readonly PlacedOrder[]) {
    this.own = new OwnLevels(orders);
  }

  /** The update as it would have been without our own stake; valid until the next call. */
  withoutOwn(columns: UpdateColumns): UpdateBuffer {
    const { publishedAt, receivedAt, market, sequence } = columns;
    const levels = new Set(this.own.advance(publishedAt));
    for (const { kind, outcome, side, tick, amount } of eventsOf(columns)) {
      if (kind !== LEVEL) continue;
      const level = cellOf(outcome, side === AGAINST ? AGAINST : FOR, tick);
      this.#at(level).recorded = amount;
      levels.add(level);
    }
    // A message about the market's status alone holds no prices.
    if (columns.count !== 1 || columns.kind[0] !== DEFINITION)
      this.own.read(publishedAt, (level) => this.#at(level).recorded);
    const update = this.#update;
    update.start(publishedAt, receivedAt);
    update.market = market;
    update.sequence = sequence;
    this.#passBefore(columns);
    this.#writeLevels([...levels]);
    this.#passAfter(columns);
    return update;
  }

  #at(level: number): Held {
    const held = this.#held.get(level);
    if (held !== undefined) return held;
    const empty = { recorded: 0, written: 0 };
    this.#held.set(level, empty);
    return empty;
  }

  /** Copies what comes before the levels in an update, and does not depend on our own stake: definition and trades. */
  #passBefore(columns: UpdateColumns): void {
    for (const { kind, outcome, tick, amount } of eventsOf(columns)) {
      if (kind === DEFINITION) this.#update.definition(amount);
      else if (kind === TRADE) this.#update.trade(outcome, tick, amount);
    }
  }

  /** Copies what comes after the levels: last prices and starting prices. */
  #passAfter(columns: UpdateColumns): void {
    for (const { kind, outcome, side, tick, amount } of eventsOf(columns)) {
      if (kind === LAST_PRICE) this.#update.lastPrice(outcome, tick);
      else if (kind === STARTING_PRICE) this.#update.startingPrice(outcome, side, amount);
    }
  }

  /** Writes decreases first, as a tape has them. If our own stake is more than was recorded, a fill of it was not reported yet. */
  #writeLevels(levels: readonly number[]): void {
    const rises: number[] = [];
    for (const level of levels) {
      const held = this.#at(level);
      const written = Math.max(0, held.recorded - this.own.at(level));
      if (written < held.written) this.#writeLevel(level, written);
      else rises.push(level);
      held.written = written;
    }
    for (const level of rises) this.#writeLevel(level, this.#at(level).written);
  }

  #writeLevel(level: number, stake: number): void {
    const row = rowOfCell(level);
    this.#update.level(row >> 1, row & 1, tickOfCell(level), stake);
  }
}
