/** A window changes when strategies are asked, and nothing of what they see, or of what becomes of their orders. */

import { expect, it } from 'vitest';
import { runBacktest } from '../../src/backtest/backtest-run.ts';
import type { BacktestOptions } from '../../src/backtest/options/backtest-options.ts';
import { Random } from '../../src/core/number/random.ts';
import { back, cancel, defineStrategy, lay } from '../../src/index.ts';
import { DEFINITION } from '../../src/recording/segment/update.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import type { BacktestResult } from '../../src/result/result.ts';
import type { WindowRule } from '../../src/simulator/replay/market-window.ts';
import type { DecideInput, StrategyPlugin } from '../../src/strategy/contract.ts';
import { budget } from '../support/budget.ts';
import { DAY, type MadeRace, MINUTE, racesTape } from '../support/made-races.ts';
import { type DefinedAt, naiveWindow } from '../support/naive-window.ts';
import { recordedTape } from '../support/recorded-tape.ts';
import { OPTIONS } from '../support/scripted-run.ts';
import { testWithRecordings } from '../support/shared.ts';

const RULES: readonly WindowRule[] = [
  { from: { of: 'start', ms: -10 * MINUTE }, to: { of: 'off', ms: 0 } },
  { from: { of: 'start', ms: -3 * MINUTE }, to: { of: 'off', ms: 2 * MINUTE } },
  { from: { of: 'off', ms: 0 } },
  { from: { of: 'off', ms: 30_000 }, to: { of: 'off', ms: 90_000 } },
  { to: { of: 'start', ms: -MINUTE } },
  { from: { of: 'start', ms: -20 * MINUTE }, to: { of: 'start', ms: -2 * MINUTE } },
];

interface Window {
  readonly from: number;
  readonly to: number;
}

/** By market id; undefined where strategies are never asked. */
function windowsOf(path: string, rule: WindowRule): ReadonlyMap<string, Window | undefined> {
  const tape = Tape.open(path);
  try {
    return new Map(
      tape.markets.map(({ index, facts, firstAt, lastAt }) => {
        const definitions = tape.definitions(index);
        const defined: DefinedAt[] = [];
        const cursor = tape.cursor({ markets: [index] });
        for (let update = cursor.next(); update !== undefined; update = cursor.next()) {
          for (let i = 0; i < update.count && update.kind[i] === DEFINITION; i += 1) {
            const definition = definitions[update.amount[i] ?? -1];
            if (definition !== undefined) defined.push({ at: update.publishedAt, definition });
          }
        }
        const found = naiveWindow(rule, defined, firstAt);
        const endedAt = defined.find(({ definition: { status } }) => status === 'Settled' || status === 'Voided')?.at;
        return [facts.id, found !== undefined && found.from < (endedAt ?? lastAt) ? found : undefined];
      }),
    );
  } finally {
    tape.close();
  }
}

interface Seen {
  readonly why: string;
  readonly now: number;
  readonly market: string;
  readonly picture: string;
}

/** Orders at prices that come, by a counter of its own, in the calls that `isAsked` lets through. */
function trader(seen: Seen[], isAsked: (input: DecideInput) => boolean): StrategyPlugin {
  const plugin = defineStrategy({
    name: 'trader',
    state: () => ({ calls: 0 }),
    decide(input) {
      const { market, why, now, orders, state } = input;
      if (!isAsked(input)) return [];
      const picture = JSON.stringify([market.snapshot(5), input.position.matched(market.outcomes[0]?.id ?? '', 'For')]);
      seen.push({ why, now, market: market.id, picture });
      if (why !== 'prices' || !market.tradable) return [];
      const calls = state.calls + 1;
      if (calls % 7 === 0) return { intents: orders.map((order) => cancel(order)), state: { calls } };
      const outcome = market.outcomes[calls % 2];
      if (outcome === undefined || calls % 3 !== 0 || orders.length > 4) return { state: { calls } };
      const keepWhenInPlay = calls % 2 === 0;
      const intent =
        calls % 4 < 2
          ? outcome.bestFor && back(outcome, { stake: 2, price: outcome.bestFor.price, keepWhenInPlay })
          : outcome.bestAgainst && lay(outcome, { stake: 2, price: outcome.bestAgainst.price, keepWhenInPlay });
      return { intents: intent === undefined ? [] : [intent], state: { calls } };
    },
  });
  return plugin;
}

function run(tape: string, plugin: StrategyPlugin, change: Partial<BacktestOptions>): Promise<BacktestResult> {
  const strategies = [{ file: '', plugin, params: {}, wallet: 'main' }];
  const options = { ...OPTIONS, strategies, tapes: [tape], fills: 'central' as const, ...change };
  return runBacktest(options, { onProgress: () => undefined, signal: new AbortController().signal });
}

