/** What a bench measures: a value beside a yardstick of the same run, in seconds of processor time unless its row says otherwise. */

/** As `npm run bench -- --json` prints it; `counts` and `data` say what the value rests on. */
export interface Figure {
  readonly name: string;
  /**
   * Median over the repetitions, per second of processor time of all the processes that do it (of a first pass, per second
   * that a person waits): more is better. Of memory
   * (`MiB`) and of how cost grows (`slope`) less is better.
   */
  readonly value: number;
  readonly unit: string;
  /** Measured in the same run, in turns with the value. */
  readonly yardstick: { readonly name: string; readonly value: number };
  /** Value as a share of the yardstick's. */
  readonly ratio: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly data: string;
}

/** One side of a comparison: `run` does `operations` of them and gives its seconds. */
export interface Measured {
  readonly operations: number;
  run(): number | Promise<number>;
}

/** A bench that cannot stand by its figure prints none. */
export class BenchFailure extends Error {
  override readonly name = 'BenchFailure';
}

export function claim(holds: boolean, what: string): asserts holds {
  if (!holds) throw new BenchFailure(what);
}

/** Operations per second of both, repeated in turns, so that what slows the machine for a while slows both. */
export async function compared(
  repetitions: number,
  own: Measured,
  yardstick: Measured,
): Promise<{ readonly value: number; readonly yardstick: number; readonly ratio: number }> {
  claim(own.operations > 0 && yardstick.operations > 0, 'nothing was to be measured');
  const seconds: number[] = [];
  const yardstickSeconds: number[] = [];
  for (let i = 0; i < repetitions; i += 1) {
    seconds.push(await own.run());
    yardstickSeconds.push(await yardstick.run());
  }
  const value = own.operations / median(seconds);
  const beside = yardstick.operations / median(yardstickSeconds);
  return { value, yardstick: beside, ratio: value / beside };
}

/**
 * One side with turns about as long as the other's, all runs of a turn counted: a turn of a tenth of the other's time would be
 * spent on filling the caches that the other left to it.
 */
export async function asLongAs(other: Measured, one: Measured): Promise<Measured> {
  const times = Math.min(MOST_RUNS, Math.max(1, Math.round((await other.run()) / (await one.run()))));
  return {
    operations: times * one.operations,
    run: async () => {
      let seconds = 0;
      for (let i = 0; i < times; i += 1) seconds += await one.run();
      return seconds;
    },
  };
}

/** However quick a side is: a row takes its minutes, and no hour. */
const MOST_RUNS = 32;

/**
 * Processor time of the process with all its threads. A busy machine does not lengthen it, and work that the engine
 * does beside ours (collecting garbage, compiling) counts: on an idle machine the wall clock gives at least as much.
 */
export class Stopwatch {
  readonly #start = process.cpuUsage();

  seconds(): number {
    const { user, system } = process.cpuUsage(this.#start);
    return (user + system) / 1e6;
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
