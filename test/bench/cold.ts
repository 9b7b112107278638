/** The benches of a cold first pass: a replay that nothing was compiled for, beside a first JSON.parse of the same lines. */

import { readFileSync } from 'node:fs';
import type { ColdTask, ColdTold } from './cold-task.ts';
import type { BenchData } from './data.ts';
import { claim, compared, type Figure, type Measured, median } from './figure.ts';
import { inFreshProcess } from './fresh-process.ts';
import { OrderReplay } from './order-replay.ts';
import { countLines } from './parse-alone.ts';
import { activeCounts, idleCounts, Replay, withMarkets } from './replay-run.ts';
import { layFavourite, noop } from './replay-strategies.ts';
import type { BenchSize } from './size.ts';

export async function benchColdNoop(data: BenchData, size: BenchSize): Promise<Figure> {
  return withMarkets(data.tape, async (markets) => {
    const warm = new Replay({ markets: markets.slice(0, size.markets), plugins: [noop] });
    const counts = idleCounts(await warm.warmUp(1));
    const { operations, transcript } = warm;
    return coldFigure('noop', { data, size, operations, transcript, counts });
  });
}

export async function benchColdActive(data: BenchData, size: BenchSize): Promise<Figure> {
  return withMarkets(data.tape, async (markets) => {
    const warm = new Replay({ markets: markets.slice(0, size.markets), plugins: [layFavourite] });
    const counts = activeCounts(await warm.warmUp(1));
    const { operations, transcript } = warm;
    return coldFigure('active', { data, size, operations, transcript, counts });
  });
}

/** The bound of the row above: the same orders without exchange, risk and ledger, of which there is less to compile. */
export async function benchColdBare(data: BenchData, size: BenchSize): Promise<Figure> {
  return withMarkets(data.tape, async (all) => {
    const orders = await OrderReplay.record(all.slice(0, size.markets), layFavourite);
    return coldFigure('bare', { data, size, operations: orders.operations, transcript: '', counts: orders.counts });
  });
}

async function coldFigure(
  kind: 'noop' | 'active' | 'bare',
  bench: {
    readonly data: BenchData;
    readonly size: BenchSize;
    /** The result of the same replay in this process, which every cold one must give. */
    readonly operations: number;
    readonly transcript: string;
    readonly counts: Readonly<Record<string, number>>;
  },
): Promise<Figure> {
  const { data, size, operations, counts } = bench;
  const { tape, tapeLines } = data;
  const task = { tape, tapeLines, markets: size.markets };
  const own = new FirstPass({ ...task, kind }, operations, ({ orders, transcript }) => {
    claim(transcript === bench.transcript, 'a first pass has another transcript than a later one');
    claim(orders === counts['orders'], `${orders} orders in the first pass, ${counts['orders']} in a later one`);
  });
  const lines = countLines(readFileSync(tapeLines, 'latin1'));
  const parsing = new FirstPass({ ...task, kind: 'parse' }, lines, () => {});
  const { value, yardstick, ratio } = await compared(size.coldStarts, own, parsing);
  const times = { waitedMs: (1000 * own.operations) / value, yardstickWaitedMs: (1000 * lines) / yardstick };
  const cpuRatio = own.operations / own.cpuMs / (lines / parsing.cpuMs);
  const cpu = { cpuMs: own.cpuMs, yardstickCpuMs: parsing.cpuMs, cpuRatio };
  return {
    name: `replay-cold-${kind}`,
    value,
    unit: 'updates/s',
    yardstick: { name: `${data.tapeLinesName}, the first of a process, lines/s`, value: yardstick },
    ratio,
    counts: { ...counts, processes: size.coldStarts, ...times, ...cpu },
    data: data.tapeName,
  };
}

/** Each run is a process of its own; its seconds are the time that a person waits. */
class FirstPass implements Measured {
  readonly operations: number;
  readonly #task: ColdTask;
  readonly #check: (told: ColdTold) => void;
  readonly #cpuSeconds: number[] = [];

  constructor(task: ColdTask, operations: number, check: (told: ColdTold) => void) {
    this.#task = task;
    this.operations = operations;
    this.#check = check;
  }

  /** Processor time of all threads, the median of all runs. */
  get cpuMs(): number {
    return 1000 * median(this.#cpuSeconds);
  }

  async run(): Promise<number> {
    const told = await inFreshProcess<ColdTold>('cold-pass', this.#task);
    claim(told.done === this.operations, `a first pass did ${told.done} of ${this.operations}`);
    this.#check(told);
    this.#cpuSeconds.push(told.seconds);
    return told.waited;
  }
}
