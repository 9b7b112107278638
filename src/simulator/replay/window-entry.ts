/** Finds the picture of a market with which a replay may begin, where the bot does not see the market before its window opens. */

import type { RecordedDefinition } from '../../recording/tape/definition.ts';
import type { MarketOutline, OutlinedChange, OutlinedPicture } from '../../recording/tape/tape-outline.ts';
import { isEnded } from '../fill-model/market-life.ts';
import { MarketWindow, type WindowRule } from './market-window.ts';

interface EntryParts {
  readonly outline: MarketOutline;
  readonly definitions: readonly RecordedDefinition[];
  readonly rule: WindowRule;
  /** How long before an instant the recorded book must be known, ms: see `windowMemoryMs`. */
  readonly memoryMs: number;
}

/**
 * The segment before which the picture stands, or undefined where the market is replayed from its start.
 *
 * Before its window no order of ours is in a market, so that its recorded book is a function of the recording alone, and nobody looks at
 * it but `ReplayMarket.noteClose`, where trading stops before the off. What that keeps is written over at the next stop, and is not read
 * where there is none. So a picture of a market that is trading, before the off, stands for everything before it but the definitions,
 * which are replayed each at its time.
 */
export function entrySegment({ outline, definitions, rule, memoryMs }: EntryParts): number | undefined {
  const { changes, pictures } = outline;
  const opensAt = openingOf(rule, changes, definitions);
  const latest = opensAt - Math.max(0, memoryMs);
  const isInTime = (picture: OutlinedPicture) =>
    picture.at < latest && isTrading(changes.slice(0, picture.changes), definitions);
  return pictures.findLast(isInTime)?.segment;
}

/** When the window opens, moved as `MarketWindows` moves it; Infinity for never. */
function openingOf(
  rule: WindowRule,
  changes: readonly OutlinedChange[],
  definitions: readonly RecordedDefinition[],
): number {
  const window = new MarketWindow(rule);
  for (const [index, { at, definitions: defined }] of changes.entries()) {
    // What is due by the time of an update happens before it; a new market is looked at with its first one.
    const { dueAt } = window;
    if (index > 0 && dueAt <= at) return window.moveTo(dueAt) === 'opened' ? dueAt : Number.POSITIVE_INFINITY;
    const definition = definitions[defined.at(-1) ?? -1];
    if (definition !== undefined) {
      if (isEnded(definition)) return Number.POSITIVE_INFINITY;
      window.define(definition, at);
    }
    if (window.dueAt <= at) return window.moveTo(at) === 'opened' ? at : Number.POSITIVE_INFINITY;
  }
  return window.dueAt;
}

/** Whether orders could match after these changes, in a market that has not been in play. */
function isTrading(changes: readonly OutlinedChange[], definitions: readonly RecordedDefinition[]): boolean {
  const all = changes.flatMap((change) => change.definitions).map((index) => definitions[index]);
  const last = all.at(-1);
  if (last?.status !== 'Open' || last.suspended) return false;
  return all.every((each) => each !== undefined && each.inPlayStatus !== 'InPlay' && !isEnded(each));
}
