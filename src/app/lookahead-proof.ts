/** Shows that a run does not look ahead: the same decisions up to an instant, whatever the recording says after it. */

import { Random } from '../core/random.ts';
import type { Instant } from '../core/units.ts';
import type { OwnOrder } from '../engine/own-order.ts';
import type { RunLog } from '../engine/run-log.ts';
import { Transcript } from '../engine/transcript.ts';
import { LEVEL, type PendingUpdate, TRADE } from '../recording/update.ts';
import type { RecordedMarket } from '../simulator/replay-market.ts';
import type { UpdateSource } from './backtest-source.ts';

/** What happened before an instant, as one hash, with the orders by themselves so that a difference can be named. */
export class Witness {
  readonly before: number;
  readonly log: RunLog;
  readonly orders: OwnOrder['terms'][] = [];
  #steps = 0;
  readonly #transcript = new Transcript('witness');

  constructor(before: number) {
    this.before = before;
    this.log = {
      update: () => {},
      decision: (at, ...step) => this.#note(at, () => this.#transcript.decision(at, ...step)),
      refused: (at, ...step) => this.#note(at, () => this.#transcript.refused(at, ...step)),
      sent: (at, order) =>
        this.#note(at, () => {
          this.#transcript.sent(at, order);
          this.orders.push(order.terms);
        }),
      cancelSent: (at, ...step) => this.#note(at, () => this.#transcript.cancelSent(at, ...step)),
      rejected: (at, ...step) => this.#note(at, () => this.#transcript.rejected(at, ...step)),
      unknown: (at, ...step) => this.#note(at, () => this.#transcript.unknown(at, ...step)),
      reported: (at, ...step) => this.#note(at, () => this.#transcript.reported(at, ...step)),
      reappeared: (at, ...step) => this.#note(at, () => this.#transcript.reappeared(at, ...step)),
      settled: (at, ...step) => this.#note(at, () => this.#transcript.settled(at, ...step)),
      halted: (at, ...step) => this.#note(at, () => this.#transcript.halted(at, ...step)),
    };
  }

  get steps(): number {
    return this.#steps;
  }

  sha256(): string {
    return this.#transcript.close();
  }

  #note(at: number, note: () => void): void {
    if (at >= this.before) return;
    this.#steps += 1;
    note();
  }
}

/** The first order that two runs did not share, in words; undefined where the orders are the same. */
export function firstDifference(a: Witness, b: Witness): string | undefined {
  const longest = Math.max(a.orders.length, b.orders.length);
  for (let i = 0; i < longest; i += 1) {
    const [left, right] = [a.orders[i], b.orders[i]];
    if (JSON.stringify(left) === JSON.stringify(right)) continue;
    const order = left ?? right;
    if (order === undefined) return undefined;
    const when = new Date(order.sentAt).toISOString();
    return `order ${order.client} at ${when} on market ${order.marketId}, outcome ${order.outcomeId}`;
  }
  return undefined;
}

/** The recording up to an instant and nothing after it. */
export class CutSource implements UpdateSource {
  readonly startAt: Instant;
  readonly #source: UpdateSource;
  readonly #until: number;

  constructor(source: UpdateSource, until: number) {
    this.#source = source;
    this.#until = until;
    this.startAt = source.startAt;
  }

  get index(): number {
    return this.#source.index;
  }

  next(): PendingUpdate | undefined {
    const update = this.#source.next();
    return update === undefined || update.publishedAt > this.#until ? undefined : update;
  }

  recorded(index: number): RecordedMarket {
    return this.#source.recorded(index);
  }
}

/** The recording with other stakes and volumes after an instant: between half and twice as much, by a seed. */
export class AlteredSource implements UpdateSource {
  readonly startAt: Instant;
  readonly #source: UpdateSource;
  readonly #after: number;
  readonly #random: Random;

  constructor(source: UpdateSource, after: number, seed: number) {
    this.#source = source;
    this.#after = after;
    this.#random = Random.fromSeed(seed);
    this.startAt = source.startAt;
  }

  get index(): number {
    return this.#source.index;
  }

  next(): PendingUpdate | undefined {
    const update = this.#source.next();
    if (update === undefined || update.publishedAt <= this.#after) return update;
    const { count, kind, amount } = update.columns();
    for (let i = 0; i < count; i += 1) {
      if (kind[i] !== LEVEL && kind[i] !== TRADE) continue;
      amount[i] = Math.round((amount[i] ?? 0) * (0.5 + 1.5 * this.#random.uniform()));
    }
    return update;
  }

  recorded(index: number): RecordedMarket {
    return this.#source.recorded(index);
  }
}
