/** An order of a run as its journal would have it, written by hand. */

import type { RunOrder } from '../../../src/app/parity/fit/run-orders.ts';
import { type Money, money } from '../../../src/core/number/units.ts';
import type { SentOrder } from '../../../src/core/run/kept-order.ts';

export function units(amount: number): Money {
  return money(Math.round(amount * 1e6));
}

export interface MadeOrder {
  /** Units of the currency; 10 where it is absent. */
  readonly stake?: number;
  /** When it came to rest; 0 where it is absent. */
  readonly from?: number;
  /** What it had matched by then. */
  readonly taken?: number;
  /** What was matched in all, from each of these times on. */
  readonly fills?: readonly (readonly [at: number, matched: number])[];
  /** When its remainder was voided. */
  readonly voidedAt?: number;
  readonly isUnsure?: boolean;
  readonly terms?: Partial<SentOrder>;
}

export function madeOrder(made: MadeOrder = {}): RunOrder {
  const { stake = 10, from = 0, taken = 0, fills = [], voidedAt, isUnsure = false, terms = {} } = made;
  const filledAt = fills.find(([, matched]) => matched >= stake)?.[0];
  const endedAt = filledAt ?? voidedAt;
  const resting = [
    { at: from, stake: units(stake - taken) },
    ...fills.map(([at, matched]) => ({ at, stake: units(stake - matched) })),
    ...(voidedAt === undefined ? [] : [{ at: voidedAt, stake: units(0) }]),
  ];
  return {
    ...{ sentAt: from, arrivedAt: from, restedAt: from, cancelSentAt: undefined, isUnsure, taken: units(taken) },
    ...{ fills: fills.map(([at, matched]) => ({ at, matched: units(matched) })), resting },
    ...{ endedAt, isFilled: filledAt !== undefined },
    terms: {
      ...{ client: 1, strategy: 's', wallet: 'w', market: 'm', marketName: 'm', outcome: 'o0', outcomeTitle: 'o0' },
      ...{ side: 'For', tick: 100, stake: units(stake), keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' },
      ...terms,
    },
  };
}
