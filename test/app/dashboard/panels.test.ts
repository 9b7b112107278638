/** What the dashboard says of a run is what its ledger holds: bars, ladders, positions, orders, in bounded parts. */

import { expect, test } from 'vitest';
import { Activity } from '../../../src/app/live/dashboard/activity.ts';
import { limitBars } from '../../../src/app/live/dashboard/limit-bars.ts';
import { marketPanel } from '../../../src/app/live/dashboard/market-detail.ts';
import { marketsPart, readMarkets } from '../../../src/app/live/dashboard/market-rows.ts';
import { MarketSums } from '../../../src/app/live/dashboard/money/market-sums.ts';
import { ordersPart } from '../../../src/app/live/dashboard/order-rows.ts';
import { readAsk } from '../../../src/app/web/dashboard/server/read-ask.ts';
import { LOOK_EVERY_MS, PriceMemory } from '../../../src/app/web/dashboard/shown/price-memory.ts';
import { ladderRows, partOf } from '../../../src/app/web/dashboard/shown/shown-rows.ts';
import { decimalOfTick } from '../../../src/core/number/ladder.ts';
import { instant, type Money } from '../../../src/core/number/units.ts';
import { START, stage } from '../../support/engine/bot-stage.ts';

const asked = (query: string) => readAsk(new URLSearchParams(query));
const AMOUNT = 1e6;
const memory = () => ({ sums: new MarketSums(), prices: new PriceMemory() });

/** A bot with one order of 10 at 2.00 in its one market. */
function quoting() {
  const it = stage({
    limits: {
      ...{ market: (100 * AMOUNT) as Money, outcome: (40 * AMOUNT) as Money, event: (200 * AMOUNT) as Money },
      ...{ strategy: (500 * AMOUNT) as Money, wallet: (1_000 * AMOUNT) as Money, dailyLoss: (50 * AMOUNT) as Money },
      ...{ ordersPerSecond: 5, liveOrders: 10, ordersPerMarket: 4 },
    },
  });
  it.until(5_000);
  return it;
}

test('each limit is a bar with what is nearest to it', () => {
  const { bot } = quoting();
  const bars = limitBars(bot.ledger, instant(START + 5_000));
  const used = Object.fromEntries(bars.map(({ label, used, limit }) => [label, `${used} of ${limit}`]));
  expect(used).toEqual({
    'loss of the day': '0 of 50',
    'worst outcome': '10 of 40',
    'worst market': '10 of 100',
    'worst event': '10 of 200',
    'worst strategy': '10 of 500',
    'worst wallet': '10 of 1000',
    'live orders': '1 of 10',
    'orders in a market': '1 of 4',
    'orders a second': '0 of 5',
  });
  expect(bars.find(({ label }) => label === 'worst strategy')?.of).toBe(bot.ledger.names.strategies[0]);
});

test('a market shows its outcomes, the ladder with our order in it, and what is not there as not there', () => {
  const { bot } = quoting();
  const { market } = marketPanel(bot.ledger, asked('page=market&id=m1&outcome=a'), memory());
  expect(market).toMatchObject({ id: 'm1', liveOrders: 1, worstLoss: 10, orders: { total: 1 } });
  expect(market?.positions).toEqual([{ owner: 'quoter', profits: [0, 0], worstLoss: 10 }]);
  expect(market?.ladder).toMatchObject({ outcome: 'a' });
  // A For order rests among what can be laid.
  expect(market?.ladder?.rows.filter(({ ownLay }) => ownLay > 0)).toMatchObject([{ price: 2, ownLay: 10, ownBack: 0 }]);
  expect(marketPanel(bot.ledger, asked('page=market&id=none'), memory()).market).toBeUndefined();
});

test('lists are found in and cut', () => {
  const { bot } = quoting();
  const orders = (query: string) => ordersPart(bot.ledger, asked(`page=orders&${query}`));
  expect(orders('which=live').rows).toMatchObject([
    { number: 1, side: 'For', price: 2, stake: 10, unmatched: 10, tone: 'good' },
  ]);
  expect(orders('find=no such thing').total).toBe(0);
  expect(marketsPart(bot.ledger, asked('page=markets&which=own'), new MarketSums()).rows).toMatchObject([
    { id: 'm1', liveOrders: 1, worstLoss: 10 },
  ]);
  expect(marketsPart(bot.ledger, asked('page=markets&find=nowhere'), new MarketSums()).total).toBe(0);
});

