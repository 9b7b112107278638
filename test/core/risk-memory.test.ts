/** The memory of the limits equals lists of all results and orders, and survives any restart. */

import { describe, expect, it } from 'vitest';
import { Random } from '../../src/core/number/random.ts';
import { type Instant, instant, money } from '../../src/core/number/units.ts';
import { MINUTE_MS, NO_RISK_MEMORY, RiskHistory, type RiskMemory } from '../../src/core/run/risk-memory.ts';
import { TRADING_STATES } from '../../src/core/run/trading-state.ts';
import { NaiveHistory } from '../support/risk/naive-history.ts';

const NOON = Date.UTC(2026, 2, 24, 12);
const HOUR_MS = 60 * MINUTE_MS;
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

/** A memory after a checkpoint: only plain data survives. */
function kept(memory: RiskMemory): RiskMemory {
  return JSON.parse(JSON.stringify(memory));
}

function figures(of: RiskHistory | NaiveHistory, now: Instant): unknown {
  return {
    day: of.dayLoss(now),
    hours: [1, 24, 168].map((hours) => of.rollingLoss(now, hours)),
    drawdown: of.drawdown,
    losingRun: of.losingRun,
    lastLossAt: of.lastLossAt,
    sent: [1, 24].map((hours) => of.ordersSent(now, hours)),
    matched: [1, 24].map((hours) => of.ordersMatched(now, hours)),
    second: of.ordersInSecond(now),
  };
}

/**
 * A later time: mostly by little, sometimes by a pause, rarely by a week, and now and then an earlier time, as when a
 * clock is set back.
 */
function later(random: Random, at: number): number {
  if (random.chance(0.02)) return at - random.below(HOUR_MS);
  if (random.chance(0.01)) return at + random.below(100 * HOUR_MS);
  if (random.chance(0.2)) return at + random.below(HOUR_MS);
  return at + random.below(300);
}

function step(random: Random, at: Instant, histories: readonly (RiskHistory | NaiveHistory)[]): void {
  const kind = random.below(10);
  const profit = money((random.below(41) - 22) * 1_000_000);
  const isDifference = random.chance(0.2);
  const to = TRADING_STATES[random.below(3)] ?? 'running';
  const by = random.chance(0.5) ? 'drawdown' : 'command';
  for (const history of histories) {
    if (kind < 4) history.sent(at);
    else if (kind < 6) history.matched(at);
    else if (kind < 9) history.settled({ at, profit, isDifference });
    else history.moved(to, to === 'running' ? 'command' : by);
  }
}

describe('what the limits remember', () => {
  it.each(SEEDS)('is what lists of all results and orders say, over any restarts (seed %i)', (seed) => {
    const random = Random.fromSeed(seed);
    const naive = new NaiveHistory();
    const steady = new RiskHistory();
    let restarted = new RiskHistory();
    let at = NOON;
    for (let i = 0; i < 1_500; i += 1) {
      at = later(random, at);
      step(random, instant(at), [naive, steady, restarted]);
      if (random.chance(0.05)) restarted = new RiskHistory(kept(restarted.memory()));
      const now = instant(random.chance(0.1) ? at + random.below(200 * HOUR_MS) : at);
      const expected = figures(naive, now);
      expect(figures(steady, now), `step ${i} of seed ${seed}`).toEqual(expected);
      expect(figures(restarted, now), `step ${i} of seed ${seed}, restarted`).toEqual(expected);
    }
    expect(restarted.memory()).toEqual(steady.memory());
  });

  it('is nothing at the start', () => {
    expect(new RiskHistory().memory()).toEqual(NO_RISK_MEMORY);
    expect(new RiskHistory(NO_RISK_MEMORY).memory()).toEqual(NO_RISK_MEMORY);
  });

  it('stays small however long a run lasts', () => {
    const history = new RiskHistory();
    for (let i = 0; i < 400_000; i += 1) {
      const at = instant(NOON + i * 7_001);
      history.sent(at);
      history.matched(at);
      history.settled({ at, profit: money(i % 2 === 0 ? -1 : 1), isDifference: false });
    }
    const { results, orders, recent } = history.memory();
    expect(results.length).toBeLessThanOrEqual(168 * 60 + 1);
    expect(orders.length).toBeLessThanOrEqual(24 * 60 + 1);
    expect(recent.length).toBe(1);
  });
});

describe('results', () => {
  const at = (hour: number): Instant => instant(NOON + hour * HOUR_MS);

  it('count a loss for as many hours as asked, and for less than a minute more', () => {
    const history = new RiskHistory();
    history.settled({ at: instant(NOON + 59_999), profit: money(-5), isDifference: false });
    expect(history.rollingLoss(instant(NOON + HOUR_MS + 59_999), 1)).toBe(5);
    expect(history.rollingLoss(instant(NOON + HOUR_MS + 60_000), 1)).toBe(0);
    history.settled({ at: instant(NOON + 2 * HOUR_MS), profit: money(-7), isDifference: false });
    expect(history.rollingLoss(instant(NOON + 3 * HOUR_MS + 59_999), 1)).toBe(7);
    expect(history.rollingLoss(instant(NOON + 3 * HOUR_MS + 60_000), 1)).toBe(0);
  });

  it('of a second settlement count by their difference, and are no further loss in a row', () => {
    const history = new RiskHistory();
    history.settled({ at: at(0), profit: money(-10), isDifference: false });
    history.settled({ at: at(1), profit: money(-4), isDifference: true });
    expect([history.dayLoss(at(1)), history.drawdown, history.losingRun, history.lastLossAt]).toEqual([
      14,
      14,
      1,
      NOON,
    ]);
    history.settled({ at: at(2), profit: money(30), isDifference: true });
    expect([history.dayLoss(at(2)), history.total, history.losingRun]).toEqual([0, 16, 1]);
  });

  it('of zero neither lengthen nor end a losing run; a profit ends it', () => {
    const history = new RiskHistory();
    for (const profit of [-1, -1, 0, -1]) history.settled({ at: at(0), profit: money(profit), isDifference: false });
    expect(history.losingRun).toBe(3);
    history.settled({ at: at(0), profit: money(1), isDifference: false });
    expect(history.losingRun).toBe(0);
  });

  it('start the drawdown anew for whoever resumes after a stop, and for nobody else', () => {
    const history = new RiskHistory();
    history.settled({ at: at(0), profit: money(100), isDifference: false });
    history.settled({ at: at(0), profit: money(-60), isDifference: false });
    history.moved('halted', 'command');
    history.moved('running', 'command');
    expect(history.drawdown).toBe(60);
    history.moved('reduceOnly', 'drawdown');
    history.moved('halted', 'file');
    history.moved('running', 'command');
    expect(history.drawdown).toBe(0);
    history.settled({ at: at(0), profit: money(-5), isDifference: false });
    expect(history.drawdown).toBe(5);
  });

  it('belong to their UTC day', () => {
    const history = new RiskHistory();
    history.settled({ at: at(11.99), profit: money(-30), isDifference: false });
    expect(history.dayLoss(at(11.999))).toBe(30);
    expect(history.dayLoss(at(12))).toBe(0);
    history.settled({ at: at(12), profit: money(8), isDifference: false });
    expect([history.dayLoss(at(12)), history.dayProfit(at(12)), history.dayProfit(at(36))]).toEqual([0, 8, 0]);
  });
});
