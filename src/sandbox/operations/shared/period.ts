/** Periods as queries bound them: both ends belong to the period, and either may be open. */

import { instantFromWire } from '../../../betdex/wire/codec/instants.ts';
import type { Instant } from '../../../core/number/units.ts';
import { type Problem, problem } from './operation.ts';
import type { Question } from './selection.ts';

export interface Period {
  readonly kind: 'period';
  readonly from: number;
  readonly to: number;
}

/** `names` are the two parameters', for the details of the problem (400). A period that ends before it begins is empty. */
export function period(
  from: string | undefined,
  to: string | undefined,
  names: readonly [from: string, to: string],
): Period | Problem {
  const first = from === undefined ? Number.NEGATIVE_INFINITY : momentOf(from, names[0]);
  if (typeof first !== 'number') return first;
  const last = to === undefined ? Number.POSITIVE_INFINITY : momentOf(to, names[1]);
  if (typeof last !== 'number') return last;
  return { kind: 'period', from: first, to: last };
}

/** The same as a question to rows, where the query bounds the period at all. */
export function within<T>(period: Period, atOfRow: (row: T) => Instant): Question<T> {
  const isOpen = period.from === Number.NEGATIVE_INFINITY && period.to === Number.POSITIVE_INFINITY;
  return isOpen ? undefined : (row) => isWithin(atOfRow(row), period);
}

export function isWithin(at: Instant, { from, to }: Period): boolean {
  return at >= from && at <= to;
}

/** A date-time parameter; a problem (400) where it names no moment. */
export function momentOf(text: string, name: string): Instant | Problem {
  const result = instantFromWire(text);
  return result.kind === 'read' ? result.value : problem(400, 'Bad date-time', `${name}: ${text} is no date-time`);
}
