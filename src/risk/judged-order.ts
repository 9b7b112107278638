/** An order to be judged, and what it is judged by. */

import type { Money } from '../core/number/units.ts';
import type { ExposureOrder } from './exposure/exposed.ts';
import type { ExposureBook } from './exposure/exposure-book.ts';
import type { GuardContext } from './guards.ts';

/** An order as it would be sent; an `OrderRequest` of the gateway is one. */
export interface JudgedOrder extends ExposureOrder {
  readonly stake: Money;
}

/** The engine may keep one such object and change it between calls; nothing of it is retained. */
export interface JudgeContext extends GuardContext {
  readonly exposure: ExposureBook;
}
