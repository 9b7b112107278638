/** Cleared orders by group, page, range and reference: each level sums up the one below it. */

import { expect, test } from 'vitest';
import { type FaceClient, FaceStage, limit } from '../support/sandbox-betfair/face-stage.ts';

const GROUPS = ['BET', 'SIDE', 'RUNNER', 'MARKET', 'EVENT', 'EVENT_TYPE', 'STRATEGY'];

/** Two markets of one match are bet on, on both sides and for two strategies, and settled. */
function settled() {
  const stage = new FaceStage();
  const client = stage.login();
  const query = { filter: { eventTypeIds: ['1'], inPlayOnly: false }, sort: 'FIRST_TO_START', maxResults: 2 };
  const found = client.call('listMarketCatalogue', { ...query, marketProjection: ['RUNNER_DESCRIPTION', 'EVENT'] });
  for (const { marketId, runners = [] } of found) {
    const [first = 0, second = 0] = runners.map(({ selectionId }) => selectionId);
    const place = (customerStrategyRef: string, ...instructions: readonly unknown[]) =>
      client.call('placeOrders', { marketId, instructions, customerStrategyRef });
    place(
      'one',
      limit({ selectionId: first, price: 1.01, size: 10 }),
      limit({ selectionId: first, price: 1.01, size: 4 }),
    );
    place('two', limit({ selectionId: first, side: 'LAY', price: 100, size: 1.5 }));
    place('two', limit({ selectionId: second, price: 1.01, size: 2 }));
  }
  for (const { marketId } of found) {
    stage.builder.pass(60_000);
    const market = stage.market(marketId);
    stage.command({ kind: 'lock', market });
    stage.command({ kind: 'settle', market, winners: [0] });
  }
  return { stage, client, found };
}

function cleared(client: FaceClient, more: Readonly<Record<string, unknown>> = {}) {
  return client.call('listClearedOrders', { betStatus: 'SETTLED', ...more });
}

test('every group has the same profit and the same bets', () => {
  const { client, found } = settled();
  const sums = GROUPS.map((groupBy) => {
    const { clearedOrders } = cleared(client, { groupBy, includeItemDescription: true });
    const sum = (of: (each: (typeof clearedOrders)[number]) => number) =>
      Math.round(clearedOrders.reduce((total, each) => total + of(each), 0) * 100) / 100;
    return [clearedOrders.length, sum(({ betCount = 0 }) => betCount), sum(({ profit = 0 }) => profit)];
  });
  const [, bets, profit] = sums[0] ?? [];
  expect(bets).toBe(8);
  expect(sums.map(([rows]) => rows)).toEqual([8, 6, 4, 2, 1, 1, 2]);
  for (const sum of sums) expect(sum.slice(1)).toEqual([bets, profit]);
  const [event] = cleared(client, { groupBy: 'EVENT', includeItemDescription: true }).clearedOrders;
  expect(event).toMatchObject({ eventId: found[0]?.event?.id, itemDescription: { eventDesc: found[0]?.event?.name } });
  expect(event).not.toHaveProperty('marketId');
  const markets = cleared(client, { groupBy: 'MARKET' }).clearedOrders;
  const commission = markets.reduce((sum, each) => sum + (each.commission ?? 0), 0);
  expect(event?.commission).toBeCloseTo(commission, 2);
  const [side] = cleared(client, { groupBy: 'SIDE', marketIds: [found[0]?.marketId], side: 'LAY' }).clearedOrders;
  expect(side).toMatchObject({ side: 'LAY', sizeSettled: 1.5, priceRequested: 100, betCount: 1 });
});

test('pages, ranges, references and runners narrow the list', () => {
  const { client, found } = settled();
  const all = cleared(client).clearedOrders;
  const times = all.map(({ settledDate }) => settledDate ?? '');
  expect(times).toEqual([...times].sort().reverse());
  const first = cleared(client, { recordCount: 3 });
  const rest = cleared(client, { fromRecord: 3, recordCount: 5 });
  expect([first.moreAvailable, rest.moreAvailable]).toEqual([true, false]);
  expect([...first.clearedOrders, ...rest.clearedOrders]).toEqual(all);
  const later = { settledDateRange: { from: times[0] } };
  expect(cleared(client, later).clearedOrders).toHaveLength(4);
  expect(cleared(client, { settledDateRange: { to: '2026-03-24T12:00:00Z' } }).clearedOrders).toEqual([]);
  expect(cleared(client, { customerStrategyRefs: ['one'] }).clearedOrders).toHaveLength(4);
  const [market] = found;
  const runner = { marketId: market?.marketId, selectionId: market?.runners?.[1]?.selectionId };
  expect(cleared(client, { runnerIds: [runner] }).clearedOrders).toHaveLength(1);
  expect(cleared(client, { betIds: [all[2]?.betId] }).clearedOrders).toEqual([all[2]]);
  expect(cleared(client, { eventTypeIds: ['7'] }).clearedOrders).toEqual([]);
});
