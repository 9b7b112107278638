/** How far the engine lets the heap of a backtest grow. */

import { setFlagsFromString } from 'node:v8';

/**
 * A replay makes much garbage and keeps little, and the engine's defaults answer the first with room: a third of a
 * backtest's memory would be room that nobody needs. New objects keep the room that they have by now, and old ones
 * get two fifths more than what lives after a collection. What it costs in time was not to be told from noise
 * (docs/performance.md).
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=40');
}
