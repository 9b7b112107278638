/** How many transactions we used in this hour: Betfair charges for those beyond 5,000 (profile section 3). */

import { isObject } from '../../codec/schema-node.ts';
import type { CallOutcome } from '../../exchange-live/connection/call-outcome.ts';
import type { Clock } from '../../time/clock.ts';
import type { Operation } from '../wire/operations.ts';

const COUNTED: ReadonlySet<Operation> = new Set(['placeOrders', 'replaceOrders', 'cancelOrders', 'updateOrders']);
const HOUR_MS = 3_600_000;

/** Bets that were placed and instructions that failed count, cancellations that succeed do not. */
export class Transactions {
  readonly #clock: Clock;
  #hour = Number.NaN;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
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
    this.#count = this.thisHour + failed + (isPlacing ? reports.length - failed : 0);
    this.#hour = this.#now();
  }

  #now(): number {
    return Math.floor(this.#clock.now() / HOUR_MS);
  }
}
