/** While trading is reduced, whatever passes and whatever then happens, what can be lost never rises. */

import { describe, expect, it } from 'vitest';
import { Random } from '../../src/core/number/random.ts';
import { money } from '../../src/core/number/units.ts';
import { opposite } from '../../src/core/side.ts';
import { NO_STAKES } from '../../src/risk/exposure/exposure-book.ts';
import { lossInMarket } from '../support/risk/held-losses.ts';
import { RiskWorld } from '../support/risk/risk-world.ts';
import { order, RiskDesk, units } from './desk.ts';

const SEEDS = Array.from({ length: 16 }, (_, i) => i + 1);
const ORDERS = 250;

/** What each market, strategy and wallet can lose, worked out from the list of all orders. */
function losses(world: RiskWorld): Map<string, number> {
  const all = new Map<string, number>([['all', world.possibleLoss(world.orders)]]);
  for (const scope of ['market', 'strategy', 'wallet'] as const) {
    for (const index of [0, 1, 2, 3]) {
      all.set(`${scope} ${index}`, world.possibleLoss(world.orders.filter((order) => order[scope] === index)));
    }
  }
  return all;
}

function expectNoRise(before: Map<string, number>, after: Map<string, number>, what: string): void {
  for (const [scope, loss] of after) {
    expect(loss, `${scope} rose ${what}`).toBeLessThanOrEqual(before.get(scope) ?? 0);
  }
}

function busyWorld(random: Random): RiskWorld {
  const world = new RiskWorld(random, { limits: {} });
  for (let i = 0; i < 25; i += 1) {
    world.place(world.candidate());
    if (random.chance(0.6)) world.exchangeActs();
  }
  world.entry.state.moveTrading({ to: 'reduceOnly', cause: 'test', by: 'command' });
  return world;
}

describe('reduce-only', () => {
  it.each(SEEDS)('lets no sequence of orders, fills and cancellations raise what can be lost (seed %i)', (seed) => {
    const random = Random.fromSeed(seed);
    const world = busyWorld(random);
    let before = losses(world);
    const verdicts = new Map<string, number>();
    for (let i = 0; i < ORDERS; i += 1) {
      const next = world.closingCandidate();
      const words = JSON.stringify(next);
      const verdict = world.place(next);
      const code = verdict === 'sent' ? 'sent' : verdict.code;
      verdicts.set(code, (verdicts.get(code) ?? 0) + 1);
      const placed = losses(world);
      expectNoRise(before, placed, `with ${words}`);
      before = placed;
      if (!random.chance(0.3)) continue;
      world.exchangeActs();
      const acted = losses(world);
      expectNoRise(before, acted, 'by a fill or a cancellation');
      before = acted;
    }
    expect(verdicts.get('sent'), `seed ${seed} closed something`).toBeGreaterThan(0);
    expect(verdicts.get('REDUCE_ONLY')).toBeGreaterThan(0);
  });

  it.each(SEEDS)('lets a lone position be closed bit by bit at its own price, and no further (seed %i)', (seed) => {
    const world = new RiskWorld(Random.fromSeed(seed), { limits: {} });
    const held = world.candidate();
    const bit = { ...held.held, stakeUnmatched: money(250_000) };
    world.hold({ ...held, held: { ...held.held, stakeUnmatched: money(1_000_000) } });
    world.entry.state.moveTrading({ to: 'reduceOnly', cause: 'test', by: 'command' });
    const more = { ...held, held: bit };
    for (let i = 0; i < 4; i += 1) {
      expect(world.place({ ...more })).toMatchObject({ code: 'REDUCE_ONLY' });
      const closing = { ...held, side: opposite(held.side), held: bit };
      expect(world.place(closing), `bit ${i}`).toBe('sent');
      world.fill(closing);
    }
    expect(world.place({ ...held, side: opposite(held.side), held: bit })).toMatchObject({ code: 'REDUCE_ONLY' });
  });
});

