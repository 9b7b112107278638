/** Each bound of the fills is a world of its own: what a strategy would not have done there did not happen there. */

import { expect, test } from 'vitest';
import type { BacktestOptions } from '../../src/backtest/options/backtest-options.ts';
import { backtest } from '../../src/backtest.ts';
import { back, defineStrategy, favourites } from '../../src/index.ts';
import { INTERVAL } from '../../src/result/figures/bounds.ts';
import type { BacktestResult } from '../../src/result/result.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { backtestOf, onlyMarkets } from '../support/backtest-of.ts';
import { SAMPLE_TAPE } from '../support/places.ts';
import { temporaryFile } from '../support/temporary-directory.ts';

const strategy = (name: string, body: string): string =>
  temporaryFile(
    `${name}.ts`,
    `import { back, cancel, defineStrategy, favourites } from 'oddsmith';\n${body.replace('NAME', name)}`,
  );

/** It joins the queue of the favourite, and gives each order up after a minute. */
const impatient = strategy(
  'impatient',
  `export default defineStrategy({ name: 'NAME', decide({ market, orders, now }) {
  const old = orders.filter((order) => now - order.placedAt >= 60_000 && !order.cancelling);
  if (old.length > 0) return old.map(cancel);
  const [favourite] = favourites(market);
  if (!market.tradable || orders.length > 0 || favourite?.bestFor === undefined) return { intents: [], wakeAt: now + 60_000 };
  return { intents: [back(favourite, { stake: 5, price: favourite.bestFor.price })], wakeAt: now + 61_000 };
} });
`,
);

const markets = onlyMarkets('99000301', '99000501');

test('no bound fills an order after the strategy would have given it up there', async () => {
  const { fillRows, orderRows, runs } = await backtestOf([impatient], { fills: 'all', markets });
  expect(runs.map(({ flow }) => flow)).toEqual(['central', 'pessimistic', 'optimistic', 'lowest', 'highest']);
  const decidedAt = new Map([...orderRows].map(({ run, id, decidedAt }) => [`${run} ${id}`, decidedAt]));
  const lasted = [...fillRows].map(({ run, order, at }) => at - (decidedAt.get(`${run} ${order}`) ?? Number.NaN));
  expect(lasted.length).toBeGreaterThan(100);
  // An order stands for a minute and however long the market brings no update, and its cancellation travels.
  expect(Math.max(...lasted)).toBeLessThan(120_000);
}, 120_000);

/** What a module remembers grows with each call, and decides. */
const remembering = strategy(
  'remembering',
  `const seen = []; let calls = 0;
export default defineStrategy({ name: 'NAME', decide({ market, orders, why }) {
  calls += 1;
  if (why === 'order') seen.push(market.id);
  const [favourite] = favourites(market);
  if (!market.tradable || orders.length > 0 || favourite?.bestFor === undefined || calls % 7 > seen.length % 7) return [];
  return [back(favourite, { stake: 2 + (seen.length % 5), price: favourite.bestFor.price })];
} });
`,
);

const fromClosure = (): StrategyPlugin => {
  let fills = 0;
  return defineStrategy({
    name: 'from-closure',
    decide({ market, orders, why }) {
      if (why === 'order') fills += 1;
      const [favourite] = favourites(market);
      if (!market.tradable || orders.length > 0 || favourite?.bestFor === undefined) return [];
      return [back(favourite, { stake: 2 + (fills % 5), price: favourite.bestFor.price })];
    },
  });
};

const ways: readonly (readonly [string, Partial<BacktestOptions>])[] = [
  ['a stream', {}],
  ['polls', { feed: { mode: 'poll', everyMs: 700 } }],
  [
    'drawn delays',
    { latency: { request: { kind: 'spread', p50: 80, p99: 900 }, response: { kind: 'fixed', ms: 20 } } },
  ],
  ['pieces', { isolate: 'event' }],
];

test.each(ways)(
  'over %s each world is what it is alone, whatever a module or a closure remembers',
  async (_name, change) => {
    const strategies = [
      { file: remembering, params: {}, wallet: 'main' },
      { file: '', params: {}, wallet: 'main', plugin: fromClosure },
    ];
    const of = (fills: BacktestOptions['fills']) => backtestOf([], { ...change, strategies, fills, markets });
    const [alone, three, five] = [await of('central'), await of('bounds'), await of('all')];
    const hashes = ({ runs }: BacktestResult, flow: string) =>
      runs.filter((run) => run.flow === flow).map(({ transcriptSha256 }) => transcriptSha256);
    expect(hashes(three, 'central')).toEqual(hashes(alone, 'central'));
    for (const bound of INTERVAL) expect(hashes(five, bound)).toEqual(hashes(three, bound));
    expect(three.orders).toEqual(alone.orders);
    expect(three.total.central).toEqual(alone.total.central);
    expect(new Set(three.runs.map(({ transcriptSha256 }) => transcriptSha256)).size).toBe(three.runs.length);
  },
  120_000,
);

test('a strategy that throws is halted in that world alone, which is named', async () => {
  const file = strategy(
    'throwing',
    `export default defineStrategy({ name: 'NAME', decide({ market, orders }) {
  const [favourite] = favourites(market);
  const matched = orders.some(({ stakeMatched }) => stakeMatched > 0);
  if (matched) throw new Error('it was filled');
  if (!market.tradable || orders.length > 0 || favourite?.bestFor === undefined) return [];
  return [back(favourite, { stake: 5, price: favourite.bestFor.price })];
} });
`,
  );
  const { halts, runs, warnings } = await backtestOf([file], { fills: 'all', markets });
  expect(halts.length).toBeGreaterThan(1);
  const [first] = halts;
  expect(first?.what).toMatch(/^Strategy 'throwing' was halted on market 99000\d+ in the (\w+ world|worlds )/);
  expect(warnings[0]).toContain(first?.worlds.join(', '));
  expect(halts.flatMap(({ worlds }) => worlds).toSorted()).toEqual(
    runs
      .filter(({ halts: count }) => count > 0)
      .map(({ flow }) => flow)
      .toSorted(),
  );
});

test('what is the same in every world is said once: the console, and a throw at the first call', async () => {
  const file = strategy(
    'talking',
    `export default defineStrategy({ name: 'NAME', decide({ market }) { console.log(market.id); throw new Error('at once'); } });`,
  );
  const lines: string[] = [];
  const { halts } = await backtestOf([file], { fills: 'all', markets }, { onWords: (line) => lines.push(line) });
  expect(lines).toHaveLength(1);
  expect(halts).toHaveLength(1);
  expect(halts[0]?.worlds).toHaveLength(5);
  expect(halts[0]?.what).not.toContain('world');
});

test('an object is taken for one world, and a function that makes one for several', async () => {
  const input = { tape: SAMPLE_TAPE, markets: { ids: [...markets.ids] } };
  const refused: unknown = await backtest({ ...input, strategies: [fromClosure()] }).catch((error) => error);
  expect(refused).toMatchObject({ code: 'CONFIG_INVALID', where: 'strategies[0]' });
  expect(String((refused as { next?: string }).next)).toContain('() => defineStrategy(');
  const one = await backtest({ ...input, strategies: [fromClosure()], fills: 'central' });
  const three = await backtest({ ...input, strategies: [{ plugin: fromClosure }] });
  expect(three.summary.orders).toEqual(one.summary.orders);
  expect(three.summary.total.optimistic.stakeMatched).toBeGreaterThan(0);
});
