/** The orders of a replay, at the same times, straight to the simulated exchange: what a replay costs without its bot. */

import { simulate } from '../../src/backtest/simulation/backtest-simulation.ts';
import { MergedUpdates, type SourceMarket } from '../../src/backtest/simulation/backtest-source.ts';
import { recordedRules, worldConfig } from '../../src/backtest/simulation/exchange-config.ts';
import { defined } from '../../src/core/checks/assert.ts';
import { type Instant, instant, type Money } from '../../src/core/number/units.ts';
import { newInstance } from '../../src/engine/ledger/strategy-in-market.ts';
import type { RunLog } from '../../src/engine/log/run-log.ts';
import { Transcript } from '../../src/engine/log/transcript.ts';
import type { OrderRequest } from '../../src/exchange/gateway.ts';
import type { PendingUpdate } from '../../src/recording/segment/update.ts';
import type { RecordedMarket } from '../../src/simulator/replay/played-market.ts';
import { RecordedMarkets } from '../../src/simulator/replay/recorded-markets.ts';
import { ReplayExchange } from '../../src/simulator/replay/replay-exchange.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { claim, type Measured, Stopwatch } from './figure.ts';
import { OPTIONS, REQUEST_MS } from './replay-run.ts';

/** A request as it arrives: an order, or the exchange's id of one to cancel. */
interface Call {
  readonly at: Instant;
  readonly place: readonly OrderRequest[] | undefined;
  readonly cancel: readonly number[];
}

/** The result of the replay; replays with equal orders have equal results. */
interface Fills {
  pieces: number;
  stake: number;
}

/** Recorded once with the strategy, played again and again without it. */
export class OrderReplay implements Measured {
  readonly operations: number;
  readonly #markets: readonly SourceMarket[];
  readonly #calls: readonly Call[];
  readonly #fills: Fills;

  private constructor(markets: readonly SourceMarket[], calls: readonly Call[], fills: Fills) {
    this.#markets = markets;
    this.#calls = calls;
    this.#fills = fills;
    this.operations = markets.reduce((sum, { market }) => sum + market.updates, 0);
  }

  static async record(markets: readonly SourceMarket[], plugin: StrategyPlugin): Promise<OrderReplay> {
    const calls: Call[] = [];
    const end = await simulate({
      options: OPTIONS,
      source: new MergedUpdates(markets),
      instances: [newInstance({ index: 0, plugin, params: {}, wallet: 0, signals: new Map() })],
      bound: 'central',
      transcript: new Transcript('bench'),
      secondLog: listener(calls),
      onSlice: () => false,
    });
    const fills = { pieces: 0, stake: 0 };
    for (const { stake } of end.collector.fillRows()) {
      fills.pieces += 1;
      fills.stake += Math.round(stake * 1e6);
    }
    return new OrderReplay(markets, calls, fills);
  }

  get counts(): { updates: number; orders: number; cancels: number; fills: number } {
    const orders = this.#calls.filter(({ place }) => place !== undefined).length;
    return { updates: this.operations, orders, cancels: this.#calls.length - orders, fills: this.#fills.pieces };
  }

  /** Matched in all, in money. */
  get stakeMatched(): number {
    return this.#fills.stake;
  }

  run(): number {
    const watch = new Stopwatch();
    const fills = this.#play();
    const seconds = watch.seconds();
    const { pieces, stake } = this.#fills;
    claim(fills.pieces === pieces && fills.stake === stake, 'without its strategy a replay filled other orders');
    return seconds;
  }

  #play(): Fills {
    const fills = { pieces: 0, stake: 0 };
    const filled = ({ stake }: { readonly stake: Money }): void => {
      fills.pieces += 1;
      fills.stake += stake;
    };
    const source = new MergedUpdates(this.#markets);
    const rules = { ...OPTIONS, wallets: ['unlimited'] as const };
    const replay = new ReplayExchange({
      at: source.startAt,
      ...worldConfig(rules, 'central'),
      listener: { filled },
    });
    const markets = new RecordedMarkets(recordedRules(rules), [replay]);
    const recorded: RecordedMarket[] = [];
    let next = 0;
    for (let update = source.next(); update !== undefined; update = source.next()) {
      const { index } = source;
      while ((this.#calls[next]?.at ?? Number.POSITIVE_INFINITY) <= update.publishedAt) {
        deliver(replay, defined(this.#calls[next], 'a call that is due'));
        next += 1;
      }
      const market = recorded[index] ?? source.recorded(index);
      recorded[index] = market;
      applyTo(markets, replay, index, market, update);
    }
    return fills;
  }
}

function deliver(replay: ReplayExchange, { at, place, cancel }: Call): void {
  if (place === undefined) replay.cancel(at, cancel);
  else claim(replay.place(at, place) !== undefined, 'no heartbeat blocks an order');
  release(replay);
}

function applyTo(
  markets: RecordedMarkets,
  replay: ReplayExchange,
  index: number,
  recorded: RecordedMarket,
  update: PendingUpdate,
): void {
  const at = update.publishedAt;
  const market = markets.market(index) ?? markets.open(index, recorded, at);
  if (update.isDefinition) markets.apply(market, update);
  else markets.applyPrices(market, update);
  release(replay);
  if (!market.hasEnded || market.updatesSeen < recorded.updates) return;
  const own = replay.opened(index);
  replay.close(own, at);
  replay.forget(own, at);
  markets.forget(market);
}

function release(replay: ReplayExchange): void {
  const changed = replay.exchange.drainChanged();
  for (let i = 0; i < changed.length; i += 1) {
    const track = changed[i];
    if (track !== undefined) replay.release(track);
  }
}

/** Collects what is sent with the time at which it arrives: requests of the benches all travel as long. */
function listener(calls: Call[]): RunLog {
  return {
    logUpdate: () => undefined,
    logEvent: (event) => {
      const at = instant(event.at + REQUEST_MS);
      if (event.kind === 'sent') calls.push({ at, place: [event.order.terms], cancel: [] });
      if (event.kind !== 'cancelSent') return;
      calls.push({ at, place: undefined, cancel: [defined(event.order.exchangeId, 'what is cancelled has an id')] });
    },
  };
}
