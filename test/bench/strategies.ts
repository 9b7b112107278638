/** The benches of ten strategies in one replay, beside one of them: looking away, reading prices, and ordering. */

import type { SourceMarket } from '../../src/backtest/simulation/backtest-source.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import type { BenchData } from './data.ts';
import { claim, compared, type Figure, type Measured } from './figure.ts';
import { activeCounts, idleCounts, Replay, withMarkets } from './replay-run.ts';
import { layFavourite, noop, type PriceReader, readingBest } from './replay-strategies.ts';
import type { BenchSize } from './size.ts';

const SEATS = 10;
/**
 * Orders for one strategy's, each. Ours meet, and where few recorded participants rest those behind in the queue are given up and placed
 * again more often: then ten place more than ten times as many. The counts say how many.
 */
const ORDERS_EACH = { least: 0.95, most: 2 };

type Counts = Readonly<Record<string, number>>;

export function benchStrategiesIdle(data: BenchData, size: BenchSize): Promise<Figure> {
  return withMarkets(data.tape, async (all) => {
    const markets = all.slice(0, size.markets);
    const [ten, one] = [new Replay({ markets, plugins: instances(noop) }), new Replay({ markets, plugins: [noop] })];
    idleCounts(await one.warmUp(size.warmPasses));
    const counts = idleCounts(await ten.warmUp(size.warmPasses), SEATS);
    return figureOf('strategies-idle', { data, size, ten, one, counts });
  });
}

export function benchStrategiesReading(data: BenchData, size: BenchSize): Promise<Figure> {
  return withMarkets(data.tape, async (all) => {
    const markets = all.slice(0, size.markets);
    const one = new Reading(markets, 1);
    const ten = new Reading(markets, SEATS);
    await one.warmUp(size.warmPasses);
    const counts = await ten.warmUp(size.warmPasses);
    claim(ten.sum === one.sum && one.sum > 0, 'ten strategies read other prices than one');
    return figureOf('strategies-reading', { data, size, ten, one, counts: { ...counts, sumOfPrices: ten.sum } });
  });
}

/** Orders per second: what an order costs when ten strategies place them, and when one does. */
export function benchStrategiesOrdering(data: BenchData, size: BenchSize): Promise<Figure> {
  return withMarkets(data.tape, async (all) => {
    const markets = all.slice(0, size.markets);
    const ten = new Replay({ markets, plugins: instances(layFavourite) });
    const one = new Replay({ markets, plugins: [layFavourite] });
    const { orders: ordersOfOne = 0, matched: matchedOfOne = 0 } = activeCounts(await one.warmUp(size.warmPasses));
    const counts = activeCounts(await ten.warmUp(size.warmPasses));
    const { orders = 0 } = counts;
    const each = orders / SEATS / ordersOfOne;
    const isLikeOne = each >= ORDERS_EACH.least && each <= ORDERS_EACH.most;
    claim(isLikeOne, `${SEATS} strategies placed ${orders} orders, one ${ordersOfOne}`);
    const figure = await figureOf('strategies-ordering', {
      ...{ data, size, counts: { ...counts, ordersOfOne, matchedOfOne } },
      ten: { operations: orders, run: () => ten.run() },
      one: { operations: ordersOfOne, run: () => one.run() },
    });
    return { ...figure, unit: 'orders/s' };
  });
}

async function figureOf(
  name: string,
  bench: {
    readonly data: BenchData;
    readonly size: BenchSize;
    readonly ten: Measured;
    readonly one: Measured;
    readonly counts: Counts;
  },
): Promise<Figure> {
  const { data, size, ten, one } = bench;
  const { value, yardstick, ratio } = await compared(size.repetitions, ten, one);
  const timesTheTime = ten.operations / value / (one.operations / yardstick);
  const counts = { strategies: SEATS, ...bench.counts, timesTheTime };
  const beside = { name: 'one strategy', value: yardstick };
  return { name, value, unit: 'updates/s', yardstick: beside, ratio, counts, data: data.tapeName };
}

function instances(plugin: StrategyPlugin): readonly StrategyPlugin[] {
  return Array.from({ length: SEATS }, () => plugin);
}

/** Strategies that read, each of which must have read the same in every pass. */
class Reading implements Measured {
  readonly #readers: readonly PriceReader[];
  readonly #replay: Replay;
  sum = 0;

  constructor(markets: readonly SourceMarket[], count: number) {
    this.#readers = Array.from({ length: count }, readingBest);
    this.#replay = new Replay({ markets, plugins: this.#readers.map(({ plugin }) => plugin) });
  }

  get operations(): number {
    return this.#replay.operations;
  }

  async warmUp(passes: number): Promise<Counts> {
    const counts = idleCounts(await this.#replay.warmUp(1), this.#readers.length);
    this.sum = this.#readers[0]?.takeSum() ?? 0;
    for (const reader of this.#readers.slice(1)) claim(reader.takeSum() === this.sum, 'strategies read other prices');
    for (let pass = 1; pass < passes; pass += 1) await this.run();
    return counts;
  }

  async run(): Promise<number> {
    const seconds = await this.#replay.run();
    for (const reader of this.#readers) claim(reader.takeSum() === this.sum, 'two passes read other prices');
    return seconds;
  }
}
