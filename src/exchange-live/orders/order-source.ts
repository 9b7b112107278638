/**
 * What following orders needs of an exchange's API: orders can be read and cancelled, and are streamed if there is a stream.
 */

import type { Observable } from 'rxjs';
import type { Instant } from '../../core/number/units.ts';
import type { CallOutcome, ReadFailure } from '../connection/call-outcome.ts';
import type { Priority } from '../connection/priority.ts';
import type { OrderFacts } from './order-facts.ts';

/** Orders that were read, or the reason why there are none. */
export type OrdersRead =
  | {
      readonly kind: 'read';
      readonly orders: readonly OrderFacts[];
      /** The orders among them that could not be read. */
      readonly unreadable: readonly UnreadableOrder[];
      /** When the reading was requested, ms: nothing in it is older. */
      readonly askedAt: number;
    }
  | ReadFailure;

/** An order whose document makes no sense, by what could be read of it. Without an id and a reference it may be any order. */
export interface UnreadableOrder {
  readonly id: number | undefined;
  readonly reference: string | undefined;
}

/** Cold; each emits one outcome. Orders are named by the exchange's ids, or by the references under which they were placed. */
export interface OrderReader {
  /** Reads the orders in our wallets that may still match, and those that matched where that may become void (`OrderTrust`). */
  live(): Observable<OrdersRead>;
  /** `priority`: reading orders after a cancellation is as urgent as the cancellation. */
  byIds(orders: readonly number[], priority?: Priority): Observable<OrdersRead>;
  byReferences(references: readonly string[]): Observable<OrdersRead>;
}

/** Asks the exchange to cancel the orders. Cold. Orders that have already ended are no failure. */
export type CancelCall = (orders: readonly number[]) => Observable<CallOutcome<unknown>>;

/** The changes of orders as they are streamed. */
export interface OrderStream {
  /** Orders that changed; hot. */
  readonly changed$: Observable<OrderFacts>;
  /** Emits when updates may have been missed and the orders must be read. */
  readonly resync$: Observable<unknown>;
  /**
   * Of a stream that numbers what it tells, and is never silent for long: emits the time, on our clock, up to which it has told all. Absent where a stream
   * cannot show that it lost something.
   */
  readonly proven$?: Observable<Instant>;
  /** Subscribes to the changes of all our orders. */
  subscribe(): void;
}

/** What an exchange's reports of orders are known to be. */
export interface OrderTrust {
  /** An order that is reported as ended has ended, whoever ended it: no cancellation must prove it. */
  readonly endsAreCertain?: true;
  /** Matched stake may be void later, in part: what is matched no more is void. */
  readonly voidsMatched?: true;
}
