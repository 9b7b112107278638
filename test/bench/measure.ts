/**
 * Measures figures: each in a process of its own where it counts, so that none depends on what the engine learnt from another. It
 * loads what its row needs and nothing else: each collection of garbage looks at all that is loaded.
 */

import type { BenchData } from './data.ts';
import type { Figure } from './figure.ts';
import type { BenchSize } from './size.ts';

type Bench = (data: BenchData, size: BenchSize) => Promise<Figure>;

const BENCHES: Readonly<Record<string, Bench>> = {
  book: async (_data, size) => (await import('./book.ts')).benchBook(size),
  exchange: async (_data, size) => (await import('./exchange.ts')).benchExchange(size),
  'exchange-20': async (_data, size) => (await import('./exchange.ts')).benchExchange20(size),
  'exchange-taking': async (_data, size) => (await import('./exchange.ts')).benchExchangeTaking(size),
  'exchange-bare': async (_data, size) => (await import('./exchange.ts')).benchExchangeBare(size),
  'replay-noop': async (data, size) => (await import('./replay.ts')).benchReplayNoop(data, size),
  'replay-active': async (data, size) => (await import('./replay.ts')).benchReplayActive(data, size),
  'replay-guest': async (data, size) => (await import('./replay.ts')).benchReplayGuest(data, size),
  'replay-bounds': async (data, size) => (await import('./replay.ts')).benchReplayBounds(data, size),
  'replay-all': async (data, size) => (await import('./replay.ts')).benchReplayAll(data, size),
  'replay-orders': async (data, size) => (await import('./replay.ts')).benchReplayOrders(data, size),
  'replay-bare': async (data, size) => (await import('./replay.ts')).benchReplayBare(data, size),
  'replay-cold-noop': async (data, size) => (await import('./cold.ts')).benchColdNoop(data, size),
  'replay-cold-active': async (data, size) => (await import('./cold.ts')).benchColdActive(data, size),
  'replay-cold-bare': async (data, size) => (await import('./cold.ts')).benchColdBare(data, size),
  'replay-merged': async (data, size) => (await import('./merged.ts')).benchMerged(data, size),
  'replay-merged-bare': async (data, size) => (await import('./merged.ts')).benchMergedBare(data, size),
  'strategies-idle': async (data, size) => (await import('./strategies.ts')).benchStrategiesIdle(data, size),
  'strategies-reading': async (data, size) => (await import('./strategies.ts')).benchStrategiesReading(data, size),
  'strategies-ordering': async (data, size) => (await import('./strategies.ts')).benchStrategiesOrdering(data, size),
  'slope-markets': async (data, size) => (await import('./slopes.ts')).benchSlopeMarkets(data, size),
  'slope-orders': async (_data, size) => (await import('./slopes.ts')).benchSlopeOrders(size),
  'memory-orders': async (_data, size) => (await import('./slopes.ts')).benchMemoryOrders(size),
  'memory-single': async (data, size) => (await import('./memory.ts')).benchMemorySingle(data, size),
  'memory-merged': async (data, size) => (await import('./memory.ts')).benchMemoryMerged(data, size),
  'replay-decoding': async (data, size) => (await import('./decoding.ts')).benchDecoding(data, size),
  refusal: async (data, size) => (await import('./refusal.ts')).benchRefusal(data, size),
  markets: async (data, size) => (await import('./markets.ts')).benchMarkets(data, size),
  'event-none': async (_data, size) => (await import('./events.ts')).benchEvents('none', size),
  'event-level': async (_data, size) => (await import('./events.ts')).benchEvents('level', size),
  'event-trade': async (_data, size) => (await import('./events.ts')).benchEvents('trade', size),
  'event-last-price': async (_data, size) => (await import('./events.ts')).benchEvents('last-price', size),
  'event-definition': async (_data, size) => (await import('./events.ts')).benchEvents('definition', size),
  'start-help': async (data, size) => (await import('./start.ts')).benchStartHelp(data, size),
  'start-decision': async (data, size) => (await import('./start.ts')).benchStartDecision(data, size),
  'import-plain': async (data, size) => (await import('./import.ts')).benchImportPlain(data, size),
  'import-bz2': async (data, size) => (await import('./import.ts')).benchImportBz2(data, size),
  'sandbox-get': async (_data, size) => (await import('./sandbox.ts')).benchSandboxGet('sandbox-get', 16, size),
  'sandbox-get-1': async (_data, size) => (await import('./sandbox.ts')).benchSandboxGet('sandbox-get-1', 1, size),
  'sandbox-batch': async (_data, size) => (await import('./sandbox.ts')).benchSandboxBatch('sandbox-batch', 16, size),
  'sandbox-batch-1': async (_data, size) =>
    (await import('./sandbox.ts')).benchSandboxBatch('sandbox-batch-1', 1, size),
  'client-order': async (_data, size) => (await import('./client-order.ts')).benchClientOrder('client-order', 1, size),
  'client-order-50': async (_data, size) =>
    (await import('./client-order.ts')).benchClientOrder('client-order-50', 50, size),
};

export interface MeasureTask {
  readonly rows: readonly string[];
  readonly data: BenchData;
  readonly size: BenchSize;
}

const { rows, data, size } = JSON.parse(process.argv[2] ?? '{}') as MeasureTask;
for (const row of rows) {
  try {
    const bench = BENCHES[row];
    if (bench === undefined) throw new Error(`no bench is named ${row}`);
    process.send?.(await bench(data, size));
  } catch (error) {
    process.exitCode = 1;
    console.error(`${row} failed`, error);
  }
}
process.disconnect?.();
