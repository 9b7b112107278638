/** The exchange's verdict on accounts: it adds up, agrees with what the account itself reads, and stays when markets are gone. */

import { expect, test } from 'vitest';
import { verdictText } from '../../src/app/output/verdict-text.ts';
import { Transactions } from '../../src/sandbox-betfair/state/transactions.ts';
import { FaceStage, limit } from '../support/sandbox-betfair/face-stage.ts';

function match(stage: FaceStage, username: string) {
  const client = stage.login(username);
  const filter = { eventTypeIds: ['1'], marketTypeCodes: ['MATCH_ODDS'], inPlayOnly: false };
  const [found] = client.call('listMarketCatalogue', {
    ...{ filter, marketProjection: ['RUNNER_DESCRIPTION'], sort: 'FIRST_TO_START', maxResults: 1 },
  });
  const marketId = found?.marketId ?? '';
  const selectionId = found?.runners?.[0]?.selectionId ?? 0;
  const [book] = client.call('listMarketBook', {
    ...{ marketIds: [marketId], priceProjection: { priceData: ['EX_BEST_OFFERS'] } },
  });
  const { availableToBack = [] } = book?.runners?.[0]?.ex ?? {};
  return { client, marketId, selectionId, best: availableToBack[0]?.price ?? 0 };
}

test('bets, profit, commission and transactions add up, before the result and after the market is gone', () => {
  const stage = new FaceStage();
  expect(verdictText(stage.face.verdict())).toBe('No client logged in.\n');
  const { client, marketId, selectionId, best } = match(stage, 'mary');
  stage.login('tom');
  const place = (...instructions: readonly ReturnType<typeof limit>[]) =>
    client.call('placeOrders', { marketId, instructions }).instructionReports ?? [];
  const [, rests] = place(limit({ selectionId, price: best, size: 20 }), limit({ selectionId, price: 900, size: 8 }));
  client.call('cancelOrders', { marketId, instructions: [{ betId: rests?.betId, sizeReduction: 3 }] });
  client.call('replaceOrders', { marketId, instructions: [{ betId: rests?.betId, newPrice: 1000 }] });
  place(limit({ selectionId, price: best + 0.001, size: 2 }));
  const before = stage.face.verdict();
  expect(before.map(({ username }) => username)).toEqual(['mary', 'tom']);
  expect(before[1]).toMatchObject({ bets: { betCount: 0, size: 0 }, markets: [], transactions: { placed: 0 } });
  expect(before[0]).toMatchObject({
    bets: { betCount: 3, size: 33, sizeMatched: 20, sizeRemaining: 5, sizeCancelled: 8, sizeLapsed: 0 },
    ...{ profit: 0, commission: 0, availableToBetBalance: 9_975, exposure: 25 },
    markets: [{ marketId, status: 'OPEN' }],
    transactions: { placed: 3, failed: 1, mostInAnHour: 4, charge: 0 },
  });
  const market = stage.market(marketId);
  stage.command({ kind: 'setInPlay', market, inPlay: true });
  stage.command({ kind: 'lock', market });
  stage.command({ kind: 'settle', market, winners: [0] });
  const profit = Math.round(2_000 * (best - 1)) / 100;
  const commission = Math.round(profit * 5) / 100;
  const after = stage.face.verdict()[0];
  const money = { profit, commission };
  expect(after).toMatchObject({ ...money, exposure: 0, markets: [{ marketId, status: 'CLOSED', ...money }] });
  expect(after?.bets).toMatchObject({ sizeMatched: 20, sizeRemaining: 0, sizeLapsed: 5, sizeCancelled: 8 });
  const funds = client.call('getAccountFunds', {}).availableToBetBalance;
  expect(funds).toBeCloseTo(10_000 + profit - commission, 9);
  expect(after?.availableToBetBalance).toBe(funds);
  stage.command({ kind: 'close', market });
  stage.command({ kind: 'forget', market });
  expect(stage.face.verdict()[0]).toEqual(after);
  const text = verdictText(stage.face.verdict());
  expect(text).toContain('3 bets of 33.00: 20.00 matched, 0.00 remaining, 5.00 lapsed, 8.00 cancelled, 0.00 voided');
  expect(text).toContain('3 placed, 1 failed, at most 4 in an hour: free of charge at Betfair');
});

test('transactions beyond 5,000 in an hour cost 0.002 each, hour by hour', () => {
  const transactions = new Transactions();
  const at = (hour: number) => (Date.UTC(2026, 0, 1) + hour * 3_600_000) as never;
  transactions.note(1, at(0), { placed: 4_000, failed: 1_500 });
  transactions.note(1, at(1), { placed: 5_000, failed: 0 });
  transactions.note(2, at(0), { placed: 5_001, failed: 0 });
  expect(transactions.of(1)).toEqual({ placed: 9_000, failed: 1_500, mostInAnHour: 5_500, charge: 1 });
  expect(transactions.of(2).charge).toBe(0.002);
  expect(transactions.of(3)).toEqual({ placed: 0, failed: 0, mostInAnHour: 0, charge: 0 });
});