describe('an order while trading is reduced', () => {
  const reduced = (): RiskDesk => {
    const entry = new RiskDesk({});
    entry.state.moveTrading({ to: 'reduceOnly', cause: 'test', by: 'command' });
    return entry;
  };

  it('may close a back that has drifted, at a loss, though the exchange asks more funds for it', () => {
    const entry = reduced();
    entry.matched({ price: 3, stake: 10 });
    expect(entry.verdict({ side: 'Against', price: 4, stake: 7.5 })).toBe('sent');
    expect(entry.exposure.requiredOfWallet(0)).toBe(units(22.5));
    expect(lossInMarket(entry.exposure, 0)).toBe(units(10));
  });

  it('may close a lay at short odds', () => {
    const entry = reduced();
    entry.matched({ side: 'Against', price: 1.1, stake: 10 });
    expect(entry.verdict({ price: 1.1, stake: 10 })).toBe('sent');
  });

  it('closes a position once, not twice at the same time', () => {
    const entry = reduced();
    entry.matched({ price: 3, stake: 10 });
    expect(entry.verdict({ side: 'Against', price: 4, stake: 7.5 })).toBe('sent');
    expect(entry.judge({ side: 'Against', price: 4, stake: 7.5 })).toEqual({
      code: 'REDUCE_ONLY',
      limit: 10,
      value: 10,
      wouldBe: 25,
    });
  });

  it('does not turn a position round, even into a smaller one', () => {
    const entry = reduced();
    entry.matched({ price: 2, stake: 10 });
    expect(entry.judge({ side: 'Against', price: 2, stake: 19 })).toEqual({
      code: 'REDUCE_ONLY',
      limit: 0.5,
      value: 10,
      wouldBe: 9,
    });
  });

  it('takes no profit out of a position by an order that only the amount limits let pass', () => {
    const order = { outcome: 0, side: 'Against', price: 3, stake: 12.4 } as const;
    const held = (entry: RiskDesk) => entry.matched({ outcome: 0, price: 6, stake: 5 });
    const limited = new RiskDesk({ market: 5, strategy: 5, wallet: 5 });
    held(limited);
    // +25 and −5: unfilled it changes nothing, and whole it makes +0.20 and +7.40 of it. What can be lost at most stays 5.
    expect(limited.verdict(order)).toBe('sent');
    expect(lossInMarket(limited.exposure, 0)).toBe(units(5));
    const entry = reduced();
    held(entry);
    expect(entry.judge(order)).toEqual({ code: 'REDUCE_ONLY', limit: -1.2, value: 5, wouldBe: -0.2 });
  });

  it('may make a profit certain, and may not risk it again', () => {
    const entry = reduced();
    entry.matched({ price: 3, stake: 10 });
    entry.matched({ side: 'Against', price: 2, stake: 10 });
    expect(entry.verdict({ side: 'Against', price: 2, stake: 5 })).toBe('sent');
    entry.exposure.change(order({ side: 'Against', price: 2 }), { ...NO_STAKES, stakeUnmatched: units(5) }, NO_STAKES);
    entry.matched({ side: 'Against', price: 2, stake: 5 });
    expect(entry.judge({ price: 2, stake: 5 })).toEqual({ code: 'REDUCE_ONLY', limit: -5, value: -5, wouldBe: 0 });
  });

  it('opens nothing behind a resting order that risks more', () => {
    const entry = new RiskDesk({});
    expect(entry.verdict({ outcome: 0, stake: 100 })).toBe('sent');
    entry.state.moveTrading({ to: 'reduceOnly', cause: 'test', by: 'command' });
    expect(entry.judge({ outcome: 0, side: 'Against', stake: 10 })).toEqual({
      code: 'REDUCE_ONLY',
      limit: 0,
      value: 0,
      wouldBe: 10,
    });
  });

  it('closes nothing for one strategy that another would lose by', () => {
    const entry = reduced();
    entry.matched({ strategy: 0, price: 3, stake: 10 });
    entry.matched({ strategy: 1, side: 'Against', price: 3, stake: 10 });
    expect(entry.judgeOrder(order({ strategy: 0, side: 'Against', price: 3, stake: 10 }))).toMatchObject({
      code: 'REDUCE_ONLY',
      value: 0,
      wouldBe: 20,
    });
  });
});
