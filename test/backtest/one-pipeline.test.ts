/** A backtest is the streams of the pipeline: who watches them sees all of it, and who breaks them ends it at once. */

import { type Observable, tap } from 'rxjs';
import { beforeEach, describe, expect, it } from 'vitest';
import { RunCollector } from '../../src/backtest/simulation/backtest-collector.ts';
import { simulate } from '../../src/backtest/simulation/backtest-simulation.ts';
import type { SimulationEnd } from '../../src/backtest/simulation/simulated-world.ts';
import type { PlaceIntent } from '../../src/core/intent.ts';
import { Random } from '../../src/core/number/random.ts';
import { Engine } from '../../src/engine/engine.ts';
import { newInstance } from '../../src/engine/ledger/strategy-in-market.ts';
import type { RunEvent, RunLog } from '../../src/engine/log/run-log.ts';
import { Transcript } from '../../src/engine/log/transcript.ts';
import { pipeline } from '../../src/engine/pipeline.ts';
import type { FeedMessage, Gateway } from '../../src/exchange/gateway.ts';
import { Playback } from '../../src/simulator/gateway/playback.ts';
import { SimulatedGateway } from '../../src/simulator/gateway/simulated-gateway.ts';
import { fillRulesOf } from '../../src/simulator/overlay/fill-rules.ts';
import { RecordedMarkets } from '../../src/simulator/replay/recorded-markets.ts';
import { ReplayExchange } from '../../src/simulator/replay/replay-exchange.ts';
import type { DecideInput, StrategyPlugin } from '../../src/strategy/contract.ts';
import { SimulatedClock } from '../../src/time/simulated-clock.ts';
import { OPTIONS, runScript, Script, units } from '../support/scripted-run.ts';

const seen: string[] = [];

/** The same gateway, with a `tap` on all that it emits. */
function tapped(gateway: Gateway): Gateway {
  const watched = <Reply extends { readonly kind: string }>(replies$: Observable<Reply>): Observable<Reply> =>
    replies$.pipe(tap(({ kind }) => void seen.push(kind)));
  const nameOf = (message: FeedMessage): string =>
    message.kind === 'market' ? `${message.market.facts.id} ${message.cause}` : message.kind;
  return {
    feed$: gateway.feed$.pipe(tap((message) => void seen.push(nameOf(message)))),
    place: (batch, mayLeave) => watched(gateway.place(batch, mayLeave)),
    cancel: (orders) => watched(gateway.cancel(orders)),
    heartbeat: (timeoutMs) => gateway.heartbeat(timeoutMs),
    clearHeartbeat: (leavesOrders) => gateway.clearHeartbeat(leavesOrders),
  };
}

/** Plays a script with the given strategy through a pipeline whose gateway has a tap. */
function playTapped(
  made: Script,
  plugin: StrategyPlugin,
): {
  readonly updates: number;
  readonly sent: number;
  readonly counts: Engine['counts'];
} {
  const source = made.source();
  const clock = new SimulatedClock(source.startAt);
  const collector = new RunCollector({ transcript: new Transcript(''), bound: 'central', strategies: [plugin.name] });
  const world = { fillRules: fillRulesOf('central'), listener: collector, rules: {}, wallets: [units(1000)] };
  const replay = new ReplayExchange({ at: source.startAt, ...world });
  const gateway = new SimulatedGateway({
    ...{ clock, replay, latency: OPTIONS.latency, random: Random.fromSeed(1), wallets: 1 },
    onOrderEnd: (track) => collector.orderEnded(track),
    onMarketEnd: (market) => collector.marketEnded(market, replay.exchange),
  });
  const instances = [newInstance({ index: 0, plugin, params: {}, wallet: 0, signals: new Map() })];
  const engine = new Engine({ instances, limits: {}, log: collector, intentsMax: 100 });
  pipeline({ clock, gateway: tapped(gateway), engine }).subscribe();
  gateway.start();
  const playback = new Playback(new RecordedMarkets({ life: { crossMatching: true } }, [replay]), [gateway]);
  let updates = 0;
  for (let next = source.next(); next !== undefined; next = source.next()) {
    playback.play(source.index, source.recorded(source.index), next);
    updates += 1;
  }
  return { updates, sent: collector.tally.sent, counts: engine.counts };
}

