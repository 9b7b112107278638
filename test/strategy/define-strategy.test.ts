import { EMPTY, map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { back, defineStrategy, param, type StrategyPlugin } from '../../src/index.ts';
import { readDecision } from '../../src/strategy/decision/read-decision.ts';
import { shapeProblems } from '../../src/strategy/define-strategy.ts';
import { decideOnce, testMarket } from '../../src/testing.ts';

const market = testMarket({ id: 'm', outcomes: [{ id: 'a', against: [[2, 100]], for: [[2.02, 50]] }] });

describe('defineStrategy', () => {
  it('types params and state from their declarations, and is a plugin like any other', () => {
    const strategy = defineStrategy({
      name: 'typed',
      params: { stake: param.stake({ default: 2 }), mode: param.choice({ of: ['a', 'b'], default: 'a' }) },
      state: ({ outcomes }) => ({ seen: outcomes.length }),
      decide({ params, state }) {
        const mode: 'a' | 'b' = params.mode;
        const seen: number = state.seen;
        // @ts-expect-error there is no such param
        const none: unknown = params.none;
        return { state: { seen: seen + params.stake }, intents: [], ...(none === mode ? { wakeAt: 1 } : {}) };
      },
    });
    const erased: StrategyPlugin = strategy;
    expect(erased.name).toBe('typed');
    expect(decideOnce(strategy, { market, params: { stake: 5 } }).state).toEqual({ seen: 6 });
  });

  it('needs neither params nor state', () => {
    const bare: StrategyPlugin = defineStrategy({ name: 'bare', decide: () => [] });
    expect(decideOnce(bare, { market })).toEqual({
      intents: [],
      refusals: [],
      state: undefined,
      wakeAt: undefined,
      plotted: {},
    });
  });

  const decide = () => [];
  it.each([
    [undefined, 'A strategy is an object, not undefined.'],
    [[], 'A strategy is an object, not a list.'],
    [{ decide }, "'name' must be"],
    [{ name: 'Not Good', decide }, "not 'Not Good'"],
    [{ name: '-x', decide }, "'name' must be"],
    [{ name: 'x' }, "needs 'decide'"],
    [{ name: 'x', decide, run: () => EMPTY }, "either 'decide' or 'run', not both"],
    [{ name: 'x', decide: 'buy' }, "'decide' must be a function, not 'buy'."],
    [{ name: 'x', decide, watches: true }, "'watches' must be a function, not true."],
    [{ name: 'x', decide, state: {} }, "'state' must be a function, not an object."],
    [{ name: 'x', decide, params: [] }, "'params' must be an object, not a list."],
    [{ name: 'x', decide, params: { stake: 5 } }, "The param 'stake' must be declared with param.number"],
    [{ name: 'x', decide, params: { 'a=b': param.flag() } }, "The param name 'a=b'"],
    [{ name: 'x', decide, signals: {} }, "'signals' must be a list"],
    [{ name: 'x', decide, signals: [{ name: 'a' }] }, "'signals[0]' must be { name, file }."],
    [
      {
        name: 'x',
        decide,
        signals: [
          { name: 'a', file: 'a' },
          { name: 'a', file: 'b' },
        ],
      },
      "signal 'a' is declared twice",
    ],
    [{ name: 'x', decide, decides: decide }, "A strategy has no 'decides'"],
  ])('refuses %j', (plugin, problem) => {
    expect(shapeProblems(plugin).join(' ')).toContain(problem);
    expect(() => defineStrategy(plugin as never)).toThrow(problem);
  });
});

describe('what decide returns', () => {
  it('is a list of intents, a decision, or nothing', () => {
    const intents = [{ kind: 'cancel', order: 1 }];
    expect(readDecision(intents)).toEqual({ intents });
    expect(readDecision({ intents, state: 1, wakeAt: 2 })).toEqual({ intents, state: 1, wakeAt: 2 });
    expect(readDecision([])).toEqual({});
    expect(readDecision(undefined)).toEqual({});
  });

  it('keeps a state of undefined apart from no state', () => {
    expect('state' in readDecision({ state: undefined })).toBe(true);
    expect('state' in readDecision({ intents: [] })).toBe(false);
  });

  it.each([
    [Promise.resolve([]), 'must not be async'],
    [null, 'decide returned null'],
    [5, 'decide returned 5'],
    [{ intents: {} }, "'intents' is not a list"],
    [{ wakeAt: Number.NaN }, "'wakeAt' must be a time in ms UTC, not NaN"],
    [{ wakeAt: '12:00' }, "'wakeAt' must be a time"],
    [{ intent: [] }, "no 'intent'"],
    [{ kind: 'place' }, 'one intent and no list'],
  ])('is refused with its reason: %j', (returned, why) => {
    const read = readDecision(returned);
    expect(read.kind === 'bad' && read.why.toLowerCase()).toContain(why.toLowerCase());
  });
});

describe('decideOnce', () => {
  it('runs the stream form too, and throws what it throws', () => {
    const streaming = defineStrategy({
      name: 'streaming',
      run: (inputs$) => inputs$.pipe(map((input) => input.market.outcomes.map((o) => back(o, { stake: 2 })))),
    });
    expect(decideOnce(streaming, { market }).intents).toMatchObject([{ outcome: 'a', price: 2, stake: 2 }]);
    const failing = defineStrategy({
      name: 'failing',
      run: (inputs$) =>
        inputs$.pipe(
          map((): [] => {
            throw new Error('out of luck');
          }),
        ),
    });
    expect(() => decideOnce(failing, { market })).toThrow('out of luck');
  });

  it('gives a strategy its orders, position, wallet, signals, other markets and reason', () => {
    const other = testMarket({ id: 'n', outcomes: [{ id: 'z' }] });
    const strategy = defineStrategy({
      name: 'curious',
      state: () => ({}) as Record<string, unknown>,
      decide: (input) => ({
        state: {
          why: input.why,
          now: input.now,
          orders: input.orders.map(({ id, status, stakeUnmatched }) => ({ id, status, stakeUnmatched })),
          wins: input.position.profitIfWins('a'),
          worst: input.position.worstLoss,
          matched: input.position.matched('a', 'For'),
          wallet: input.wallet.balance,
          others: input.markets.all().map(({ id }) => id),
          found: input.markets.get('n')?.id,
          signal: input.signal('model', 'a'),
          none: input.signal('model', 'b'),
        },
      }),
    });
    const { state } = decideOnce(strategy, {
      market: testMarket({ id: 'm', outcomes: [{ id: 'a' }, { id: 'b' }] }),
      why: 'timer',
      now: 77,
      orders: [{ outcome: 'a', side: 'For', price: 2, stake: 10, stakeMatched: 4 }],
      position: [{ outcome: 'a', side: 'For', price: 3, stake: 4 }],
      markets: [other],
      signals: { model: { a: 0.5 } },
    });
    expect(state).toEqual({
      why: 'timer',
      now: 77,
      orders: [{ id: 1, status: 'PartiallyMatched', stakeUnmatched: 6 }],
      wins: 12,
      worst: 14,
      matched: { stake: 8, averagePrice: 2.5 },
      wallet: 10_000,
      others: ['m', 'n'],
      found: 'n',
      signal: 0.5,
      none: undefined,
    });
  });

  it('reports what would be refused, and fails on wrong params, prices and decisions', () => {
    const wild = defineStrategy({
      name: 'wild',
      decide: ({ market: { outcomes } }) => outcomes.map((o) => back(o, { stake: -1 })),
    });
    expect(decideOnce(wild, { market }).refusals).toMatchObject([{ code: 'STAKE_INVALID' }]);
    expect(() => decideOnce(wild, { market, params: { stake: 1 } as never })).toThrow("There is no param 'stake'.");
    expect(() => testMarket({ outcomes: [{ id: 'a', for: [[2.01, 5]] }] })).toThrow('a: 2.01 is not a ladder price.');
    const late = defineStrategy({ name: 'late', decide: async () => [] } as never);
    expect(() => decideOnce(late, { market })).toThrow('must not be async');
  });

  it('closes the views when the decision is made', () => {
    const kept = defineStrategy({
      name: 'keeps',
      state: () => ({}),
      decide: ({ market: view }) => ({ state: { view } }),
    });
    const { state } = decideOnce(kept as StrategyPlugin, { market });
    expect(() => (state as { view: { id: string } }).view.id).toThrow(/snapshot/);
  });
});
