/** The benches of replay: a tape through simulator and pipeline, with a strategy that does nothing and one that trades. */

import { join } from 'node:path';
import type { SourceMarket } from '../../src/backtest/simulation/backtest-source.ts';
import { loadStrategy } from '../../src/loader/strategy-loader.ts';
import type { Bound } from '../../src/result/figures/bounds.ts';
import { withYardstick } from './apart.ts';
import { BareReplay } from './bare-replay.ts';
import type { BenchData } from './data.ts';
import { asLongAs, BenchFailure, claim, compared, type Figure, type Measured } from './figure.ts';
import { OrderReplay } from './order-replay.ts';
import { activeCounts, idleCounts, Replay, withMarkets } from './replay-run.ts';
import { layFavourite, noop } from './replay-strategies.ts';
import type { BenchSize } from './size.ts';

/** What `--fills bounds` and `--fills all` compute; strategies see the fills of the central bound. */
const INTERVAL: readonly Bound[] = ['central', 'pessimistic', 'optimistic'];
const WITH_EXTREMES: readonly Bound[] = ['central', 'lowest', 'pessimistic', 'optimistic', 'highest'];

export async function benchReplayNoop(data: BenchData, size: BenchSize): Promise<Figure> {
  return withTape(data, size, async (markets) => {
    const idle = new Replay({ markets, plugins: [noop] });
    const counts = idleCounts(await idle.warmUp(size.warmPasses));
    return { name: 'replay-noop', counts, ...(await besideParsing(data, size, idle)) };
  });
}

export async function benchReplayActive(data: BenchData, size: BenchSize): Promise<Figure> {
  return withTape(data, size, async (markets) => {
    const active = new Replay({ markets, plugins: [layFavourite] });
    const counts = activeCounts(await active.warmUp(size.warmPasses));
    return { name: 'replay-active', counts, ...(await besideParsing(data, size, active)) };
  });
}

/** The active strategy as a guest: loaded from a file into a realm of its own, as the command loads every strategy. */
export async function benchReplayGuest(data: BenchData, size: BenchSize): Promise<Figure> {
  const loaded = await loadStrategy(join(data.root, 'test/bench/guest-strategy.ts'));
  if (loaded.kind === 'fault') throw new BenchFailure(`${loaded.fault.what} ${loaded.fault.why}`);
  return withTape(data, size, async (markets) => {
    const guest = new Replay({ markets, plugins: [loaded.plugin] });
    const counts = activeCounts(await guest.warmUp(size.warmPasses));
    return { name: 'replay-guest', counts, ...(await besideParsing(data, size, guest)) };
  });
}

/** The same orders without the bot that sends them: no pipeline, however fast, replays them sooner than this. */
export async function benchReplayOrders(data: BenchData, size: BenchSize): Promise<Figure> {
  return withTape(data, size, async (markets) => {
    const orders = await OrderReplay.record(markets, layFavourite);
    for (let pass = 0; pass < size.warmPasses; pass += 1) orders.run();
    return { name: 'replay-orders', counts: orders.counts, ...(await besideParsing(data, size, orders)) };
  });
}

/** The same orders and fills without exchange, risk and ledger: no framework, however fast, replays them sooner than this. */
export async function benchReplayBare(data: BenchData, size: BenchSize): Promise<Figure> {
  return withTape(data, size, async (markets) => {
    const { counts, stakeMatched } = await OrderReplay.record(markets, layFavourite);
    const bare = new BareReplay(markets, layFavourite, { ...counts, stake: stakeMatched });
    for (let pass = 0; pass < size.warmPasses; pass += 1) bare.run();
    return { name: 'replay-bare', counts, ...(await besideParsing(data, size, bare)) };
  });
}

/** The active strategy with the interval of its fills, beside itself with the central bound alone. */
export async function benchReplayBounds(data: BenchData, size: BenchSize): Promise<Figure> {
  return besideOneAnswer('replay-bounds', INTERVAL, data, size);
}

/** The active strategy with the interval and the conceivable extremes, beside itself with the central bound alone. */
export async function benchReplayAll(data: BenchData, size: BenchSize): Promise<Figure> {
  return besideOneAnswer('replay-all', WITH_EXTREMES, data, size);
}

async function besideOneAnswer(
  name: string,
  bounds: readonly Bound[],
  data: BenchData,
  size: BenchSize,
): Promise<Figure> {
  return withTape(data, size, async (markets) => {
    const many = new Replay({ markets, plugins: [layFavourite], bounds });
    const one = new Replay({ markets, plugins: [layFavourite] });
    const counts = activeCounts(await many.warmUp(size.warmPasses));
    const central = activeCounts(await one.warmUp(size.warmPasses));
    claim(counts['orders'] === central['orders'], `the orders of the central bound are not those of ${name}`);
    const { value, yardstick, ratio } = await compared(size.repetitions, many, one);
    const beside = { name: 'replay-active, central answer only', value: yardstick };
    return { name, value, unit: 'updates/s', yardstick: beside, ratio, counts, data: data.tapeName };
  });
}

function withTape(
  data: BenchData,
  size: BenchSize,
  run: (markets: readonly SourceMarket[]) => Promise<Figure>,
): Promise<Figure> {
  return withMarkets(data.tape, (markets) => run(markets.slice(0, size.markets)));
}

async function besideParsing(
  data: BenchData,
  size: BenchSize,
  replay: Measured,
): Promise<Pick<Figure, 'value' | 'unit' | 'yardstick' | 'ratio' | 'data'>> {
  const { value, yardstick, ratio } = await withYardstick(
    { kind: 'parse', file: data.tapeLines, warmUps: 1 },
    async (parsing) => compared(size.shortRepetitions, await asLongAs(parsing, replay), parsing),
  );
  const beside = { name: `${data.tapeLinesName}, lines/s`, value: yardstick };
  return { value, unit: 'updates/s', yardstick: beside, ratio, data: data.tapeName };
}
