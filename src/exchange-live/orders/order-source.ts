/** What following orders needs of an exchange's API: orders read and cancelled, and heard of where there is a stream. */

import type { Observable } from 'rxjs';
import type { CallOutcome, ReadFailure } from '../connection/call-outcome.ts';
import type { Priority } from '../connection/priority.ts';
import type { OrderFacts } from './order-facts.ts';

export type OrdersRead =
  | {
      readonly kind: 'read';
      readonly orders: readonly OrderFacts[];
      /** False where an order among them could not be read: then the absence of one proves nothing. */
      readonly isComplete: boolean;
      /** When it was asked for: nothing of it is older. */
      readonly askedAt: number;
    }
  | ReadFailure;

/** Cold, one outcome each. Orders are named by the exchange's ids, or by the references that they were placed under. */
export interface OrderReader {
  /** What may still match in our wallets. */
  live(): Observable<OrdersRead>;
  /** `priority`: a look after a cancellation is as urgent as the cancellation. */
  byIds(orders: readonly number[], priority?: Priority): Observable<OrdersRead>;
  byReferences(references: readonly string[]): Observable<OrdersRead>;
}

/** Asks the exchange to cancel them; cold. Those that ended already are no failure. */
export type CancelCall = (orders: readonly number[]) => Observable<CallOutcome<unknown>>;

export interface OrderStream {
  /** Orders that changed; hot. */
  readonly changed$: Observable<OrderFacts>;
  /** Something may have been missed: the orders are to be read. */
  readonly resync$: Observable<unknown>;
  /** Asks for the changes of all our orders. */
  subscribe(): void;
}
