/** A runner is withdrawn: bets on it are void, what was matched of the others is reduced, and a resting lay lapses. */

import { expect, test } from 'vitest';
import { FaceStage, limit } from '../support/sandbox-betfair/face-stage.ts';

test('a withdrawal voids, reduces and lapses, and the cleared orders say so', () => {
  const stage = new FaceStage();
  const client = stage.login();
  const query = { filter: { marketTypeCodes: ['WIN'] }, marketProjection: ['RUNNER_DESCRIPTION'], maxResults: 1 };
  const [race] = client.call('listMarketCatalogue', query);
  const marketId = race?.marketId ?? '';
  const market = stage.market(marketId);
  const [gone = 0, other = 0] = (race?.runners ?? []).map(({ selectionId }) => selectionId);
  const priceProjection = { priceData: ['EX_BEST_OFFERS'] };
  const bestOf = (outcome: number) =>
    client.call('listMarketBook', { marketIds: [marketId], priceProjection })[0]?.runners?.[outcome]?.ex
      ?.availableToBack?.[0]?.price ?? 0;
  const price = bestOf(1);
  const placed = client.call('placeOrders', {
    marketId,
    instructions: [
      limit({ selectionId: gone, price: bestOf(0), size: 4 }),
      limit({ selectionId: gone, price: 1000, size: 3 }),
      limit({ selectionId: other, price, size: 5 }),
      limit({ selectionId: other, side: 'LAY', price: 1.01, size: 1000 }),
    ],
  });
  const [matched, unmatched, reduced, lay] = (placed.instructionReports ?? []).map(({ betId }) => betId);
  stage.command({ kind: 'removeOutcome', market, outcome: 0, factorPpm: 200_000, basis: 'win' });
  const [book] = client.call('listMarketBook', { marketIds: [marketId] });
  expect(book?.runners?.map(({ status }) => status).slice(0, 2)).toEqual(['REMOVED', 'ACTIVE']);
  expect(book?.numberOfActiveRunners).toBe(7);
  const [left, ...others] = client.call('listCurrentOrders', {}).currentOrders;
  // By the factor of 20 %, in hundredths.
  const lower = Math.round(price * 0.8 * 100) / 100;
  expect(left).toMatchObject({ betId: reduced, sizeMatched: 5, averagePriceMatched: lower });
  expect(others).toEqual([]);
  const cleared = (betStatus: string) => client.call('listClearedOrders', { betStatus }).clearedOrders;
  expect(cleared('VOIDED')).toMatchObject([{ betId: matched, sizeSettled: 4, profit: 0 }]);
  expect(cleared('LAPSED')).toMatchObject([
    { betId: lay, sizeCancelled: 1000 },
    { betId: unmatched, sizeCancelled: 3 },
  ]);
  stage.command({ kind: 'lock', market });
  stage.command({ kind: 'settle', market, winners: [1] });
  const profit = Math.round(5 * (lower - 1) * 100) / 100;
  expect(cleared('SETTLED')).toMatchObject([{ betId: reduced, priceReduced: true, priceMatched: lower, profit }]);
});
