/** An update under construction, which importers and recorders fill event by event before it is written. */

import type { Instant } from '../../core/number/units.ts';
import {
  DEFINITION,
  LAST_PRICE,
  LEVEL,
  type PendingUpdate,
  type RecordedKind,
  type RecordSink,
  recordColumns,
  STARTING_PRICE,
  TRADE,
  type UpdateColumns,
} from './update.ts';

/** Reused from update to update. `market` and `sequence` are set by the writer and stay as given. */
export class UpdateBuffer implements UpdateColumns, PendingUpdate {
  market = 0;
  sequence = 0;
  publishedAt = 0 as Instant;
  receivedAt = 0 as Instant;
  count = 0;
  kind = new Uint8Array(64);
  outcome = new Uint16Array(64);
  side = new Uint8Array(64);
  tick = new Int16Array(64);
  amount = new Float64Array(64);

  constructor(capacity = 64) {
    this.reserve(capacity);
  }

  /** Begins a new, empty update. */
  start(publishedAt: Instant, receivedAt: Instant = publishedAt): void {
    this.publishedAt = publishedAt;
    this.receivedAt = receivedAt;
    this.count = 0;
  }

  /** Copies another update into this one. */
  copy(from: UpdateColumns): void {
    const { count } = from;
    this.reserve(count);
    this.market = from.market;
    this.sequence = from.sequence;
    this.publishedAt = from.publishedAt;
    this.receivedAt = from.receivedAt;
    this.count = count;
    this.kind.set(from.kind.subarray(0, count));
    this.outcome.set(from.outcome.subarray(0, count));
    this.side.set(from.side.subarray(0, count));
    this.tick.set(from.tick.subarray(0, count));
    this.amount.set(from.amount.subarray(0, count));
  }

  definition(index: number): void {
    this.push(DEFINITION, 0, 0, 0, index);
  }

  trade(outcome: number, tick: number, amount: number): void {
    this.push(TRADE, outcome, 0, tick, amount);
  }

  level(outcome: number, side: number, tick: number, amount: number): void {
    this.push(LEVEL, outcome, side, tick, amount);
  }

  lastPrice(outcome: number, tick: number): void {
    this.push(LAST_PRICE, outcome, 0, tick, 0);
  }

  startingPrice(outcome: number, which: number, thousandths: number): void {
    this.push(STARTING_PRICE, outcome, which, 0, thousandths);
  }

  push(kind: RecordedKind, outcome: number, side: number, tick: number, amount: number): void {
    const at = this.count;
    if (at === this.kind.length) this.reserve(at * 2);
    this.kind[at] = kind;
    this.outcome[at] = outcome;
    this.side[at] = side;
    this.tick[at] = tick;
    this.amount[at] = amount;
    this.count = at + 1;
  }

  get isDefinition(): boolean {
    return this.count > 0 && this.kind[0] === DEFINITION;
  }

  columns(): UpdateColumns {
    return this;
  }

  recordInto(sink: RecordSink): void {
    recordColumns(this, sink);
  }

  /** Makes room for `capacity` events; the arrays may be different ones afterwards. */
  reserve(capacity: number): void {
    if (capacity <= this.kind.length) return;
    const { kind, outcome, side, tick, amount } = this;
    this.kind = new Uint8Array(capacity);
    this.outcome = new Uint16Array(capacity);
    this.side = new Uint8Array(capacity);
    this.tick = new Int16Array(capacity);
    this.amount = new Float64Array(capacity);
    this.kind.set(kind);
    this.outcome.set(outcome);
    this.side.set(side);
    this.tick.set(tick);
    this.amount.set(amount);
  }
}
