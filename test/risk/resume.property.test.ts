/** A run that is restarted at any moment judges as one that never stopped, under every limit and change of limits. */

import { describe, expect, it } from 'vitest';
import { Random } from '../../src/core/number/random.ts';
import { instant, money } from '../../src/core/number/units.ts';
import { RiskHistory, type RiskMemory } from '../../src/core/run/risk-memory.ts';
import { TRADING_STATES } from '../../src/core/run/trading-state.ts';
import type { LimitsConfig } from '../../src/risk/limits/limits.ts';
import type { RiskState } from '../../src/risk/risk-state.ts';
import { RiskWorld } from '../support/risk/risk-world.ts';
import { limitsOf, NOON } from './desk.ts';

const SEEDS = Array.from({ length: 10 }, (_, i) => i + 1);
const STEPS = 1_500;
const HOUR_MS = 3_600_000;

const LOOSE: LimitsConfig = {
  market: 400,
  strategy: 900,
  ordersPerSecond: 4,
  ordersPerHour: 24,
  ordersPerMarket: 40,
  liveOrders: 60,
  orderToMatch: { ratio: 4, minimumOrders: 30, hours: 6 },
  selfMatch: 'refuse',
  dailyLoss: 120,
  rollingLoss: { amount: 200, hours: 72 },
  drawdown: { amount: 300, action: 'reduceOnly' },
  cooldown: { losses: 4, minutes: 30 },
};
const TIGHT: LimitsConfig = {
  ...LOOSE,
  ordersPerSecond: 2,
  ordersPerHour: 16,
  rollingLoss: { amount: 60, hours: 168 },
  dailyLoss: 500,
  drawdown: { amount: 100, action: 'halted' },
  orderToMatch: { ratio: 2, minimumOrders: 10, hours: 24 },
};

/** One run twice: the second is killed now and then, and a third part only folds what a journal would hold. */
class Twins {
  readonly #random: Random;
  readonly steady: RiskWorld;
  readonly killed: RiskWorld;
  journal = new RiskHistory();

  constructor(seed: number) {
    this.#random = Random.fromSeed(seed);
    this.steady = new RiskWorld(Random.fromSeed(1_000 + seed), { limits: LOOSE, stakes: 20_000 });
    this.killed = new RiskWorld(Random.fromSeed(1_000 + seed), { limits: LOOSE, stakes: 20_000 });
  }

  get states(): readonly [RiskState, RiskState] {
    return [this.steady.entry.state, this.killed.entry.state];
  }

  /** Whatever the clock says, both see the same; prices are never stale here. */
  pass(): void {
    const ms = this.#random.chance(0.1) ? this.#random.below(5 * HOUR_MS) : this.#random.below(400);
    const now = instant(this.steady.entry.now + ms);
    this.steady.entry.now = now;
    this.killed.entry.now = now;
  }

  place(): string {
    const verdict = this.steady.place(this.steady.candidate());
    expect(this.killed.place(this.killed.candidate())).toEqual(verdict);
    if (verdict === 'sent') this.journal.sent(this.steady.entry.now);
    return verdict === 'sent' ? 'sent' : verdict.code;
  }

  exchangeActs(): void {
    const now = this.steady.entry.now;
    const isFirst = this.steady.exchangeActs();
    expect(this.killed.exchangeActs()).toBe(isFirst);
    if (!isFirst) return;
    for (const state of this.states) state.history.matched(now);
    this.journal.matched(now);
  }

  settle(): void {
    const at = this.steady.entry.now;
    const market = this.#random.below(this.steady.markets.length);
    const profit = money((this.#random.below(61) - 34) * 1_000_000);
    const isDifference = this.#random.chance(0.2);
    if (!isDifference) for (const world of [this.steady, this.killed]) world.begin(market);
    for (const state of this.states) state.recordSettled(profit, at, isDifference);
    this.journal.settled({ at, profit, isDifference });
    this.obey();
  }

  /** What the engine does with a stop: it is made and journalled. */
  obey(): void {
    const [steady, killed] = this.states;
    const move = steady.evaluate();
    expect(killed.evaluate()).toEqual(move);
    if (move === undefined) return;
    for (const state of this.states) state.moveTrading(move);
    this.journal.moved(move.to, move.by);
  }

  command(): void {
    const to = this.#random.chance(0.7) ? 'running' : (TRADING_STATES[this.#random.below(3)] ?? 'running');
    const changed = this.states.map((state) => state.moveTrading({ to, cause: 'by hand', by: 'command' }));
    expect(changed[0]).toBe(changed[1]);
    if (changed[0] === true) this.journal.moved(to, 'command');
  }

  newLimits(): void {
    const limits = limitsOf(this.#random.chance(0.5) ? LOOSE : TIGHT);
    for (const state of this.states) state.setLimits(limits);
    this.obey();
  }

  kill(): void {
    const [steady, killed] = this.states;
    expect(kept(killed.history.memory())).toEqual(kept(steady.history.memory()));
    expect(kept(this.journal.memory())).toEqual(kept(steady.history.memory()));
    this.journal = new RiskHistory(kept(this.journal.memory()));
    this.killed.restart(kept(this.journal.memory()));
  }

  get chance(): Random {
    return this.#random;
  }
}

function kept(memory: RiskMemory): RiskMemory {
  return JSON.parse(JSON.stringify(memory));
}

describe('a run that is killed and started again', () => {
  const seen = new Map<string, number>();

  it.each(SEEDS)('judges as if it had never stopped (seed %i)', (seed) => {
    const twins = new Twins(seed);
    const random = twins.chance;
    for (let i = 0; i < STEPS; i += 1) {
      twins.pass();
      const code = twins.place();
      seen.set(code, (seen.get(code) ?? 0) + 1);
      if (random.chance(0.4)) twins.exchangeActs();
      if (random.chance(0.05)) twins.settle();
      if (random.chance(0.02)) twins.command();
      if (random.chance(0.01)) twins.newLimits();
      if (random.chance(0.02)) twins.kill();
    }
    expect(twins.killed.entry.exposure.liveOrders).toBe(twins.steady.entry.exposure.liveOrders);
    expect(twins.steady.entry.now).toBeGreaterThan(NOON);
  });

  it('met every limit that remembers something', () => {
    const remembering = [
      ...['COOLING_DOWN', 'HALTED', 'LIMIT_DAILY_LOSS', 'LIMIT_ORDERS_PER_HOUR', 'LIMIT_RATE', 'LIMIT_ROLLING_LOSS'],
      ...['ORDER_TO_MATCH', 'REDUCE_ONLY', 'SELF_MATCH', 'sent'],
    ];
    expect([...seen.keys()]).toEqual(expect.arrayContaining(remembering));
  });
});
