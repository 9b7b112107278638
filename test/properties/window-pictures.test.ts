/** A market that is opened from a picture is the market folded from its start: the same calls, transcript, rows and result. */

import { expect, it } from 'vitest';
import { runBacktest } from '../../src/backtest/backtest-run.ts';
import type { BacktestOptions } from '../../src/backtest/options/backtest-options.ts';
import { back, cancel, defineStrategy, lay } from '../../src/index.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import type { BacktestResult } from '../../src/result/result.ts';
import type { WindowRule } from '../../src/simulator/replay/market-window.ts';
import { entrySegment } from '../../src/simulator/replay/window-entry.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import type { OutcomeView } from '../../src/strategy/views/views.ts';
import { budget } from '../support/budget.ts';
import { MINUTE } from '../support/made-races.ts';
import { picturedTape, withoutPictures } from '../support/pictures/pictured-tape.ts';
import { recordedTape } from '../support/recorded-tape.ts';
import { OPTIONS } from '../support/scripted-run.ts';
import { allRecordings, testWithRecordings } from '../support/shared.ts';

const RULES: readonly WindowRule[] = [
  { from: { of: 'start', ms: -10 * MINUTE }, to: { of: 'off', ms: 0 } },
  { from: { of: 'start', ms: -2 * MINUTE }, to: { of: 'off', ms: 2 * MINUTE } },
  { from: { of: 'off', ms: 0 } },
  { from: { of: 'off', ms: 4 * MINUTE } },
  { from: { of: 'start', ms: -45 * MINUTE }, to: { of: 'start', ms: -20 * MINUTE } },
];

/** Sees all of a market, orders now and then, and lets a promise decide what it does later. */
function trader(seen: string[]): StrategyPlugin {
  return defineStrategy({
    name: 'trader',
    state: () => ({ calls: 0, mood: 0 }),
    decide({ market, why, now, orders, state }) {
      state.calls += 1;
      void Promise.resolve().then(() => {
        state.mood = state.calls;
      });
      if (state.calls % 40 === 0)
        seen.push(
          `${why} ${now} ${market.id} ${market.updatedAt} ${state.mood} ${JSON.stringify(market.snapshot(400))}`,
          ...market.outcomes.map((outcome) => JSON.stringify([outcome.tradedLevels(), startingPricesOf(outcome)])),
        );
      if (!market.tradable) return [];
      if (state.calls % 31 === 0) return { intents: orders.map((order) => cancel(order)) };
      const outcome = market.outcomes[(state.calls + state.mood) % market.outcomes.length];
      if (outcome === undefined || state.calls % 12 !== 0 || orders.length > 5) return [];
      const [taken, joined] = [outcome.bestFor, outcome.bestAgainst];
      const keepWhenInPlay = state.calls % 24 === 0;
      if (state.calls % 3 === 0)
        return joined ? [lay(outcome, { stake: 30, price: joined.price, keepWhenInPlay })] : [];
      return taken ? [back(outcome, { stake: 5 + (state.mood % 40), price: taken.price, keepWhenInPlay })] : [];
    },
  });
}

function startingPricesOf({ startingPrices: { near, far, actual } }: OutcomeView) {
  return { near, far, actual };
}

interface Run {
  readonly result: Omit<BacktestResult, 'orderRows' | 'fillRows'>;
  readonly orders: readonly unknown[];
  readonly fills: readonly unknown[];
  readonly seen: readonly string[];
}

async function run(tape: string, change: Partial<BacktestOptions>): Promise<Run> {
  const seen: string[] = [];
  const strategies = [{ file: '', plugin: trader(seen), params: {}, wallet: 'main' }];
  const options = { ...OPTIONS, strategies, tapes: [tape], fills: 'bounds' as const, ...change };
  const { orderRows, fillRows, tapes, ...result } = await runBacktest(options, {
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
  const used = tapes.map((each) => ({ ...each, path: '' }));
  return { result: { ...result, tapes: used, elapsedMs: 0 }, orders: [...orderRows], fills: [...fillRows], seen };
}

/** How many markets of the tape begin with a picture, and how many updates those leave out. */
function entries(path: string, rule: WindowRule): { markets: number; leftOut: number } {
  const tape = Tape.open(path);
  const found = { markets: 0, leftOut: 0 };
  for (const { index, refusal } of tape.markets) {
    const outline = tape.outline(index);
    if (outline === undefined || refusal !== undefined) continue;
    const segment = entrySegment({ outline, definitions: tape.definitions(index), rule, memoryMs: 1_000 });
    if (segment === undefined) continue;
    found.markets += 1;
    const { segments, pictures } = tape.packed(index);
    for (const { number, updates } of segments) if (number < segment) found.leftOut += updates;
    for (const { number, updates } of pictures) if (number === segment) found.leftOut -= updates;
  }
  tape.close();
  return found;
}

async function expectSame(
  tape: string,
  { rules = RULES, ...change }: Partial<BacktestOptions> & { readonly rules?: readonly WindowRule[] } = {},
): Promise<{ markets: number; orders: number; leftOut: number }> {
  const folded = withoutPictures(tape);
  const sum = { markets: 0, orders: 0, leftOut: 0 };
  for (const window of rules) {
    const markets = { types: [], ids: [], events: [], window };
    const begun = await run(tape, { ...change, markets });
    expect(begun).toEqual(await run(folded, { ...change, markets }));
    const found = entries(tape, window);
    sum.markets += found.markets;
    sum.leftOut += found.leftOut;
    sum.orders += begun.orders.length;
  }
  return sum;
}

it('gives what folding from the start gives, over made markets', async () => {
  const sum = { markets: 0, orders: 0, leftOut: 0 };
  const changes: readonly Partial<BacktestOptions>[] = [
    {},
    { fillRules: { ...OPTIONS.fillRules, levelsOutOfSight: { maxAgeMs: 600_000 } } },
    { feed: { mode: 'poll', everyMs: 5_000 } },
    { exchange: { ...OPTIONS.exchange, inPlaySuspension: 'as-recorded' } },
  ];
  for (let seed = 1; seed <= budget({ each: 4, deep: 40 }); seed += 1) {
    const found = await expectSame(picturedTape(seed), changes[seed % changes.length]);
    sum.markets += found.markets;
    sum.orders += found.orders;
    sum.leftOut += found.leftOut;
  }
  console.log('begun from pictures:', sum);
  expect(sum.markets).toBeGreaterThan(10);
  expect(sum.orders).toBeGreaterThan(500);
});

/** Those of which some window leaves out most, with whole ladders and with the best few levels. */
const LONG: readonly string[] = [
  ...['betfair_parser__1.127236622.bz2', 'betfair_parser__1.205822330.bz2', 'nautilus__1-206064380.bz2'],
  'profitbox__ADVANCED__1.231172884.bz2',
];

testWithRecordings(
  'gives what folding from the start gives, over recordings',
  async () => {
    // All recordings under all rules in the deep run: each rule is two runs over a quarter of a million updates.
    const [files, rules] = budget({ each: [LONG, RULES.slice(0, 1)], deep: [allRecordings(), RULES] });
    const found = await expectSame(await recordedTape(...files), { rules, fills: 'central' });
    console.log('recordings begun from pictures:', found);
    expect(found.markets).toBeGreaterThanOrEqual(3);
    expect(found.orders).toBeGreaterThan(500);
  },
  300_000,
);
