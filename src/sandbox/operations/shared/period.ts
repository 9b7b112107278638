/** Periods of queries: both ends are included, and either may be open. */

import { instantFromWire } from '../../../codec/instants.ts';
import type { Instant } from '../../../core/number/units.ts';
import { type Problem, problem } from './operation.ts';
import type { Condition } from './selection.ts';

export interface Period {
  readonly kind: 'period';
  readonly from: number;
  readonly to: number;
}

/**
 * Reads a period. `names` are the names of the two parameters, for the problem's details (400). A period that ends
 * before it begins is empty.
 */
export function period(
  from: string | undefined,
  to: string | undefined,
  names: readonly [from: string, to: string],
): Period | Problem {
  const first = from === undefined ? Number.NEGATIVE_INFINITY : timestampOf(from, names[0]);
  if (typeof first !== 'number') return first;
  const last = to === undefined ? Number.POSITIVE_INFINITY : timestampOf(to, names[1]);
  if (typeof last !== 'number') return last;
  return { kind: 'period', from: first, to: last };
}

/** The period as a filter of rows; undefined where it has no bounds. */
export function within<T>(period: Period, atOfRow: (row: T) => Instant): Condition<T> {
  const isOpen = period.from === Number.NEGATIVE_INFINITY && period.to === Number.POSITIVE_INFINITY;
  return isOpen ? undefined : (row) => isWithin(atOfRow(row), period);
}

export function isWithin(at: Instant, { from, to }: Period): boolean {
  return at >= from && at <= to;
}

/** Reads a date-time parameter; a problem (400) where it is none. */
export function timestampOf(text: string, name: string): Instant | Problem {
  const result = instantFromWire(text);
  return result.kind === 'read' ? result.value : problem(400, 'Bad date-time', `${name}: ${text} is no date-time`);
}
