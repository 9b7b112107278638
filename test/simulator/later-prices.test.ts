/** The traded price some seconds after each fill, by hand and against a plain walk over the sample recording. */

import { backtest, openTape } from 'oddsmith/backtest';
import { expect, it, test } from 'vitest';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../support/places.ts';
import { runScript, Script } from '../support/scripted-run.ts';

/** Takes 2.00 with 1 at every price change until it has as many orders as it may. */
function taker(orders: number): StrategyPlugin {
  return {
    name: 'taker',
    state: () => 0,
    decide({ market, why, state }) {
      const taken = Number(state);
      if (why !== 'prices' || taken === orders) return [];
      const bet = { kind: 'place', market: market.id, outcome: 'o0', side: 'For', price: 2, stake: 1 } as const;
      return { state: taken + 1, intents: [bet] };
    },
  };
}

async function laterOf(script: Script, orders = 1) {
  const { collector } = await runScript(script, [taker(orders)]);
  return [...collector.fillRows()].map(({ lastPriceAfter10s, lastPriceAfter60s }) => [
    lastPriceAfter10s,
    lastPriceAfter60s,
  ]);
}

/** The order arrives at 1.12 s, so that its price is read just before 11.12 s and 61.12 s. */
function market(): { script: Script; made: ReturnType<Script['market']> } {
  const script = new Script();
  return { script, made: script.market().at(1000, { level: [0, 'Against', 2, 100] }) };
}

it('is the last one before that instant, of the same outcome', async () => {
  const { script, made } = market();
  made
    .at(5000, { last: [0, 2.1] }, { last: [1, 9] })
    .at(11_119, { last: [0, 2.2] })
    .at(11_120, { last: [0, 2.3] })
    .at(61_119, { last: [0, 2.4] }, { last: [1, 10] })
    .at(61_120, { last: [0, 2.5] })
    .settle(90_000, 0);
  expect(await laterOf(script)).toEqual([[2.2, 2.4]]);
});

it('is the one from before the fill where nothing was traded since, and absent where nothing ever was', async () => {
  const { script, made } = market();
  made.at(1050, { last: [0, 3] }).settle(90_000, 0);
  expect(await laterOf(script)).toEqual([[3, 3]]);
  const { script: silent, made: untraded } = market();
  untraded.at(30_000, { last: [0, 4] }).settle(90_000, 0);
  expect(await laterOf(silent)).toEqual([[undefined, 4]]);
});

it('is absent where the market was settled, or its recording had ended', async () => {
  const { script, made } = market();
  made.at(2000, { last: [0, 3] }).settle(11_120, 0);
  made.at(80_000, { last: [0, 5] });
  expect(await laterOf(script)).toEqual([[3, undefined]]);
  const { script: short, made: cut } = market();
  cut.at(20_000, { last: [0, 3] });
  short.market().at(90_000, { last: [0, 3] });
  // The other market plays on, past the instant at which the price of this one would be read.
  expect(await laterOf(short)).toEqual([[undefined, undefined]]);
});

it('is read for each of many fills that wait at once', async () => {
  const { script, made } = market();
  const prices = [2.02, 2.04, 2.06, 2.08, 2.1];
  for (const [index, price] of prices.entries()) made.at(2000 + index * 1000, { last: [0, price] });
  made.at(14_000, { last: [0, 3] }).settle(90_000, 0);
  const later = await laterOf(script, 6);
  expect(later).toHaveLength(6);
  expect(later.map(([soon]) => soon)).toEqual([2.1, 2.1, 2.1, 3, 3, 3]);
});

test('of a whole run are those that a walk over its tape finds', async () => {
  const strategies = [{ file: sampleStrategy('favourite-scalp') }, { file: sampleStrategy('passive-quoter') }];
  const { summary, fills } = await backtest({ tape: SAMPLE_TAPE, strategies });
  const tape = openTape(SAMPLE_TAPE);
  const traded = new Map<string, { readonly at: number; readonly price: number | undefined }[]>();
  let lastAt = 0;
  for (const { market: id, publishedAt: at, events } of tape.updates()) {
    lastAt = at;
    for (const { kind, outcome, price } of events) {
      if (kind !== 'lastPrice') continue;
      const key = `${id} ${outcome}`;
      const known = traded.get(key);
      if (known === undefined) traded.set(key, [{ at, price }]);
      else known.push({ at, price });
    }
  }
  tape.close();
  const endOf = new Map(summary.byMarket.map(({ id, settledAt }) => [id, settledAt ?? lastAt]));
  const rows = [...fills.rows];
  const expected = (row: (typeof rows)[number], delayMs: number) => {
    const due = row.at + delayMs;
    if (due > (endOf.get(row.marketId) ?? 0)) return undefined;
    return traded.get(`${row.marketId} ${row.outcomeId}`)?.findLast(({ at }) => at < due)?.price;
  };
  const told = rows.map(({ lastPriceAfter10s, lastPriceAfter60s }) => [lastPriceAfter10s, lastPriceAfter60s]);
  expect(told).toEqual(rows.map((row) => [expected(row, 10_000), expected(row, 60_000)]));
  expect(told.length).toBeGreaterThan(500);
  expect(told.filter(([, later]) => later !== undefined).length).toBeGreaterThan(300);
});
