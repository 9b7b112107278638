/** The benches of replay: a tape through simulator and pipeline, with a strategy that does nothing and one that trades. */

import { readFileSync } from 'node:fs';
import type { BacktestOptions } from '../../src/app/backtest-options.ts';
import { type SimulationEnd, simulate } from '../../src/app/backtest-simulation.ts';
import { chooseMarkets, MergedUpdates, type SourceMarket } from '../../src/app/backtest-source.ts';
import { newSeat } from '../../src/engine/runtime.ts';
import { Transcript } from '../../src/engine/transcript.ts';
import { Tape } from '../../src/recording/tape.ts';
import type { Bound } from '../../src/report/result.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import type { BenchData } from './data.ts';
import { claim, compared, type Figure, type Measured, Stopwatch } from './figure.ts';
import { parseAlone } from './parse-alone.ts';
import { layFavourite, noop } from './replay-strategies.ts';
import type { BenchSize } from './size.ts';

/** Orders travel 120 ms and find no delay and no limit on the exchange's side. */
const OPTIONS: BacktestOptions = {
  strategies: [],
  tapes: [],
  markets: { types: [], ids: [], events: [] },
  wallets: { main: { currency: 'USDC', balance: 'unlimited' } },
  feed: { mode: 'stream' },
  latency: { request: { kind: 'fixed', ms: 120 }, response: { kind: 'fixed', ms: 0 } },
  inPlayDelay: { ms: 0 },
  commission: 'recorded',
  fills: 'bounds',
  prove: false,
  fillRules: { cancellations: 'pro-rata', hiddenVolume: 'through-queue', crossMatching: 'rounded' },
  limits: {},
  isolate: 'none',
  seed: 1,
  out: '',
};

const CENTRAL: readonly Bound[] = ['central'];
const ALL_BOUNDS: readonly Bound[] = ['central', 'pessimistic', 'optimistic'];

export async function benchReplayNoop(data: BenchData, size: BenchSize): Promise<Figure> {
  return withTape(data, size, async (markets) => {
    const idle = new Replay(markets, noop, CENTRAL);
    const warm = await idle.warmUp();
    const { updates, decisions, intended } = warm;
    claim(decisions === updates, `${updates} updates gave ${decisions} decisions`);
    claim(intended === 0, 'a strategy that does nothing placed orders');
    const counts = { updates, decisions, orders: 0 };
    return { name: 'replay-noop', counts, ...(await besideParsing(data, size, idle)) };
  });
}

export async function benchReplayActive(data: BenchData, size: BenchSize): Promise<Figure> {
  return withTape(data, size, async (markets) => {
    const active = new Replay(markets, layFavourite, CENTRAL);
    const counts = activeCounts(await active.warmUp());
    return { name: 'replay-active', counts, ...(await besideParsing(data, size, active)) };
  });
}

/** The active strategy answered three ways, beside itself answered once. */
export async function benchReplayBounds(data: BenchData, size: BenchSize): Promise<Figure> {
  return withTape(data, size, async (markets) => {
    const bounds = new Replay(markets, layFavourite, ALL_BOUNDS);
    const one = new Replay(markets, layFavourite, CENTRAL);
    const counts = activeCounts(await bounds.warmUp());
    const central = activeCounts(await one.warmUp());
    claim(counts['orders'] === central['orders'], 'the orders of the central bound are not those of all three');
    const { value, yardstick, ratio } = await compared(size.repetitions, bounds, one);
    const beside = { name: 'replay-active, central bound only', value: yardstick };
    return { name: 'replay-bounds', value, unit: 'updates/s', yardstick: beside, ratio, counts, data: data.tapeName };
  });
}

async function withTape(
  data: BenchData,
  size: BenchSize,
  run: (markets: readonly SourceMarket[]) => Promise<Figure>,
): Promise<Figure> {
  const tape = Tape.open(data.tape);
  try {
    const { markets } = chooseMarkets([tape], OPTIONS.markets);
    claim(markets.length > 0, `${data.tapeName} has no market to replay`);
    return await run(markets.slice(0, size.markets));
  } finally {
    tape.close();
  }
}

async function besideParsing(
  data: BenchData,
  size: BenchSize,
  replay: Replay,
): Promise<Pick<Figure, 'value' | 'unit' | 'yardstick' | 'ratio' | 'data'>> {
  const parsing = parseAlone(readFileSync(data.tapeLines, 'latin1'));
  parsing.run();
  const { value, yardstick, ratio } = await compared(size.repetitions, replay, parsing);
  const beside = { name: `${data.tapeLinesName}, lines/s`, value: yardstick };
  return { value, unit: 'updates/s', yardstick: beside, ratio, data: data.tapeName };
}

/** Fails where the strategy never traded: then its figure would be the idle one. */
function activeCounts({ updates, decisions, collector }: SimulationEnd): Record<string, number> {
  const { sent, matchedFully, matchedPartly, cancelled } = collector.tally;
  claim(collector.halts.length === 0, 'the strategy was halted');
  claim(sent > 0, 'the active strategy placed no order: the tape has nothing in play for it');
  claim(decisions >= updates, `${updates} updates gave only ${decisions} decisions`);
  return { updates, decisions, orders: sent, matched: matchedFully + matchedPartly, cancelled };
}

/** One strategy over all updates of the tape, tape reading and transcript included. */
class Replay implements Measured {
  operations = 0;
  readonly #markets: readonly SourceMarket[];
  readonly #plugin: StrategyPlugin;
  readonly #bounds: readonly Bound[];
  #transcript = '';

  constructor(markets: readonly SourceMarket[], plugin: StrategyPlugin, bounds: readonly Bound[]) {
    this.#markets = markets;
    this.#plugin = plugin;
    this.#bounds = bounds;
  }

  /** The first pass, which no figure counts; every later one must have the same transcript. */
  async warmUp(): Promise<SimulationEnd> {
    const { end, transcript } = await this.#pass();
    this.operations = this.#markets.reduce((sum, { market }) => sum + market.updates, 0);
    claim(end.updates === this.operations, `${this.operations} updates are on the tape, ${end.updates} were replayed`);
    this.#transcript = transcript;
    return end;
  }

  async run(): Promise<number> {
    const watch = new Stopwatch();
    const { end, transcript } = await this.#pass();
    const seconds = watch.seconds();
    claim(end.updates === this.operations && transcript === this.#transcript, 'two passes over a tape differ');
    return seconds;
  }

  async #pass(): Promise<{ end: SimulationEnd; transcript: string }> {
    const transcript = new Transcript('bench');
    const end = await simulate({
      options: OPTIONS,
      source: new MergedUpdates(this.#markets),
      seats: [newSeat({ index: 0, plugin: this.#plugin, params: {}, wallet: 0, signals: new Map() })],
      bounds: this.#bounds,
      transcript,
      onSlice: () => false,
    });
    return { end, transcript: transcript.close() };
  }
}
