import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MarketState } from '../../src/core/market-state.ts';
import { decimalOfTick, TICK_COUNT, type Tick } from '../../src/core/number/ladder.ts';
import type { Money } from '../../src/core/number/units.ts';
import {
  back,
  cancel,
  cancelAll,
  closeTrade,
  dutch,
  favourites,
  greenUp,
  lay,
  type MarketView,
  overround,
  type PlaceIntent,
  replace,
  spread,
  weightOfMoney,
} from '../../src/index.ts';
import { isStake } from '../../src/strategy/stake-step.ts';
import { createFixedMarket, type MarketSetup } from '../../src/strategy/testing/fixed-market.ts';
import { type Bet, createFixedPosition } from '../../src/strategy/testing/fixed-position.ts';
import { gatedView } from '../support/strategy-view.ts';

function viewOf(state: MarketState): MarketView {
  const live = gatedView(state);
  live.open();
  return live.view;
}

function market(setup: MarketSetup): MarketView {
  return viewOf(createFixedMarket(setup));
}

function outcome(setup: Omit<MarketSetup['outcomes'][number], 'id'>) {
  const found = market({ outcomes: [{ id: 'a', ...setup }] }).outcome('a');
  if (found === undefined) throw new Error('no outcome');
  return found;
}

describe('back and lay', () => {
  const quoted = outcome({
    against: [
      [2, 100],
      [1.99, 50],
    ],
    for: [[2.04, 30]],
  });

  it('take the best price when told none', () => {
    expect(back(quoted, { stake: 5 })).toEqual({
      kind: 'place',
      market: 'market',
      outcome: 'a',
      side: 'For',
      price: 2,
      stake: 5,
    });
    expect(lay(quoted, { stake: 5 })).toMatchObject({ side: 'Against', price: 2.04 });
  });

  it('round the price in the trader’s favour and the stake down', () => {
    expect(back(quoted, { stake: 5.0019, price: 2.013 })).toMatchObject({ price: 2.02, stake: 5.001 });
    expect(lay(quoted, { stake: 0.1 + 0.2, price: 2.013 })).toMatchObject({ price: 2, stake: 0.3 });
  });

  it('round the stake down to the step of the exchange', () => {
    const quotes = { id: 'a', against: [[2, 100]], for: [[2.04, 30]] } as const;
    const state = createFixedMarket({ outcomes: [quotes, { id: 'b' }] });
    const step = { minimumStake: { stake: 1_000_000 as Money, step: 10_000 as Money } };
    const stepped = { ...state, ...step };
    const hundredths = viewOf(stepped);
    const [first] = hundredths.outcomes;
    if (first === undefined) throw new Error('no outcome');
    expect([first.stakeStep, outcome({}).stakeStep]).toEqual([0.01, 0.001]);
    expect(back(first, { stake: 5.0199 }).stake).toBe(5.01);
    expect(lay(first, { stake: 0.1 + 0.2 }).stake).toBe(0.3);
    expect(dutch([first], { stake: 7.779 })[0]?.stake).toBe(7.77);
    const position = createFixedPosition(stepped, [{ outcome: 'a', side: 'For', price: 2, stake: 7.77 }]);
    expect(greenUp(hundredths, position)[0]?.stake).toBe(7.61);
  });

  it('name no price where there is none, rather than take what is there', () => {
    const empty = outcome({ against: [[2, 100]] });
    expect(lay(empty, { stake: 5 }).price).toBeNaN();
    expect(back(empty, { stake: 5, price: empty.bestFor?.price }).price).toBeNaN();
  });

  it('pass on how the order is to live', () => {
    expect(back(quoted, { stake: 5, keepWhenInPlay: true, matchBehavior: 'CancelUnmatched' })).toMatchObject({
      keepWhenInPlay: true,
      matchBehavior: 'CancelUnmatched',
    });
  });
});

describe('cancel, cancelAll and replace', () => {
  it('name their order, or where the orders are', () => {
    const view = market({ id: 'm', outcomes: [{ id: 'a' }] });
    expect(cancel(7)).toEqual({ kind: 'cancel', order: 7 });
    expect(cancelAll()).toEqual({ kind: 'cancelAll' });
    expect(cancelAll(view)).toEqual({ kind: 'cancelAll', market: 'm' });
    expect(view.outcomes.map(cancelAll)).toEqual([{ kind: 'cancelAll', market: 'm', outcome: 'a' }]);
    expect(replace(7, { price: 2.5 })).toEqual({ kind: 'replace', order: 7, price: 2.5 });
    expect(replace(7, { price: 2.5, stake: 1.00049 })).toEqual({ kind: 'replace', order: 7, price: 2.5, stake: 1 });
  });
});

/** A market of n outcomes whose prices to back and to lay are a few ticks apart, as real books have them. */
const booked = fc
  .array(fc.record({ tick: fc.integer({ min: 20, max: 240 }), gap: fc.integer({ min: 1, max: 6 }) }), {
    minLength: 2,
    maxLength: 8,
  })
  .map((runners) =>
    createFixedMarket({
      outcomes: runners.map(({ tick, gap }, at) => ({
        id: `o${at}`,
        against: [[decimalOfTick(tick as Tick), 1000]],
        for: [[decimalOfTick((tick + gap) as Tick), 1000]],
      })),
    }),
  );

