/** Divides events into folds: those that a trial is chosen on, and those after or around which it is judged on. */

import type { FoldChoice } from '../space/read/read-folds.ts';
import type { EventTime } from './trial-profits.ts';

/** Indices of events. Events that are in neither were purged, or are not reached. */
export interface Fold {
  readonly inSample: readonly number[];
  readonly outOfSample: readonly number[];
}

/**
 * `events` are in the order of their start. They are cut into blocks of as equal a number as can be. k-fold: each block is judged on
 * once. Walk-forward: the first block is for training alone, and each fold is judged on the next one, with what came before.
 */
export function foldsOf(events: readonly EventTime[], choice: FoldChoice): readonly Fold[] {
  const { method, count } = choice;
  const blocks = method === 'k-fold' ? count : count + 1;
  const first = method === 'k-fold' ? 0 : 1;
  return Array.from({ length: count }, (_, index) => {
    const block = index + first;
    const [begin, end] = [cut(block, blocks, events.length), cut(block + 1, blocks, events.length)];
    const tested = events.slice(begin, end);
    return {
      inSample: tested.length === 0 ? [] : trainingOf(events, { begin, end, tested }, choice),
      outOfSample: tested.map((_event, at) => begin + at),
    };
  });
}

function cut(block: number, blocks: number, events: number): number {
  return Math.floor((block * events) / blocks);
}

/** Nothing that was under way at some time of the tested events, with the purge about them and the embargo after them. */
function trainingOf(
  events: readonly EventTime[],
  { begin, end, tested }: { readonly begin: number; readonly end: number; readonly tested: readonly EventTime[] },
  { method, purgeMs, embargoMs, trainMs }: FoldChoice,
): readonly number[] {
  const testFrom = tested.reduce((first, { startsAt }) => Math.min(first, startsAt), Number.POSITIVE_INFINITY);
  const testTo = tested.reduce((last, { endsAt }) => Math.max(last, endsAt), testFrom);
  const clearFrom = testFrom - purgeMs;
  const clearTo = testTo + Math.max(purgeMs, embargoMs);
  const earliest = trainMs === undefined ? Number.NEGATIVE_INFINITY : testFrom - trainMs;
  return events.flatMap(({ startsAt, endsAt }, index) => {
    const isBefore = index < begin && endsAt < clearFrom && startsAt >= earliest;
    const isAfter = index >= end && method === 'k-fold' && startsAt > clearTo;
    return isBefore || isAfter ? [index] : [];
  });
}