function script(): Script {
  const made = new Script();
  for (const shift of [0, 500]) {
    const market = made.market();
    market.at(1000 + shift, { level: [0, 'Against', 2, 100] }, { level: [0, 'For', 2.02, 100] });
    for (let second = 2; second < 30; second += 1) market.at(second * 1000 + shift, { last: [1, 2] });
    market.settle(30_000 + shift, 0);
  }
  return made;
}

function place({ market }: DecideInput, change: Partial<PlaceIntent> = {}): PlaceIntent {
  return { kind: 'place', market: market.id, outcome: 'o0', side: 'For', price: 2, stake: 10, ...change };
}

/** Backs once a market, rests once, and cancels what rests. */
const busy: StrategyPlugin = {
  name: 'busy',
  decide(input) {
    const { orders, why } = input;
    if (why !== 'prices') return [];
    if (orders.length === 0) return [place(input), place(input, { price: 3, stake: 5 })];
    const [resting] = orders.filter(({ status }) => status === 'Unmatched');
    return resting === undefined ? [] : [{ kind: 'cancel', order: resting.id }];
  },
};

/** Throws at the event with that number. */
function breaking(at: number, error: Error): RunLog & { events: number } {
  return {
    events: 0,
    logEvent(this: { events: number }, _event: RunEvent) {
      this.events += 1;
      if (this.events >= at) throw error;
    },
    logUpdate: () => undefined,
  };
}

beforeEach(() => {
  seen.length = 0;
});

describe('a tap', () => {
  it('sees every message of the feed and every reply', () => {
    const { updates, sent, counts } = playTapped(script(), busy);
    const count = (kind: string): number => seen.filter((each) => each === kind).length;
    const ofMarkets = seen.filter((each) => / (?:listed|prices|status)$/.test(each));
    // A market is reported once more when it is closed.
    expect(ofMarkets).toHaveLength(updates + 2);
    expect(count('settled')).toBe(2);
    expect(count('wallet')).toBeGreaterThan(2);
    expect(sent).toBeGreaterThan(10);
    // Two orders leave at once, cancellations one by one.
    expect(count('placed') * 2).toBe(sent);
    expect(count('cancelled')).toBe(counts.cancellations - counts.cancellationsRepeated);
  });
});

describe('an error of ours in a step', () => {
  it.each([1, 2, 3, 7])('ends the run at once with that error: at event %i', async (at) => {
    const error = new Error('the disk of the log is full');
    const log = breaking(at, error);
    let calls = 0;
    const decide = (input: DecideInput) => {
      calls += 1;
      if (log.events >= at) throw new Error('called after the end');
      return busy.decide?.(input) ?? [];
    };
    await expect(runScript(script(), [{ name: 'counts', decide }], { secondLog: log })).rejects.toBe(error);
    expect(log.events).toBe(at);
    expect(calls).toBeGreaterThan(0);
  });

  it('is the error of a hook after an update just so', async () => {
    const error = new Error('the hook');
    const afterUpdate = (): void => {
      throw error;
    };
    await expect(runScript(script(), [busy], { afterUpdate })).rejects.toBe(error);
  });
});

describe('an end from inside a call', () => {
  it('is where the run stands: nothing more is decided', async () => {
    let endNow = (): readonly SimulationEnd[] => [];
    let ends: readonly SimulationEnd[] = [];
    let calls = 0;
    const decide = (input: DecideInput) => {
      calls += 1;
      if (calls === 3) ends = endNow();
      return [place(input)];
    };
    const plugin = { name: 'ends', decide };
    const instances = [newInstance({ index: 0, plugin, params: {}, wallet: 0, signals: new Map() })];
    await simulate({
      ...{
        options: OPTIONS,
        source: script().source(),
        bound: 'central',
        transcript: new Transcript('ends'),
        instances,
      },
      onSlice: () => false,
      onBegun: (end) => {
        endNow = end;
      },
    });
    expect(calls).toBe(3);
    expect(ends[0]?.decisions).toBe(2);
  });
});