const betsOn = (state: MarketState) =>
  fc.array(
    fc.record({
      outcome: fc.constantFrom(...state.facts.outcomes.map(({ id }) => id)),
      side: fc.constantFrom('For' as const, 'Against' as const),
      price: fc.integer({ min: 0, max: TICK_COUNT - 1 }).map((tick) => decimalOfTick(tick as Tick)),
      stake: fc.integer({ min: 1, max: 100_000 }).map((thousandths) => thousandths / 1000),
    }),
    { minLength: 1, maxLength: 6 },
  );

const held = booked.chain((state) => betsOn(state).map((bets) => ({ state, bets })));

function profits(state: MarketState, bets: readonly Bet[]): readonly number[] {
  const position = createFixedPosition(state, bets);
  return state.facts.outcomes.map(({ id }) => position.profitIfWins(id));
}

function range(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

describe('greenUp', () => {
  it('lays a backed outcome with the profit difference over its price', () => {
    const state = createFixedMarket({
      outcomes: [
        { id: 'a', against: [[2.48, 100]], for: [[2.5, 100]] },
        { id: 'b', against: [[1.6, 100]], for: [[1.7, 100]] },
      ],
    });
    const bets: readonly Bet[] = [{ outcome: 'a', side: 'For', price: 3, stake: 10 }];
    expect(greenUp(viewOf(state), createFixedPosition(state, bets))).toEqual([
      {
        kind: 'place',
        market: 'market',
        outcome: 'a',
        side: 'Against',
        price: 2.5,
        stake: 12,
        matchBehavior: 'CancelUnmatched',
      },
    ]);
    expect(profits(state, [...bets, { outcome: 'a', side: 'Against', price: 2.5, stake: 12 }])).toEqual([2, 2]);
  });

  it('levels the profit over all outcomes, but for dust', () => {
    fc.assert(
      fc.property(held, ({ state, bets }) => {
        const hedges = greenUp(viewOf(state), createFixedPosition(state, bets), { stakeMin: 0.001 });
        const dust = state.facts.outcomes.length * 0.001 * 250;
        expect(range(profits(state, [...bets, ...hedges]))).toBeLessThanOrEqual(dust);
        for (const hedge of hedges) expect(isStake(hedge.stake)).toBe(true);
      }),
    );
  });

  it('finds the most profitable level: none on a fine grid between its profits beats it', () => {
    fc.assert(
      fc.property(held, ({ state, bets }) => {
        const view = viewOf(state);
        const before = profits(state, bets);
        const hedges = greenUp(view, createFixedPosition(state, bets), { stakeMin: 0.001 });
        const got = Math.min(...profits(state, [...bets, ...hedges]));
        const low = Math.min(...before);
        const high = Math.max(...before);
        const dust = state.facts.outcomes.length * 0.001 * 250;
        for (let step = 0; step <= 100; step += 1) {
          const level = low + ((high - low) * step) / 100;
          expect(got + dust).toBeGreaterThanOrEqual(levelledTo(view, before, level));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('leaves out what is dust, and nothing else', () => {
    const dust = fc.constantFrom(0.001, 0.01, 1, 7, 100);
    fc.assert(
      fc.property(held, dust, ({ state, bets }, stakeMin) => {
        const position = createFixedPosition(state, bets);
        const all = greenUp(viewOf(state), position, { stakeMin: 0 });
        expect(greenUp(viewOf(state), position, { stakeMin })).toEqual(all.filter(({ stake }) => stake >= stakeMin));
      }),
    );
  });

  it('asks for nothing when the market is level, or a price it needs is missing', () => {
    const state = createFixedMarket({
      outcomes: [
        { id: 'a', against: [[2, 1]] },
        { id: 'b', against: [[2, 1]] },
      ],
    });
    const view = viewOf(state);
    expect(greenUp(view, createFixedPosition(state, []))).toEqual([]);
    const laid: Bet = { outcome: 'a', side: 'Against', price: 2, stake: 10 };
    expect(greenUp(view, createFixedPosition(state, [laid]))).toHaveLength(1);
    const unpriced = createFixedMarket({ outcomes: [{ id: 'a' }, { id: 'b' }] });
    expect(greenUp(viewOf(unpriced), createFixedPosition(unpriced, [laid]))).toEqual([]);
  });

  it('leaves removed outcomes alone', () => {
    const state = createFixedMarket({
      outcomes: [
        { id: 'a', against: [[2, 100]], for: [[2.02, 100]] },
        { id: 'b', against: [[2, 100]], for: [[2.02, 100]] },
        { id: 'gone', status: 'Removed' },
      ],
    });
    const hedges = greenUp(
      viewOf(state),
      createFixedPosition(state, [{ outcome: 'a', side: 'For', price: 2.2, stake: 10 }]),
    );
    expect(hedges).toHaveLength(1);
    expect(hedges.map((hedge) => hedge.outcome)).not.toContain('gone');
  });
});

/** The profit when every outcome is traded to the payout `level` at its best price: the slow, obvious way. */
function levelledTo(view: MarketView, before: readonly number[], level: number): number {
  let staked = 0;
  for (const [at, runner] of view.outcomes.entries()) {
    const wanted = level - (before[at] ?? 0);
    staked += wanted / ((wanted > 0 ? runner.bestAgainst?.price : runner.bestFor?.price) ?? Number.NaN);
  }
  return level - staked;
}

describe('closeTrade', () => {
  it('makes one outcome’s own bets indifferent to its winning, and trades nothing else', () => {
    fc.assert(
      fc.property(held, ({ state, bets }) => {
        const [first] = viewOf(state).outcomes;
        if (first === undefined) return;
        const own = bets.filter((bet) => bet.outcome === first.id);
        const hedges = closeTrade(first, createFixedPosition(state, bets), { stakeMin: 0.001 });
        const [wins, loses] = profits(state, [...own, ...hedges]);
        expect(hedges.every((hedge) => hedge.outcome === first.id)).toBe(true);
        expect(Math.abs((wins ?? 0) - (loses ?? 0))).toBeLessThanOrEqual(0.25);
      }),
    );
  });
});

describe('dutch', () => {
  it('earns the same whichever outcome wins, and stakes at most what it was given', () => {
    fc.assert(
      fc.property(booked, fc.integer({ min: 1, max: 1_000_000 }), (state, thousandths) => {
        const { outcomes } = viewOf(state);
        const stake = thousandths / 1000;
        const orders = dutch(outcomes, { stake });
        expect(orders).toHaveLength(outcomes.length);
        expect(sum(orders)).toBeLessThanOrEqual(stake + 1e-9);
        expect(range(orders.map((order) => order.stake * order.price))).toBeLessThanOrEqual(0.001 * 250);
        const expected = stake / (1 + overround(outcomes));
        for (const order of orders) expect(Math.abs(order.stake * order.price - expected)).toBeLessThanOrEqual(0.25);
      }),
    );
  });

  const cheap = market({
    outcomes: [
      { id: 'a', against: [[2.1, 9]] },
      { id: 'b', against: [[2.2, 9]] },
    ],
  });

  it('stakes what earns a wanted profit, and nothing where the prices allow none', () => {
    const orders = dutch(cheap.outcomes, { profit: 5 });
    for (const order of orders) expect(order.stake * order.price - sum(orders)).toBeCloseTo(5, 1);
    const dear = market({
      outcomes: [
        { id: 'a', against: [[1.9, 9]] },
        { id: 'b', against: [[2, 9]] },
      ],
    });
    expect(dutch(dear.outcomes, { profit: 5 })).toEqual([]);
  });

  it('does nothing where a price is missing or nothing is staked', () => {
    const gap = market({ outcomes: [{ id: 'a', against: [[2.1, 9]] }, { id: 'b' }] });
    expect(dutch(gap.outcomes, { stake: 5 })).toEqual([]);
    expect(overround(gap.outcomes)).toBe(Number.POSITIVE_INFINITY);
    expect(dutch(cheap.outcomes, { stake: 0 })).toEqual([]);
    expect(dutch(cheap.outcomes, { stake: Number.NaN })).toEqual([]);
    expect(dutch([], { stake: 5 })).toEqual([]);
  });

  it('can queue at other prices', () => {
    const quoted = market({
      outcomes: [
        { id: 'a', for: [[2.1, 9]] },
        { id: 'b', for: [[2.2, 9]] },
      ],
    });
    const price = (o: (typeof quoted.outcomes)[number]) => o.bestFor?.price;
    expect(overround(quoted.outcomes, price)).toBeCloseTo(1 / 2.1 + 1 / 2.2 - 1, 12);
    expect(dutch(quoted.outcomes, { stake: 10, price }).map((order) => order.price)).toEqual([2.1, 2.2]);
  });
});

function sum(orders: readonly PlaceIntent[]): number {
  return orders.reduce((total, order) => total + order.stake, 0);
}

describe('reading a book', () => {
  it('ranks the active outcomes that have a price', () => {
    const view = market({
      outcomes: [
        { id: 'c', against: [[5, 1]] },
        { id: 'a', against: [[2, 1]] },
        { id: 'gone', against: [[1.5, 1]], status: 'Removed' },
        { id: 'empty', for: [[1.2, 1]] },
        { id: 'b', against: [[2, 1]] },
      ],
    });
    expect(favourites(view).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(favourites(view, 1).map(({ id }) => id)).toEqual(['a']);
  });

  it('measures the spread in ticks and the lean of the money', () => {
    const quoted = outcome({
      against: [
        [1.99, 10],
        [1.98, 10],
        [1.97, 10],
        [1.96, 999],
      ],
      for: [[2.02, 90]],
    });
    expect(spread(quoted)).toBe(2);
    expect(weightOfMoney(quoted)).toBe(0.75);
    expect(weightOfMoney(quoted, 1)).toBe(0.9);
    expect(spread(outcome({ for: [[2, 1]] }))).toBe(Number.POSITIVE_INFINITY);
    expect(weightOfMoney(outcome({}))).toBe(0.5);
  });
});
