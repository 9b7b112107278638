/** How far the engine lets the heap of a backtest grow. */

import { setFlagsFromString } from 'node:v8';

/**
 * A replay makes much garbage and keeps little. V8's defaults give garbage more room as it comes: a third of a backtest's memory would
 * be room without use. With these flags the space of new objects stays as it is, and that of old objects is twice what lives after a
 * collection. With less of either, a replay with many orders takes a tenth longer (docs/performance.md).
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=100');
}
