/** What befalls markets on demand: a goal, a late withdrawal, a second result; and what accounts hold after it. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { limit } from '../support/sandbox-betfair/face-stage.ts';
import { type LoopbackBot, type LoopbackStand, openLoopback } from '../support/sandbox-betfair/loopback-stand.ts';

let stand: LoopbackStand;
let mary: LoopbackBot;

beforeAll(async () => {
  stand = await openLoopback();
  mary = await stand.login();
});
afterAll(() => stand.close());

async function marketOf(marketTypeCode: string) {
  const filter = { marketTypeCodes: [marketTypeCode], inPlayOnly: false };
  const query = { filter, marketProjection: ['RUNNER_DESCRIPTION'], sort: 'LAST_TO_START', maxResults: 1 };
  const [{ marketId, runners }] = await mary.call('listMarketCatalogue', query);
  const ids: readonly number[] = runners.map((each: { selectionId: number }) => each.selectionId);
  const book = async () =>
    (
      await mary.call('listMarketBook', { marketIds: [marketId], priceProjection: { priceData: ['EX_BEST_OFFERS'] } })
    )[0];
  const back = async (runner: number, price: number, size: number) => {
    const instructions = [limit({ selectionId: ids[runner] ?? 0, price, size })];
    const { instructionReports } = await mary.call('placeOrders', { marketId, instructions });
    return instructionReports[0];
  };
  const bestOf = async (runner: number): Promise<number> => (await book()).runners[runner].ex.availableToBack[0].price;
  return { marketId, ids, book, back, bestOf };
}

const cleared = async (betStatus: string, marketId: string) =>
  (await mary.call('listClearedOrders', { betStatus, marketIds: [marketId] })).clearedOrders;

test('a goal suspends the market in play, what rests lapses, and it is open again by itself', async () => {
  const { marketId, book, back } = await marketOf('MATCH_ODDS');
  await stand.control('POST', `/markets/${marketId}/in-play`, {});
  await stand.control('POST', `/markets/${marketId}/delay`, { inPlayDelay: 0 });
  const { betId } = await back(0, 1000, 5);
  await stand.control('POST', `/markets/${marketId}/goal`, { suspendedMs: 400 });
  expect((await book()).status).toBe('SUSPENDED');
  expect(await cleared('LAPSED', marketId)).toMatchObject([{ betId, sizeCancelled: 5 }]);
  await expect.poll(async () => (await book()).status).toBe('OPEN');
  expect(await back(0, 1000, 5)).toMatchObject({ status: 'SUCCESS' });
});

test('a late withdrawal voids its bets and lowers the others, and a second result pays them anew', async () => {
  const { marketId, ids, book, back, bestOf } = await marketOf('WIN');
  const gone = await back(0, await bestOf(0), 2);
  const price = await bestOf(1);
  const left = await back(1, price, 2);
  const [outcomeId, first, second] = ids.map(String);
  await stand.control('POST', `/markets/${marketId}/remove-outcome`, { outcomeId, factor: 20 });
  expect((await book()).runners[0]).toMatchObject({ status: 'REMOVED' });
  expect(await cleared('VOIDED', marketId)).toMatchObject([{ betId: gone.betId, sizeSettled: 2 }]);
  await stand.control('POST', `/markets/${marketId}/lock`, {});
  await stand.control('POST', `/markets/${marketId}/settle`, { winners: [second] });
  expect(await cleared('SETTLED', marketId)).toMatchObject([{ betId: left.betId, betOutcome: 'LOST', profit: -2 }]);
  const resettled = await stand.control('POST', `/markets/${marketId}/resettle`, { winners: [first] });
  expect(resettled).toMatchObject({ id: marketId, status: 'Settled' });
  const lower = Math.round(price * 0.8 * 100) / 100;
  const profit = Math.round(2 * (lower - 1) * 100) / 100;
  expect(await cleared('SETTLED', marketId)).toMatchObject([{ betId: left.betId, betOutcome: 'WON', profit }]);
});
