/** Refused intents one by one: the first of each code and market, alike ones as one row, and counts that add up to the headline. */

import { expect, test } from 'vitest';
import type { Intent } from '../../src/core/intent.ts';
import { Random } from '../../src/core/number/random.ts';
import type { EventOf } from '../../src/engine/log/run-log.ts';
import { defineStrategy, type MarketView } from '../../src/index.ts';
import { reportData } from '../../src/pages/report/report-data.ts';
import { joinedRefusals } from '../../src/result/figures/refusal-rows.ts';
import { sampleResult } from '../report/sample-result.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { madeDay } from '../support/made-races.ts';
import { sampleStrategy } from '../support/places.ts';
import { runScript, Script, units } from '../support/scripted-run.ts';

/** Wishes of all kinds, most of them wrong in some way. */
function wishOf(random: Random, market: MarketView): unknown {
  const [first] = market.outcomes;
  const place = { kind: 'place', market: market.id, outcome: first?.id, side: 'For', price: 2, stake: 10 };
  const wishes: readonly unknown[] = [
    { ...place, stake: 500, note: `number ${random.below(9)}` },
    { ...place, price: 2 + random.below(100) / 1_000 + 0.0001 },
    { ...place, price: 1e300 },
    { ...place, price: Number.NaN, stake: Number.POSITIVE_INFINITY },
    { ...place, stake: -random.below(40) },
    { ...place, outcome: '<b>none</b>' },
    { ...place, market: 'no such market' },
    { ...place, side: 'Both' },
    { ...place, note: 'n'.repeat(250) },
    { ...place, note: 7 },
    { kind: 'cancel', order: 99 },
    { kind: 'replace', order: 98, price: 3 },
    { kind: 'wish' },
    undefined,
    7,
  ];
  return wishes[random.below(wishes.length)];
}

async function asked(seed: number) {
  const random = Random.fromSeed(seed);
  const script = new Script();
  for (let index = 0; index < 3; index += 1) {
    const market = script.market();
    for (let at = 1; at < 120; at += 1) market.at(at * 1_000, { level: [0, 'Against', 2, at] });
    market.settle(200_000, 0);
  }
  const asker = defineStrategy({
    name: 'asker',
    decide: ({ market }) => [wishOf(random, market), wishOf(random, market)] as readonly Intent[],
  });
  const events: EventOf<'refused'>[] = [];
  const end = await runScript(script, [asker], {
    limits: { order: units(100) },
    secondLog: { logEvent: (event) => event.kind === 'refused' && events.push(event), logUpdate: () => {} },
  });
  return { events, refused: end.collector.refused, refusals: end.collector.refusals };
}

function keyOf({ market, refusal: { code }, intent }: EventOf<'refused'>): string {
  const { note: _note, ...others } = { ...intent } as Readonly<Record<string, unknown>>;
  const fields = Object.entries(others).map(([name, value]) => `${name} ${String(value)}`);
  return [market, code, ...fields.filter((field) => !field.startsWith('market '))].join('|');
}

test.each([1, 2, 3])(
  'seed %i: the first of each code and of each market are there, alike ones counted',
  async (seed) => {
    const { events, refused, refusals } = await asked(seed);
    expect(events.length).toBeGreaterThan(300);
    const byKey = [...Map.groupBy(events, keyOf)].map(([, own]) => ({
      first: own[0],
      times: own.length,
      last: own.at(-1),
    }));
    const wanted = new Set([
      ...[...refusals.keys()].flatMap((code) => byKey.filter(({ first }) => first?.refusal.code === code).slice(0, 25)),
      ...[0, 1, 2].flatMap((market) => byKey.filter(({ first }) => first?.market === market).slice(0, 50)),
    ]);
    const found = refused.rows.map(({ at, lastAt, times, code, marketId }) => [at, lastAt, times, code, marketId]);
    for (const { first, times, last } of wanted)
      expect(found).toContainEqual([first?.at, last?.at, times, first?.refusal.code, `1.${(first?.market ?? 0) + 1}`]);
    const inMarket = (market: number): number => events.filter((event) => event.market === market).length;
    expect(refused.byMarket).toEqual({ '1.1': inMarket(0), '1.2': inMarket(1), '1.3': inMarket(2) });
    for (const [code, times] of refusals) {
      const shown = refused.rows.filter((row) => row.code === code).reduce((sum, row) => sum + row.times, 0);
      expect(shown).toBeLessThanOrEqual(times);
    }
  },
);

