/** How many transactions we used in this hour: Betfair charges for those beyond 5,000 (profile section 3). */

import { isObject } from '../../codec/schema-node.ts';
import type { CallOutcome } from '../../exchange-live/connection/call-outcome.ts';
import type { Clock } from '../../time/clock.ts';
import type { Operation } from '../wire/operations.ts';

const COUNTED: ReadonlySet<Operation> = new Set(['placeOrders', 'replaceOrders', 'cancelOrders', 'updateOrders']);
const HOUR_MS = 3_600_000;
export const FREE_AN_HOUR = 5_000;

/** Bets that were placed and instructions that failed count, cancellations that succeed do not. */
export class Transactions {
  readonly #clock: Clock;
  #hour = Number.NaN;
  #count = 0;
  #placed = 0;
  #failed = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Bets that were placed, since the start. */
  get placed(): number {
    return this.#placed;
  }

  /** Instructions that failed, since the start. */
  get failed(): number {
    return this.#failed;
  }

  /** Transactions since the last full hour. */
  get thisHour(): number {
    return this.#hour === this.#now() ? this.#count : 0;
  }

  /** Counts what a call used, as far as its answer tells. */
  noteOutcome(operation: Operation, outcome: CallOutcome<unknown>): void {
    if (outcome.kind !== 'answered' || !COUNTED.has(operation) || !isObject(outcome.answer)) return;
    const reports = outcome.answer['instructionReports'];
    if (!Array.isArray(reports)) return;
    const failed = reports.filter((each: unknown) => !isObject(each) || each['status'] !== 'SUCCESS').length;
    const isPlacing = operation === 'placeOrders' || operation === 'replaceOrders';
    const placed = isPlacing ? reports.length - failed : 0;
    this.#count = this.thisHour + failed + placed;
    this.#placed += placed;
    this.#failed += failed;
    this.#hour = this.#now();
  }

  #now(): number {
    return Math.floor(this.#clock.now() / HOUR_MS);
  }
}
