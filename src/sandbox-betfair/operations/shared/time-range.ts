/** Ranges of time as requests name them. */

import type { Static } from '@sinclair/typebox';
import type { TimeRange } from '../../../betfair/wire/basics/shapes.ts';

/** A test for times in a range, both of whose ends may be open. */
export function within({ from, to }: Static<typeof TimeRange>): (at: number) => boolean {
  const first = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const last = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  return (at) => at >= first && at <= last;
}
