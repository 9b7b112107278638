/** Counts of a unit with one order that was matched whole. */

import type { UnitCounts } from '../../../src/sweep/unit/unit-row.ts';

export const COUNTS: UnitCounts = {
  updates: 1,
  decisions: 1,
  halts: 0,
  intended: 1,
  refused: 0,
  cancellations: 0,
  cancellationsRepeated: 0,
  sent: 1,
  accepted: 1,
  rejected: 0,
  unanswered: 0,
  matchedFully: 1,
  matchedPartly: 0,
  cancelled: 0,
  unmatched: 0,
};