test('a part has 50 rows at most, and a place beyond the end is the last part', () => {
  const all = Array.from({ length: 120 }, (_, index) => index);
  expect(partOf(all, { from: 0 })).toMatchObject({ from: 0, total: 120, rows: all.slice(0, 50) });
  expect(partOf(all, { from: 100 }).rows).toEqual(all.slice(100));
  expect(partOf(all, { from: 5_000 })).toMatchObject({ from: 100, rows: all.slice(100) });
  expect(partOf([], { from: 50 })).toEqual({ from: 0, total: 0, rows: [] });
});

test('an address asks for what is well formed, whatever it says', () => {
  const wild = asked(`page=passwd&from=-1&which=other&id=${'x'.repeat(500)}&find=${'Y'.repeat(500)}`);
  expect(wild).toMatchObject({ page: 'now', from: 0, which: 'all' });
  expect([wild.id.length, wild.find]).toEqual([100, 'y'.repeat(100)]);
  for (const from of ['NaN', '1e99', '2.5', '']) expect(asked(`from=${from}`).from, from).toBe(0);
});

test('rows of a ladder hold both sides of a price, each price between the best, and own stake where no level is shown', () => {
  const empty = { back: 0, lay: 0, ownBack: 0, ownLay: 0, traded: 0 };
  const rows = ladderRows({
    levels: [
      { price: 2, column: 'back', stake: 5 },
      { price: 2.06, column: 'lay', stake: 7 },
    ],
    own: [
      { price: 2, column: 'back', stake: 3 },
      { price: 1000, column: 'lay', stake: 2 },
    ],
    tradedAt: (tick) => (decimalOfTick(tick) === 2.04 ? 11 : 0),
  });
  expect(rows).toEqual([
    { ...empty, price: 1000, ownLay: 2 },
    { ...empty, price: 2.06, lay: 7 },
    { ...empty, price: 2.04, traded: 11 },
    { ...empty, price: 2.02 },
    { ...empty, price: 2, back: 5, ownBack: 3 },
  ]);
});

test('what was done lately is counted over five minutes, by code', () => {
  const activity = new Activity();
  const line = (at: number, subject: string, fields = {}) =>
    activity.line(START + at, { level: 'info', subject, text: '', fields });
  line(0, 'sent');
  line(0, 'refused', { code: 'LIMIT_RATE', times: 40 });
  line(60_000, 'decided');
  line(120_000, 'sent');
  line(120_000, 'refused', { code: 'HALTED' });
  expect(activity.counts(START + 120_000)).toMatchObject({ decided: 1, sent: 2 });
  expect(activity.counts(START + 120_000).refusals).toMatchObject([
    { code: 'LIMIT_RATE', times: 40, means: 'more orders per second than the limit allows' },
    { code: 'HALTED', times: 1 },
  ]);
  expect(activity.counts(START + 330_000)).toMatchObject({
    decided: 1,
    sent: 1,
    refusals: [{ code: 'HALTED', times: 1 }],
  });
  expect(activity.counts(START + 3_600_000)).toEqual({ decided: 0, sent: 0, refusals: [] });
  expect([activity.sentAt, activity.decidedAt]).toEqual([START + 120_000, START + 60_000]);
});

test('prices of a market are read again and again, of a long one less often, and end with it', () => {
  const { bot } = quoting();
  const prices = new PriceMemory();
  const curve = () => {
    const { market } = marketPanel(bot.ledger, asked('page=market&id=m1'), { sums: new MarketSums(), prices });
    return market?.prices;
  };
  prices.look(readMarkets(bot.ledger), START);
  expect(curve(), 'one reading is no line').toBeUndefined();
  for (let reading = 1; reading < 1_000; reading += 1)
    prices.look(readMarkets(bot.ledger), START + reading * LOOK_EVERY_MS);
  const { at = [], lines = [] } = curve() ?? {};
  expect(
    lines.map(({ title }) => title),
    'b has no price',
  ).toHaveLength(1);
  expect(new Set(lines[0]?.values)).toEqual(new Set([2]));
  expect(at.length).toBeGreaterThan(100);
  expect(at.length).toBeLessThan(240);
  const steps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
  expect(new Set(steps).size, 'evenly').toBe(1);
  expect(at.at(-1)).toBeGreaterThan(START + 980 * LOOK_EVERY_MS);
});
