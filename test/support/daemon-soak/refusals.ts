/** How often risk refused in a run, by code: a refusal that stands is kept once a minute, with the number of those since. */

import type { TimedRecord } from '../../../src/core/run/journal.ts';

export function refusalsIn(records: Iterable<TimedRecord>): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { record } of records)
    if (record.kind === 'refused') counts.set(record.code, (counts.get(record.code) ?? 0) + (record.times ?? 1));
  return Object.fromEntries(counts);
}