test('what an intent says in the wrong form is left out, and a page can hold the rest', async () => {
  const { refused } = await asked(4);
  const { rows } = refused;
  expect(rows).toContainEqual(
    expect.objectContaining({
      code: 'LIMIT_ORDER',
      limit: 100,
      wouldBe: 500,
      stake: 500,
      outcomeTitle: expect.any(String),
    }),
  );
  expect(rows).toContainEqual(
    expect.objectContaining({ code: 'UNKNOWN_OUTCOME', outcomeId: '<b>none</b>', outcomeTitle: undefined }),
  );
  expect(rows).toContainEqual(expect.objectContaining({ code: 'UNKNOWN_ORDER', kind: 'cancel', order: 99 }));
  expect(rows).toContainEqual(expect.objectContaining({ code: 'INTENT_INVALID', kind: undefined }));
  for (const { price = 0, stake = 0, side = 'For' } of rows) {
    expect(Math.abs(price) + Math.abs(stake)).toBeLessThan(1e9);
    expect(['For', 'Against']).toContain(side);
  }
  const { facts } = reportData({ ...sampleResult(1), refused }, { kind: 'backtest', missing: [] });
  expect(facts.refusedIn).toEqual(refused.byMarket);
});

test('the order that an intent was about says its outcome and side', async () => {
  const script = new Script();
  const market = script.market();
  for (let at = 1; at < 20; at += 1) market.at(at * 1_000, { level: [1, 'For', 3, at] });
  market.settle(30_000, 0);
  const twice = defineStrategy({
    name: 'twice',
    decide: ({ market: { id, outcomes }, now }) =>
      now < Date.UTC(2026, 2, 24, 14, 0, 2)
        ? [
            {
              kind: 'place',
              market: id,
              outcome: outcomes[1]?.id ?? '',
              side: 'Against',
              price: 2,
              stake: 10,
              matchBehavior: 'CancelUnmatched',
            },
          ]
        : [
            { kind: 'cancel', order: 1 },
            { kind: 'cancel', order: 77 },
          ],
  });
  const { collector } = await runScript(script, [twice]);
  const [own, other] = collector.refused.rows;
  const [order] = collector.orderRows();
  expect(own).toMatchObject({ kind: 'cancel', order: order?.id, side: 'Against', outcomeId: order?.outcomeId });
  expect(own?.outcomeTitle).toBe(order?.outcomeTitle);
  expect(other).toMatchObject({ code: 'UNKNOWN_ORDER', order: 77, side: undefined, outcomeId: undefined });
});

/** That the counts add up over whole runs is in test/app/headline-sums.test.ts. */
const files = [sampleStrategy('passive-quoter'), sampleStrategy('favourite-scalp')];
const limits = { order: units(8), market: units(30) };

test('pieces in two threads give the same', async () => {
  const change = { tapes: [madeDay(4)], isolate: 'market', limits } as const;
  const [one, two] = [await backtestOf(files, change), await backtestOf(files, change, { jobs: 2 })];
  expect(one.refused.rows.length).toBeGreaterThan(25);
  expect(two.refused).toEqual(one.refused);
  expect(new Set(one.refused.rows.map(({ code }) => code))).toEqual(new Set(Object.keys(one.refusals)));
});

test('of several parts the first rows by time stay, as many as of one', () => {
  const row = (at: number, marketId: string) =>
    ({ at, lastAt: at, times: 1, strategy: 's', marketId, code: 'LIMIT_ORDER' }) as const;
  const part = (marketId: string, from: number) => ({
    rows: Array.from({ length: 60 }, (_, index) => row(from + index, marketId)),
    byMarket: { [marketId]: 60 },
  });
  const { rows, byMarket } = joinedRefusals([part('b', 1_000), part('a', 0)]);
  expect(byMarket).toEqual({ a: 60, b: 60 });
  expect(rows.map(({ at }) => at)).toEqual([
    ...Array.from({ length: 50 }, (_, at) => at),
    ...Array.from({ length: 50 }, (_, at) => 1_000 + at),
  ]);
});
