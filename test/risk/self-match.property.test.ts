/** Our own live prices and counts, kept by difference, equal those looked up in the list of all orders. */

import { describe, expect, it } from 'vitest';
import { decimalOfTick } from '../../src/core/number/ladder.ts';
import { Random } from '../../src/core/number/random.ts';
import { money, STAKE_STEP } from '../../src/core/number/units.ts';
import type { Refusal } from '../../src/core/refusal.ts';
import type { NaiveOrder } from '../support/naive-exposure.ts';
import { RiskWorld } from '../support/risk/risk-world.ts';

const SEEDS = [1, 2, 3, 4, 5, 6];
const STEPS = 3_000;

/** A For reaches every Against at its price or higher; an Against every For at its price or lower. */
function reached(order: NaiveOrder, live: readonly NaiveOrder[]): readonly NaiveOrder[] {
  return live.filter(
    (other) =>
      other.market === order.market &&
      other.outcome === order.outcome &&
      other.side !== order.side &&
      other.held.stakeUnmatched >= STAKE_STEP &&
      (order.side === 'For' ? other.tick >= order.tick : other.tick <= order.tick),
  );
}

function expected(order: NaiveOrder, live: readonly NaiveOrder[]): Refusal | 'sent' {
  const prices = reached(order, live).map((other) => decimalOfTick(other.tick));
  if (prices.length > 0) {
    const own = order.side === 'For' ? Math.max(...prices) : Math.min(...prices);
    return { code: 'SELF_MATCH', limit: own, value: own, wouldBe: decimalOfTick(order.tick) };
  }
  const inMarket = live.filter((other) => other.market === order.market).length;
  if (inMarket >= 12) return { code: 'LIMIT_ORDERS_PER_MARKET', limit: 12, value: inMarket, wouldBe: inMarket + 1 };
  if (live.length < 30) return 'sent';
  return { code: 'LIMIT_LIVE_ORDERS', limit: 30, value: live.length, wouldBe: live.length + 1 };
}

describe('own live orders', () => {
  it.each(SEEDS)('are met, counted and forgotten as the list of them says (seed %i)', (seed) => {
    const random = Random.fromSeed(seed);
    const limits = { selfMatch: 'refuse', ordersPerMarket: 12, liveOrders: 30 } as const;
    const world = new RiskWorld(random, { limits, ticks: seed % 2 === 0 ? 350 : 40 });
    const codes = new Set<string>();
    for (let i = 0; i < STEPS; i += 1) {
      const live = world.live();
      const candidate = world.candidate();
      const demanded = expected(candidate, live);
      const verdict = world.place(candidate);
      expect(verdict, `step ${i} of seed ${seed}`).toEqual(demanded);
      codes.add(verdict === 'sent' ? 'sent' : verdict.code);
      if (random.chance(0.5)) world.exchangeActs();
      if (random.chance(0.01)) world.begin(random.below(world.markets.length));
      if (random.chance(0.01)) world.adopt(world.candidate());
      expect(world.entry.exposure.liveOrders).toBe(world.live().length);
    }
    expect([...codes].sort()).toEqual(['LIMIT_LIVE_ORDERS', 'LIMIT_ORDERS_PER_MARKET', 'SELF_MATCH', 'sent']);
  });

  it('that are dust of a fill are no quote, and stay live', () => {
    const random = Random.fromSeed(8);
    const world = new RiskWorld(random, { limits: { selfMatch: 'refuse' } });
    const quote = { ...world.candidate(), side: 'For' as const };
    expect(world.place(quote)).toBe('sent');
    const crossing = {
      ...world.candidate(),
      market: quote.market,
      outcome: quote.outcome,
      tick: quote.tick,
      side: 'Against' as const,
    };
    expect(world.place(crossing)).toMatchObject({ code: 'SELF_MATCH' });
    world.report(quote, { ...quote.held, stakeUnmatched: money(177) });
    expect(world.entry.exposure.liveOrders).toBe(1);
    expect(world.place(crossing)).toBe('sent');
  });

  it('leave nothing behind when every market has ended', () => {
    const random = Random.fromSeed(7);
    const world = new RiskWorld(random, { limits: {} });
    for (let i = 0; i < 200; i += 1) {
      world.place(world.candidate());
      if (random.chance(0.5)) world.exchangeActs();
    }
    expect(world.entry.exposure.liveOrders).toBeGreaterThan(0);
    for (const { index } of world.markets) world.entry.exposure.closeMarket(index);
    expect(world.entry.exposure.isZero()).toBe(true);
  });
});
