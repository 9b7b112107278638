/** A whole life with the Betfair face: login, catalogue, bets that rest, match, are reduced and replaced, the off, the result. */

import { expect, test } from 'vitest';
import { limit } from '../support/sandbox-betfair/face-stage.ts';
import { type OpenMatch, openMatch } from '../support/sandbox-betfair/open-match.ts';

/** Places a bet that matches at once and one that rests, as one request. */
function placeTwo({ client, marketId, selectionId, bestBack, bestLay }: OpenMatch) {
  const placed = client.call('placeOrders', {
    ...{ marketId, customerRef: 'first', customerStrategyRef: 'strategy' },
    instructions: [
      limit({ selectionId, price: bestBack, size: 10, customerOrderRef: 'taker' }),
      limit({ selectionId, price: bestLay, size: 8, customerOrderRef: 'maker' }),
    ],
  });
  expect(placed).toMatchObject({ status: 'SUCCESS', customerRef: 'first' });
  const [taker, maker] = placed.instructionReports ?? [];
  expect(taker).toMatchObject({ orderStatus: 'EXECUTION_COMPLETE', sizeMatched: 10, averagePriceMatched: bestBack });
  expect(maker).toMatchObject({ orderStatus: 'EXECUTABLE', sizeMatched: 0, averagePriceMatched: 0 });
  return { taker: taker?.betId ?? '', maker: maker?.betId ?? '' };
}

test('before the off bets match, rest, are reduced, replaced and kept', () => {
  const match = openMatch();
  const { client, marketId, book, bestBack } = match;
  expect(client.call('getAccountDetails', {}).currencyCode).toBe('GBP');
  expect(client.call('getAccountFunds', {})).toMatchObject({ availableToBetBalance: 10_000, exposure: 0 });
  const { taker, maker } = placeTwo(match);
  const reduction = { marketId, instructions: [{ betId: maker, sizeReduction: 3 }] };
  const reduced = client.call('cancelOrders', reduction);
  expect(reduced).toMatchObject({ status: 'SUCCESS', instructionReports: [{ sizeCancelled: 3 }] });
  const current = client.call('listCurrentOrders', { customerStrategyRefs: ['strategy'] }).currentOrders;
  expect(current).toMatchObject([
    { betId: taker, customerOrderRef: 'taker', sizeMatched: 10 },
    { betId: maker, customerOrderRef: 'maker', sizeRemaining: 5, sizeCancelled: 3, priceSize: { size: 8 } },
  ]);
  const replaced = client.call('replaceOrders', { marketId, instructions: [{ betId: maker, newPrice: 1000 }] });
  const [{ placeInstructionReport: again, cancelInstructionReport } = {}] = replaced.instructionReports ?? [];
  expect(cancelInstructionReport).toMatchObject({ status: 'SUCCESS', sizeCancelled: 5 });
  expect(again).toMatchObject({ orderStatus: 'EXECUTABLE', instruction: { limitOrder: { price: 1000, size: 5 } } });
  expect(book()?.runners?.[0]).toMatchObject({
    orders: [{ betId: taker }, { betId: again?.betId, customerOrderRef: 'maker' }],
    matches: [{ side: 'BACK', price: bestBack, size: 10 }],
  });
  const update = { marketId, instructions: [{ betId: again?.betId, newPersistenceType: 'PERSIST' }] };
  expect(client.call('updateOrders', update).status).toBe('SUCCESS');
  expect(client.call('getAccountFunds', {})).toMatchObject({ availableToBetBalance: 9_985, exposure: -15 });
});

test('at the off what is not kept lapses, and then bets wait for the delay, and their answers with them', () => {
  const match = openMatch();
  const { stage, client, marketId, market, selectionId, book, bestBack } = match;
  const { taker, maker } = placeTwo(match);
  const keep = { marketId, instructions: [{ betId: maker, newPersistenceType: 'PERSIST' }] };
  client.call('updateOrders', keep);
  const lapsing = client.call('placeOrders', { marketId, instructions: [limit({ selectionId, price: 990, size: 2 })] });
  expect(lapsing.status).toBe('SUCCESS');
  stage.command({ kind: 'setInPlay', market, inPlay: true });
  expect(book()).toMatchObject({ inplay: true, betDelay: 5 });
  expect(client.call('listCurrentOrders', {}).currentOrders.map(({ betId }) => betId)).toEqual([taker, maker]);
  const inPlay = client.later('placeOrders', { marketId, instructions: [limit({ selectionId, price: 980, size: 2 })] });
  stage.builder.pass(4_999);
  expect(inPlay()).toBeUndefined();
  expect(client.call('listCurrentOrders', {}).currentOrders).toHaveLength(2);
  stage.builder.pass(1);
  expect(inPlay()).toMatchObject({ status: 'SUCCESS', instructionReports: [{ orderStatus: 'EXECUTABLE' }] });
  const [profits] = client.call('listMarketProfitAndLoss', { marketIds: [marketId] });
  const ifWin = Math.round(10 * (bestBack - 1) * 100) / 100;
  expect(profits?.profitAndLosses?.map((each) => each.ifWin)).toEqual([ifWin, -10, -10]);
});

test('the result clears all bets, and they are there after the market is gone', () => {
  const match = openMatch();
  const { stage, client, marketId, market, book, bestBack } = match;
  const { taker, maker } = placeTwo(match);
  client.call('cancelOrders', { marketId, instructions: [{ betId: maker, sizeReduction: 3 }] });
  stage.command({ kind: 'setInPlay', market, inPlay: true });
  stage.command({ kind: 'lock', market });
  expect(book()?.status).toBe('SUSPENDED');
  stage.command({ kind: 'settle', market, winners: [0] });
  const statuses = book()?.runners?.map(({ status }) => status);
  expect([book()?.status, ...(statuses ?? [])]).toEqual(['CLOSED', 'WINNER', 'LOSER', 'LOSER']);
  expect(client.call('listCurrentOrders', {}).currentOrders).toEqual([]);
  expect(client.call('getAccountFunds', {})).toMatchObject({ exposure: 0 });
  const cleared = (betStatus: string) => client.call('listClearedOrders', { betStatus }).clearedOrders;
  const profit = Math.round(10 * (bestBack - 1) * 100) / 100;
  const result = { betId: taker, betOutcome: 'WON', profit, sizeSettled: 10, priceMatched: bestBack };
  expect(cleared('SETTLED')).toMatchObject([result]);
  const [sum] = client.call('listClearedOrders', { betStatus: 'SETTLED', groupBy: 'MARKET' }).clearedOrders;
  expect(sum).toMatchObject({ marketId, betCount: 1, profit, commission: Math.round(profit * 5) / 100 });
  expect(cleared('LAPSED')).toMatchObject([{ betId: maker, sizeCancelled: 5 }]);
  expect(cleared('CANCELLED')).toMatchObject([{ betId: maker, sizeCancelled: 3 }]);
  stage.command({ kind: 'close', market });
  stage.command({ kind: 'forget', market });
  const query = { betStatus: 'SETTLED', includeItemDescription: true };
  const after = client.call('listClearedOrders', query).clearedOrders;
  expect(after).toMatchObject([{ ...result, itemDescription: { marketDesc: 'Match Odds' } }]);
});
