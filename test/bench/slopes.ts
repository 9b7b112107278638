/** The benches of how cost grows: twice the markets, twice the orders, and the memory of orders that are finished. */

import type { BenchData } from './data.ts';
import { ExchangeRun, FlowCommands, TURNS } from './exchange-run.ts';
import { claim, type Figure, type Measured, Stopwatch } from './figure.ts';
import { Flow } from './flow.ts';
import { type Cost, costsOf, slopeOf } from './growth.ts';
import { liveBytes } from './live-bytes.ts';
import { mergedTape } from './merged-tape.ts';
import { activeCounts, Replay, withMarkets } from './replay-run.ts';
import { layFavourite } from './replay-strategies.ts';
import type { BenchSize } from './size.ts';

const OUTCOMES = 3;
const MIB = 2 ** 20;
/** Finished markets at the first look at memory; at the second there are four times as many. */
const FINISHED = 4;

/** A quarter, half and all of the merged markets. */
export async function benchSlopeMarkets(data: BenchData, size: BenchSize): Promise<Figure> {
  return withMarkets(await mergedTape(data, size.merged), async (markets) => {
    const replays: Replay[] = [];
    const orders: number[] = [];
    for (const part of [4, 2, 1]) {
      const replay = new Replay({ markets: markets.slice(0, size.merged / part), plugins: [layFavourite] });
      orders.push(activeCounts(await replay.warmUp(1))['orders'] ?? 0);
      replays.push(replay);
    }
    const [first = 0, second = 0, third = 0] = orders;
    claim(second === 2 * first && third === 4 * first, 'twice the markets did not place twice the orders');
    const costs = await costsOf(size.slopeRepetitions, replays);
    const counts = { markets: size.merged, updates: replays[2]?.operations ?? 0, orders: third, ...millis(costs) };
    return slopeFigure('slope-markets', {
      costs,
      counts,
      data: `${size.merged / 4}, ${size.merged / 2} and ${size.merged} markets merged`,
    });
  });
}

/** One market with a steady number of live orders, played on for once, twice and four times as long. */
export async function benchSlopeOrders(size: BenchSize): Promise<Figure> {
  const flows = [1, 2, 4].map((times) => flowOf(times * size.exchangeOperations));
  const plays = flows.map((flow) => new FlowPlay(flow));
  for (const play of plays) play.check();
  const costs = await costsOf(size.repetitions, plays);
  const liveMax = Math.max(...flows.map((flow) => flow.liveMax));
  const counts = { orders: plays[2]?.operations ?? 0, liveMax, ...millis(costs) };
  return slopeFigure('slope-orders', { costs, counts, data: `seeded flow, ${OUTCOMES} outcomes, one market` });
}

/** Live bytes when sixteen markets are finished, beside four: an order's slot is given out again. */
export async function benchMemoryOrders(size: BenchSize): Promise<Figure> {
  const flow = flowOf(size.exchangeOperations / 10);
  const run = new ExchangeRun(OUTCOMES, []);
  const bare = liveBytes();
  const finish = (from: number, to: number): number => {
    for (let market = from; market < to; market += 1) {
      if (market > 0) run.openNext(OUTCOMES);
      run.play(new FlowCommands(flow, { from: 0, to: flow.length, market, firstOrder: market * flow.orders }));
      run.check(flow);
      run.forget();
    }
    return liveBytes() - bare;
  };
  const early = finish(0, FINISHED) / MIB;
  const late = finish(FINISHED, 4 * FINISHED) / MIB;
  run.openNext(OUTCOMES);
  const all = 4 * FINISHED;
  run.play(new FlowCommands(flow, { from: 0, to: flow.length, market: all, firstOrder: all * flow.orders }));
  const withOpenMarketMiB = (liveBytes() - bare) / MIB;
  return {
    name: 'memory-orders',
    value: late,
    unit: 'MiB',
    yardstick: { name: `after a quarter of the orders`, value: early },
    ratio: late / early,
    counts: { markets: all, orders: all * flow.orders, ordersOfOne: flow.orders, withOpenMarketMiB },
    data: 'live bytes of the exchange after a collection, every market settled and forgotten',
  };
}

function flowOf(operations: number): Flow {
  return new Flow({ seed: 3, outcomes: OUTCOMES, operations, adds: TURNS, takes: 0.3 });
}

function slopeFigure(
  name: string,
  bench: { readonly costs: readonly Cost[]; readonly counts: Figure['counts']; readonly data: string },
): Figure {
  const { costs, counts, data } = bench;
  const value = slopeOf(costs);
  const yardstick = { name: 'twice the time for twice as much', value: 1 };
  return { name, value, unit: 'slope', yardstick, ratio: value, counts, data };
}

function millis(costs: readonly Cost[]): Record<string, number> {
  return Object.fromEntries(costs.map(({ seconds }, at) => [`cpuMs${2 ** at}`, 1000 * seconds]));
}

/** The flow after its opening orders, on a new exchange each time. */
class FlowPlay implements Measured {
  readonly operations: number;
  readonly #flow: Flow;
  #events = 0;

  constructor(flow: Flow) {
    this.#flow = flow;
    this.operations = flow.orders - flow.opening;
  }

  /** Once, beside the obvious book. */
  check(): void {
    const run = this.#played().run;
    this.#events = run.events;
    run.check(this.#flow);
  }

  run(): number {
    const { run, seconds } = this.#played();
    claim(run.events === this.#events, 'the exchange told other events than in its first run');
    return seconds;
  }

  #played(): { readonly run: ExchangeRun; readonly seconds: number } {
    const flow = this.#flow;
    const run = new ExchangeRun(OUTCOMES, new FlowCommands(flow, { from: 0, to: flow.opening }));
    const commands = new FlowCommands(flow, { from: flow.opening, to: flow.length });
    const watch = new Stopwatch();
    run.play(commands);
    return { run, seconds: watch.seconds() };
  }
}