const markets = { types: [], ids: [], events: [] };

async function expectSame(
  tape: string,
  window: WindowRule,
): Promise<{ readonly orders: number; readonly asked: number }> {
  const windows = windowsOf(tape, window);
  const [inside, outside]: [Seen[], Seen[]] = [[], []];
  const windowed = await run(
    tape,
    trader(inside, () => true),
    { markets: { ...markets, window } },
  );
  const naive = await run(
    tape,
    trader(outside, ({ market, now, why }) => {
      const found = windows.get(market.id);
      return (why === 'prices' || why === 'status') && found !== undefined && now >= found.from && now < found.to;
    }),
    {},
  );
  const updates = (seen: readonly Seen[], from: (of: Window, now: number) => boolean) =>
    seen.filter(({ why, market, now }) => {
      const found = windows.get(market);
      return (why === 'prices' || why === 'status') && found !== undefined && from(found, now);
    });
  // The call at the very opening is one that only a windowed run has.
  const later = (of: Window, now: number) => now > of.from;
  expect(updates(inside, later)).toEqual(updates(outside, later));
  const [openings, endings] = [new Map<string, number>(), new Map<string, number>()];
  for (const { market, now, why } of inside) {
    if (!openings.has(market)) openings.set(market, now);
    if (why === 'windowEnd') endings.set(market, now);
    const { from, to } = windows.get(market) ?? expect.fail(`market ${market} is not asked about`);
    // What the switch to in play does to orders is reported before the switch itself.
    const isLast = now === to && (why === 'windowEnd' || why === 'order');
    const isInside = now >= from && (now < to || isLast);
    if (!isInside) expect.fail(`market ${market} was asked (${why}) at ${now}, outside of ${from} to ${to}`);
  }
  const expected = [...windows].flatMap(([id, found]) => (found === undefined ? [] : [[id, found] as const]));
  expect(openings).toEqual(new Map(expected.map(([id, { from }]) => [id, from])));
  for (const [id, at] of endings) expect(at).toBe(windows.get(id)?.to);
  const rows = ({ orderRows }: BacktestResult) => [...orderRows].map(({ id: _id, ...row }) => row);
  expect(rows(windowed)).toEqual(rows(naive));
  expect(windowed.total).toEqual(naive.total);
  expect(windowed.updates).toBe(naive.updates);
  expect(windowed.byMarket).toEqual(naive.byMarket);
  expect(windowed.transcriptSha256).not.toBe(naive.transcriptSha256);
  return { orders: windowed.orders.sent, asked: inside.length };
}

function madeRaces(random: Random): readonly MadeRace[] {
  const below = (most: number) => Math.floor(random.uniform() * most);
  return Array.from({ length: 4 }, (_, index) => {
    const startAt = DAY + below(20) * MINUTE;
    const firstAt = startAt - (5 + below(60)) * MINUTE;
    const settledAt = startAt + (4 + below(20)) * MINUTE;
    const moves = Array.from({ length: below(3) }, () => firstAt + below(startAt - firstAt))
      .sort((a, b) => a - b)
      .map((at) => ({ at, startAt: startAt + (below(30) - 15) * MINUTE }));
    const off = [undefined, startAt + below(3 * MINUTE), startAt - below(MINUTE)][below(3)];
    const offAt = off === undefined || off <= (moves.at(-1)?.at ?? firstAt) ? undefined : off;
    return {
      ...{ id: `race-${index}`, startAt, moves, offAt, turnsInPlay: offAt !== undefined || below(2) === 0 },
      ...{ firstAt, settledAt: below(4) === 0 ? undefined : settledAt, lastAt: settledAt, updates: 150 },
    };
  });
}

it('asks strategies in the window alone, with what they would have seen anyway', async () => {
  let [orders, asked] = [0, 0];
  for (let seed = 1; seed <= budget({ each: 6, deep: 200 }); seed += 1) {
    const tape = racesTape(madeRaces(Random.fromSeed(seed)), seed);
    for (const rule of RULES) {
      const found = await expectSame(tape, rule);
      orders += found.orders;
      asked += found.asked;
    }
  }
  expect(orders).toBeGreaterThan(100);
  expect(asked).toBeGreaterThan(1_000);
}, 300_000);

testWithRecordings(
  'holds over recordings, with a start that moves, in play and not',
  async () => {
    const tape = await recordedTape(
      ...['betfair_parser__1.185781277.bz2', 'betfair_parser__1.205822330.bz2', 'betfair-adapter-rs__29788457'],
    );
    let orders = 0;
    // One by the start and one by the off; over made markets all of them are played each time.
    const rules = budget({ each: RULES.slice(1, 3), deep: RULES });
    for (const rule of rules) orders += (await expectSame(tape, rule)).orders;
    expect(orders).toBeGreaterThan(100);
  },
  300_000,
);
