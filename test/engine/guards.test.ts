/** A halt and the heartbeat in a running pipeline. */

import type { SchedulerAction, Subscription } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { RunCollector } from '../../src/backtest/simulation/backtest-collector.ts';
import { Random } from '../../src/core/number/random.ts';
import { Engine } from '../../src/engine/engine.ts';
import { newInstance } from '../../src/engine/ledger/strategy-in-market.ts';
import { Transcript } from '../../src/engine/log/transcript.ts';
import { pipeline } from '../../src/engine/pipeline.ts';
import type { Limits } from '../../src/risk/limits/limits.ts';
import { Playback } from '../../src/simulator/gateway/playback.ts';
import { SimulatedGateway } from '../../src/simulator/gateway/simulated-gateway.ts';
import { fillRulesOf } from '../../src/simulator/overlay/fill-rules.ts';
import { RecordedMarkets } from '../../src/simulator/replay/recorded-markets.ts';
import { ReplayExchange } from '../../src/simulator/replay/replay-exchange.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { SimulatedClock } from '../../src/time/simulated-clock.ts';
import { HALT, testSupervisor } from '../support/engine/test-supervisor.ts';
import { OPTIONS, Script, START, units } from '../support/scripted-run.ts';

/** Quotes 1 at 3.0 whenever it is called by prices. */
const quoter: StrategyPlugin = {
  name: 'quoter',
  decide: ({ market, why }) =>
    why === 'prices'
      ? [{ kind: 'place', market: market.id, outcome: 'o0', side: 'For', price: 3, stake: 1, keepWhenInPlay: true }]
      : [],
};

interface BotConfig {
  readonly limits?: Limits;
  readonly heartbeatMs?: number;
  readonly strategy?: StrategyPlugin;
}

/** Knows the alarms that were set and not cancelled, be it that they rang. */
class WatchedClock extends SimulatedClock {
  readonly #alarms: Subscription[] = [];

  override schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delayMs = 0, state?: T): Subscription {
    const alarm = super.schedule(work, delayMs, state);
    this.#alarms.push(alarm);
    return alarm;
  }

  get held(): number {
    return this.#alarms.filter(({ closed }) => !closed).length;
  }
}

function bot(script: Script, config: BotConfig) {
  const source = script.source();
  const clock = new WatchedClock(source.startAt);
  const collector = new RunCollector({ transcript: new Transcript(''), bound: 'central', strategies: ['quoter'] });
  const world = { fillRules: fillRulesOf('central'), listener: collector, rules: {}, wallets: [units(1000)] };
  const replay = new ReplayExchange({ at: source.startAt, ...world });
  const gateway = new SimulatedGateway({
    clock,
    replay,
    latency: OPTIONS.latency,
    random: Random.fromSeed(1),
    otherRandom: Random.fromSeed(2),
    wallets: 1,
    onOrderEnd: (track) => collector.orderEnded(track),
    onMarketEnd: (market) => collector.marketEnded(market, replay.exchange),
  });
  const playback = new Playback(new RecordedMarkets({ life: { crossMatching: true } }, [replay]), [gateway]);
  const { limits = {}, heartbeatMs, strategy = quoter } = config;
  const instances = [newInstance({ index: 0, plugin: strategy, params: {}, wallet: 0, signals: new Map() })];
  const engineSupervisor = testSupervisor(heartbeatMs === undefined ? undefined : { gateway, timeoutMs: heartbeatMs });
  const engine = new Engine({ instances, limits, log: collector, intentsMax: 100, engineSupervisor });
  pipeline({ clock, gateway, engine }).subscribe();
  gateway.start();
  /** Plays the script up to and including this many ms after its start. */
  const playUntil = (ms: number): void => {
    while (next !== undefined && next.publishedAt <= START + ms) {
      playback.play(source.index, source.recorded(source.index), next);
      next = source.next();
    }
    clock.runUntil(START + ms);
  };
  let next = source.next();
  return { playUntil, engine, collector, clock };
}

function ticking(seconds: readonly number[]): Script {
  const script = new Script();
  const market = script.market();
  for (const second of seconds) market.at(second * 1000, { last: [0, 2] });
  market.settle(200_000, 1);
  return script;
}

describe('a halt', () => {
  it('cancels all that is live and lets nothing new out, while updates go on', () => {
    const { playUntil, engine, collector } = bot(ticking([1, 2, 3, 4, 5]), {});
    playUntil(2500);
    expect(collector.tally.sent).toBe(2);
    engine.enqueue(HALT);
    playUntil(200_000);
    expect(collector.tally.sent).toBe(2);
    expect([...collector.refusals]).toEqual([['HALTED', 3]]);
    expect([...collector.orderRows()].map(({ status, reason }) => [status, reason])).toEqual([
      ['Cancelled', 'UserRequest'],
      ['Cancelled', 'UserRequest'],
    ]);
  });
});

describe('the heartbeat', () => {
  const limits: Limits = { heartbeat: true };

  it('is armed before the first order, and orders wait for its confirmation', () => {
    const { playUntil, collector } = bot(ticking([0.05, 1, 2]), { limits, heartbeatMs: 10_000 });
    playUntil(3000);
    // The first turn is at 0 s, the confirmation at 0.12 s.
    expect([...collector.refusals]).toEqual([['HEARTBEAT_NOT_ACTIVE', 1]]);
    expect(collector.tally.sent).toBe(2);
  });

  it('lapses when nothing is processed: the exchange cancels for us and the next order is held back', () => {
    const { playUntil, collector } = bot(ticking([1, 2, 30]), { limits, heartbeatMs: 10_000 });
    playUntil(200_000);
    expect(collector.tally.sent).toBe(2);
    expect([...collector.refusals]).toEqual([['HEARTBEAT_NOT_ACTIVE', 1]]);
    expect([...collector.orderRows()].map(({ reason }) => reason)).toEqual(['HeartbeatLapsed', 'HeartbeatLapsed']);
  });
});

describe('alarms of a live run', () => {
  const waking = (wakeInMs: number): StrategyPlugin => ({
    name: 'waking',
    decide: ({ now, why }) => (why === 'prices' ? { wakeAt: now + wakeInMs } : []),
  });

  it.each([
    ['one that rang', 1_000],
    ['one that lies behind the end of its market', 3_600_000],
  ])('%s is let go of, and what it knew of its market with it', (_what, wakeInMs) => {
    const { playUntil, clock } = bot(ticking([1, 5]), { strategy: waking(wakeInMs) });
    playUntil(5_500);
    expect(clock.held).toBe(1);
    playUntil(201_000);
    expect(clock.held).toBe(0);
  });

  it('each replaces the one before it, and all are cancelled at the end of the run', () => {
    const { playUntil, clock, engine } = bot(ticking([1, 2, 3, 4]), { strategy: waking(60_000) });
    playUntil(4_500);
    expect(clock.held).toBe(1);
    engine.release();
    expect(clock.held).toBe(0);
  });
});
