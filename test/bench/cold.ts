/** The benches of a cold first pass: a replay that nothing was compiled for, beside a first JSON.parse of the same lines. */

import { readFileSync } from 'node:fs';
import type { ColdTask, ColdTold } from './cold-task.ts';
import type { BenchData } from './data.ts';
import { claim, compared, type Figure, type Measured } from './figure.ts';
import { inFreshProcess } from './fresh-process.ts';
import { countLines } from './parse-alone.ts';
import { activeCounts, idleCounts, Replay, withMarkets } from './replay-run.ts';
import { layFavourite, noop } from './replay-strategies.ts';
import type { BenchSize } from './size.ts';

export async function benchColdNoop(data: BenchData, size: BenchSize): Promise<Figure> {
  return withMarkets(data.tape, async (markets) => {
    const warm = new Replay({ markets: markets.slice(0, size.markets), plugins: [noop] });
    const counts = idleCounts(await warm.warmUp(1));
    return coldFigure('noop', { data, size, warm, counts });
  });
}

export async function benchColdActive(data: BenchData, size: BenchSize): Promise<Figure> {
  return withMarkets(data.tape, async (markets) => {
    const warm = new Replay({ markets: markets.slice(0, size.markets), plugins: [layFavourite] });
    const counts = activeCounts(await warm.warmUp(1));
    return coldFigure('active', { data, size, warm, counts });
  });
}

async function coldFigure(
  kind: 'noop' | 'active',
  bench: {
    readonly data: BenchData;
    readonly size: BenchSize;
    /** The same replay in this process: what every cold one must give. */
    readonly warm: Replay;
    readonly counts: Readonly<Record<string, number>>;
  },
): Promise<Figure> {
  const { data, size, warm, counts } = bench;
  const { tape, tapeLines } = data;
  const task = { tape, tapeLines, markets: size.markets };
  const own = new FirstPass({ ...task, kind }, warm.operations, ({ orders, transcript }) => {
    claim(transcript === warm.transcript, 'a first pass has another transcript than a later one');
    claim(orders === counts['orders'], `${orders} orders in the first pass, ${counts['orders']} in a later one`);
  });
  const lines = countLines(readFileSync(tapeLines, 'latin1'));
  const parsing = new FirstPass({ ...task, kind: 'parse' }, lines, () => {});
  const { value, yardstick, ratio } = await compared(size.coldStarts, own, parsing);
  const cpuMs = (1000 * own.operations) / value;
  return {
    name: `replay-cold-${kind}`,
    value,
    unit: 'updates/s',
    yardstick: { name: `${data.tapeLinesName}, the first of a process, lines/s`, value: yardstick },
    ratio,
    counts: { ...counts, processes: size.coldStarts, cpuMs, yardstickCpuMs: (1000 * lines) / yardstick },
    data: data.tapeName,
  };
}

/** Each run is a process of its own. */
class FirstPass implements Measured {
  readonly operations: number;
  readonly #task: ColdTask;
  readonly #check: (told: ColdTold) => void;

  constructor(task: ColdTask, operations: number, check: (told: ColdTold) => void) {
    this.#task = task;
    this.operations = operations;
    this.#check = check;
  }

  async run(): Promise<number> {
    const told = await inFreshProcess<ColdTold>('cold-pass', this.#task);
    claim(told.done === this.operations, `a first pass did ${told.done} of ${this.operations}`);
    this.#check(told);
    return told.seconds;
  }
}
