/** Measures one figure in a process of its own, so that none depends on what the engine learnt from another. */

import { benchBook } from './book.ts';
import { benchClientOrder } from './client-order.ts';
import { benchColdActive, benchColdNoop } from './cold.ts';
import type { BenchData } from './data.ts';
import { benchEvents } from './events.ts';
import { benchExchange } from './exchange.ts';
import type { Figure } from './figure.ts';
import { benchImportBz2, benchImportPlain } from './import.ts';
import { benchMemoryMerged, benchMemorySingle } from './memory.ts';
import { benchMerged } from './merged.ts';
import { benchReplayActive, benchReplayBounds, benchReplayNoop, benchReplayOrders } from './replay.ts';
import { benchSandboxBatch, benchSandboxGet } from './sandbox.ts';
import type { BenchSize } from './size.ts';
import { benchMemoryOrders, benchSlopeMarkets, benchSlopeOrders } from './slopes.ts';
import { benchStartDecision, benchStartHelp } from './start.ts';
import { benchStrategiesIdle, benchStrategiesOrdering, benchStrategiesReading } from './strategies.ts';

type Bench = (data: BenchData, size: BenchSize) => Promise<Figure>;

const BENCHES: Readonly<Record<string, Bench>> = {
  book: (_data, size) => benchBook(size),
  exchange: (_data, size) => benchExchange('exchange', 3, size),
  'exchange-20': (_data, size) => benchExchange('exchange-20', 20, size),
  'replay-noop': benchReplayNoop,
  'replay-active': benchReplayActive,
  'replay-bounds': benchReplayBounds,
  'replay-orders': benchReplayOrders,
  'replay-cold-noop': benchColdNoop,
  'replay-cold-active': benchColdActive,
  'replay-merged': benchMerged,
  'strategies-idle': benchStrategiesIdle,
  'strategies-reading': benchStrategiesReading,
  'strategies-ordering': benchStrategiesOrdering,
  'slope-markets': benchSlopeMarkets,
  'slope-orders': (_data, size) => benchSlopeOrders(size),
  'memory-orders': (_data, size) => benchMemoryOrders(size),
  'memory-single': benchMemorySingle,
  'memory-merged': benchMemoryMerged,
  'event-none': (_data, size) => benchEvents('none', size),
  'event-level': (_data, size) => benchEvents('level', size),
  'event-trade': (_data, size) => benchEvents('trade', size),
  'event-last-price': (_data, size) => benchEvents('last-price', size),
  'event-definition': (_data, size) => benchEvents('definition', size),
  'start-help': benchStartHelp,
  'start-decision': benchStartDecision,
  'import-plain': benchImportPlain,
  'import-bz2': benchImportBz2,
  'sandbox-get': (_data, size) => benchSandboxGet('sandbox-get', 16, size),
  'sandbox-get-1': (_data, size) => benchSandboxGet('sandbox-get-1', 1, size),
  'sandbox-batch': (_data, size) => benchSandboxBatch('sandbox-batch', 16, size),
  'sandbox-batch-1': (_data, size) => benchSandboxBatch('sandbox-batch-1', 1, size),
  'client-order': (_data, size) => benchClientOrder('client-order', 1, size),
  'client-order-50': (_data, size) => benchClientOrder('client-order-50', 50, size),
};

export interface MeasureTask {
  readonly row: string;
  readonly data: BenchData;
  readonly size: BenchSize;
}

const task = JSON.parse(process.argv[2] ?? '{}') as MeasureTask;
const bench = BENCHES[task.row];
if (bench === undefined) throw new Error(`no bench is named ${task.row}`);
const figure = await bench(task.data, task.size);
process.send?.(figure, () => process.disconnect());
