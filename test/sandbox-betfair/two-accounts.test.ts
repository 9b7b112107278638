/** Two accounts of one exchange: neither sees, changes nor pays for what is the other's. */

import { expect, test } from 'vitest';
import { limit } from '../support/sandbox-betfair/face-stage.ts';
import { openMatch } from '../support/sandbox-betfair/open-match.ts';
import { StreamStage } from '../support/sandbox-betfair/stream-stage.ts';

test('the bets of one account are nowhere for the other', () => {
  const { stage, client: mary, market, marketId, selectionId, bestBack } = openMatch();
  const john = stage.login('john');
  const instructions = [
    limit({ selectionId, price: 1000, size: 5, customerOrderRef: 'resting' }),
    limit({ selectionId, price: bestBack, size: 2, customerOrderRef: 'matched' }),
  ];
  const placed = mary.call('placeOrders', { marketId, customerRef: 'same', customerStrategyRef: 'one', instructions });
  const betIds = (placed.instructionReports ?? []).map(({ betId }) => betId ?? '');
  const [betId = ''] = betIds;
  const before = mary.call('listCurrentOrders', {});
  expect(before.currentOrders.length).toBe(2);

  for (const query of [
    {},
    { betIds },
    { marketIds: [marketId] },
    { customerOrderRefs: ['resting'] },
    { customerStrategyRefs: ['one'] },
  ])
    expect(john.call('listCurrentOrders', query).currentOrders, JSON.stringify(query)).toEqual([]);
  const projections = { orderProjection: 'ALL', matchProjection: 'NO_ROLLUP' };
  const [book] = john.call('listMarketBook', { marketIds: [marketId], ...projections });
  for (const runner of book?.runners ?? []) expect([...(runner.orders ?? []), ...(runner.matches ?? [])]).toEqual([]);
  const [profit] = john.call('listMarketProfitAndLoss', { marketIds: [marketId] });
  expect((profit?.profitAndLosses ?? []).every(({ ifWin }) => ifWin === 0)).toBe(true);
  expect(john.call('getAccountFunds', {})).toMatchObject({ availableToBetBalance: 10_000, exposure: 0 });

  const unknown = { status: 'FAILURE', instructionReports: [{ errorCode: 'INVALID_BET_ID' }] };
  expect(john.call('cancelOrders', { marketId, instructions: [{ betId }] })).toMatchObject(unknown);
  expect(john.call('replaceOrders', { marketId, instructions: [{ betId, newPrice: 900 }] })).toMatchObject(unknown);
  const keep = { marketId, instructions: [{ betId, newPersistenceType: 'PERSIST' }] };
  expect(john.call('updateOrders', keep)).toMatchObject(unknown);
  john.call('cancelOrders', { marketId });
  john.call('cancelOrders', {});
  // A reference that mary used is new for john.
  const own = [limit({ selectionId, price: 1000, size: 3 })];
  expect(john.call('placeOrders', { marketId, customerRef: 'same', instructions: own }).status).toBe('SUCCESS');
  expect(mary.call('listCurrentOrders', {})).toEqual(before);

  stage.command({ kind: 'lock', market });
  stage.command({ kind: 'settle', market, winners: [0] });
  expect(mary.call('listClearedOrders', { betStatus: 'SETTLED' }).clearedOrders.length).toBe(1);
  expect(john.call('listClearedOrders', { betStatus: 'SETTLED' }).clearedOrders).toEqual([]);
  expect(john.call('listClearedOrders', { betStatus: 'LAPSED' }).clearedOrders.length).toBe(1);
  expect(john.call('getAccountFunds', {})).toMatchObject({ availableToBetBalance: 10_000, exposure: 0 });
});

test('the stream of orders of one account tells nothing of the other', () => {
  const stage = new StreamStage();
  const [mary, john] = [stage.login('mary'), stage.login('john')];
  const [hers, his] = [stage.open(mary), stage.open(john)];
  for (const client of [hers, his]) client.send({ op: 'orderSubscription', id: 2 });
  const query = { filter: {}, marketProjection: ['RUNNER_DESCRIPTION'], sort: 'LAST_TO_START', maxResults: 1 };
  const [found] = mary.call('listMarketCatalogue', query);
  const selectionId = found?.runners?.[0]?.selectionId ?? 0;
  const marketId = found?.marketId ?? '';
  mary.call('placeOrders', { marketId, instructions: [limit({ selectionId, price: 1000, size: 5 })] });
  stage.builder.pass(100);
  expect(hers.reader.accounts.size).toBe(1);
  expect(his.reader.accounts.size).toBe(0);
  expect([...hers.reader.faults, ...his.reader.faults]).toEqual([]);
});
