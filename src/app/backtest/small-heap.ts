/** How far the engine lets the heap of a backtest grow. */

import { setFlagsFromString } from 'node:v8';

/**
 * A replay makes much garbage and keeps little, and the engine's defaults answer the first with room: a third of a
 * backtest's memory would be room that nobody needs. New objects keep the room that they have by now, and old ones
 * get as much again as lives after a collection. With less of either, a replay with many orders takes a tenth longer
 * (docs/performance.md).
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=100');
}
