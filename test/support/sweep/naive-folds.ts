/** Folds as their definition reads, event by event and block by block: slow, obvious, and the judge of the real ones. */

import type { FoldChoice } from '../../../src/sweep/space/read/read-folds.ts';
import type { Fold } from '../../../src/sweep/statistics/folds.ts';
import type { EventTime } from '../../../src/sweep/statistics/trial-profits.ts';

export function naiveFolds(events: readonly EventTime[], choice: FoldChoice): readonly Fold[] {
  const isWalk = choice.method === 'walk-forward';
  const blocks = isWalk ? choice.count + 1 : choice.count;
  // Event i is in the last block that begins at or before it.
  const blockOf = events.map((_event, index) => {
    let block = 0;
    for (let other = 0; other < blocks; other += 1)
      if (Math.floor((other * events.length) / blocks) <= index) block = other;
    return block;
  });
  const folds: Fold[] = [];
  for (let block = isWalk ? 1 : 0; block < blocks; block += 1) {
    const outOfSample = [...events.keys()].filter((index) => blockOf[index] === block);
    const inSample = [...events.keys()].filter((index) => {
      const own = blockOf[index] ?? 0;
      if (own === block || outOfSample.length === 0) return false;
      if (isWalk && own > block) return false;
      return !touches(events, index, outOfSample, choice) && isRecent(events, index, outOfSample, choice);
    });
    folds.push({ inSample, outOfSample });
  }
  return folds;
}

/** Whether an event was under way at any instant from the purge before the first tested event to the purge or embargo after the last. */
function touches(events: readonly EventTime[], index: number, tested: readonly number[], choice: FoldChoice): boolean {
  const event = events[index];
  if (event === undefined) return false;
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const each of tested) {
    from = Math.min(from, (events[each]?.startsAt ?? from) - choice.purgeMs);
    to = Math.max(to, (events[each]?.endsAt ?? to) + Math.max(choice.purgeMs, choice.embargoMs));
  }
  const isOver = event.endsAt < from;
  const isLater = event.startsAt > to;
  return !isOver && !isLater;
}

function isRecent(events: readonly EventTime[], index: number, tested: readonly number[], choice: FoldChoice): boolean {
  if (choice.trainMs === undefined) return true;
  const first = Math.min(...tested.map((each) => events[each]?.startsAt ?? 0));
  return first - (events[index]?.startsAt ?? 0) <= choice.trainMs;
}
