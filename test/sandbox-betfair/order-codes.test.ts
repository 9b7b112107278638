/** What the orders of a request are refused with, and what is taken that a first look would refuse. */

import { expect, test } from 'vitest';
import { limit } from '../support/sandbox-betfair/face-stage.ts';
import { type OpenMatch, openMatch } from '../support/sandbox-betfair/open-match.ts';

type More = Readonly<Record<string, unknown>>;

/** The report of a request with one instruction. */
function place({ client, marketId }: OpenMatch, instruction: unknown, more: More = {}) {
  const { instructionReports, ...report } = client.call('placeOrders', {
    ...{ marketId, instructions: [instruction] },
    ...more,
  });
  return { report, item: instructionReports?.[0] };
}

/** A bet of 10 that rests, changed by a test. */
function bet({ selectionId, bestLay }: OpenMatch, terms: Partial<Parameters<typeof limit>[0]> = {}) {
  return limit({ selectionId, price: bestLay, size: 10, ...terms });
}

const REFUSED: Readonly<Record<string, (match: OpenMatch) => unknown>> = {
  INVALID_RUNNER: (match) => bet(match, { selectionId: 1 }),
  INVALID_ODDS: (match) => bet(match, { price: 2.03 }),
  INVALID_BET_SIZE: (match) => bet(match, { size: 10.005 }),
  'INVALID_BET_SIZE of nothing': (match) => bet(match, { size: 0 }),
  'INVALID_BET_SIZE below the smallest': (match) => bet(match, { size: 0.99, price: 10 }),
  'INVALID_BET_SIZE with a target': (match) => bet(match, { more: { betTargetType: 'PAYOUT', betTargetSize: 10 } }),
  INVALID_PERSISTENCE_TYPE: (match) => bet(match, { more: { persistenceType: 'MARKET_ON_CLOSE' } }),
  INVALID_MIN_FILL_SIZE: (match) => bet(match, { more: { timeInForce: 'FILL_OR_KILL', minFillSize: 11 } }),
  'INVALID_MIN_FILL_SIZE of nothing': (match) => bet(match, { more: { timeInForce: 'FILL_OR_KILL', minFillSize: 0 } }),
  INVALID_CUSTOMER_ORDER_REF: (match) => bet(match, { customerOrderRef: 'x'.repeat(33) }),
  'INVALID_CUSTOMER_ORDER_REF with a blank': (match) => bet(match, { customerOrderRef: 'a b' }),
  INVALID_ORDER_TYPE: ({ selectionId }) => ({
    ...{ orderType: 'MARKET_ON_CLOSE', selectionId, side: 'BACK', marketOnCloseOrder: { liability: 10 } },
  }),
  INSUFFICIENT_FUNDS: (match) => bet(match, { size: 10_000.01 }),
};

test.each(Object.entries(REFUSED))('%s', (name, instructionOf) => {
  const match = openMatch();
  const { report, item } = place(match, instructionOf(match));
  const code = name.split(' ')[0];
  const whole = code === 'INSUFFICIENT_FUNDS' ? 'INSUFFICIENT_FUNDS' : 'BET_ACTION_ERROR';
  expect([report.status, report.errorCode]).toEqual(['FAILURE', whole]);
  expect([item?.status, item?.errorCode, item?.betId]).toEqual(['FAILURE', code, undefined]);
  expect(match.client.call('listCurrentOrders', {}).currentOrders).toEqual([]);
});

test('INVALID_PERSISTENCE_TYPE and RUNNER_REMOVED: a race does not turn in play, and loses a runner', () => {
  const match = openMatch();
  const { stage, client } = match;
  const [race] = client.call('listMarketCatalogue', {
    ...{ filter: { marketTypeCodes: ['WIN'] }, marketProjection: ['RUNNER_DESCRIPTION'], maxResults: 1 },
  });
  const marketId = race?.marketId ?? '';
  const selectionId = race?.runners?.[3]?.selectionId ?? 0;
  const kept = limit({ selectionId, price: 50, size: 2, more: { persistenceType: 'PERSIST' } });
  expect(place({ ...match, marketId }, kept).item?.errorCode).toBe('INVALID_PERSISTENCE_TYPE');
  const market = stage.market(marketId);
  stage.command({ kind: 'removeOutcome', market, outcome: 3, factorPpm: 0, basis: 'win' });
  expect(place({ ...match, marketId }, limit({ selectionId, price: 50, size: 2 })).item?.errorCode).toBe(
    'RUNNER_REMOVED',
  );
});

test('INVALID_BACK_LAY_COMBINATION: a back and a lay of one request overlap, and a third order fails with them', () => {
  const match = openMatch();
  const { client, marketId } = match;
  const instructions = [
    bet(match, { price: 4 }),
    bet(match, { price: 4, side: 'LAY' }),
    bet(match, { price: 1000, size: 2 }),
  ];
  const { instructionReports } = client.call('placeOrders', { marketId, instructions });
  expect(instructionReports?.map(({ errorCode }) => errorCode)).toEqual([
    ...['INVALID_BACK_LAY_COMBINATION', 'INVALID_BACK_LAY_COMBINATION', 'RELATED_ACTION_FAILED'],
  ]);
});

test('where the funds are enough for one order of two, none is placed', () => {
  const match = openMatch();
  const { client, marketId } = match;
  const instructions = [bet(match, { size: 6_000, customerOrderRef: 'one' }), bet(match, { size: 6_000 })];
  const report = client.call('placeOrders', { marketId, instructions });
  expect([report.status, report.errorCode]).toEqual(['FAILURE', 'INSUFFICIENT_FUNDS']);
  const codes = report.instructionReports?.map(({ errorCode }) => errorCode);
  expect(codes).toEqual(['RELATED_ACTION_FAILED', 'INSUFFICIENT_FUNDS']);
  expect(client.call('getAccountFunds', {})).toMatchObject({ availableToBetBalance: 10_000, exposure: 0 });
  // Nothing was taken, so that the same references are free.
  expect(place(match, bet(match, { customerOrderRef: 'one' })).report.status).toBe('SUCCESS');
});

test('a market that stops during the delay takes no order, and the answer says so after the delay', () => {
  const match = openMatch();
  const { stage, client, marketId, market } = match;
  stage.command({ kind: 'setInPlay', market, inPlay: true });
  const answer = client.later('placeOrders', { marketId, instructions: [bet(match)] });
  stage.builder.pass(1_000);
  stage.command({ kind: 'suspend', market, suspended: true });
  stage.builder.pass(4_000);
  expect(answer()).toMatchObject({
    ...{ status: 'FAILURE', errorCode: 'BET_ACTION_ERROR' },
    instructionReports: [{ status: 'FAILURE', errorCode: 'ERROR_IN_ORDER' }],
  });
  const pending = client.call('placeOrders', { marketId, instructions: [bet(match)], async: true });
  expect(pending).toMatchObject({ status: 'FAILURE', errorCode: 'MARKET_SUSPENDED' });
});

test('a replacement in play is cancelled at once and placed after the delay', () => {
  const match = openMatch();
  const { stage, client, marketId, market } = match;
  const kept = place(match, bet(match, { more: { persistenceType: 'PERSIST' } })).item?.betId ?? '';
  stage.command({ kind: 'setInPlay', market, inPlay: true });
  const answer = client.later('replaceOrders', { marketId, instructions: [{ betId: kept, newPrice: 1000 }] });
  expect(client.call('listCurrentOrders', {}).currentOrders).toEqual([]);
  stage.builder.pass(4_999);
  expect(answer()).toBeUndefined();
  stage.builder.pass(1);
  const [{ placeInstructionReport, cancelInstructionReport } = {}] = answer()?.instructionReports ?? [];
  expect(cancelInstructionReport).toMatchObject({ status: 'SUCCESS', sizeCancelled: 10 });
  expect(placeInstructionReport).toMatchObject({ status: 'SUCCESS', orderStatus: 'EXECUTABLE' });
  const [order] = client.call('listCurrentOrders', {}).currentOrders;
  expect(order).toMatchObject({
    betId: placeInstructionReport?.betId,
    persistenceType: 'PERSIST',
    priceSize: { price: 1000 },
  });
  // The market stops before the next one is placed: what was cancelled stays cancelled.
  const lost = client.later('replaceOrders', { marketId, instructions: [{ betId: order?.betId, newPrice: 500 }] });
  stage.command({ kind: 'suspend', market, suspended: true });
  stage.builder.pass(5_000);
  expect(lost()).toMatchObject({ status: 'FAILURE', instructionReports: [{ errorCode: 'CANCELLED_NOT_PLACED' }] });
});

test('an asynchronous order is answered at once, and is there after its delay', () => {
  const match = openMatch();
  const { stage, client, marketId, market } = match;
  stage.command({ kind: 'setInPlay', market, inPlay: true });
  const pending = client.call('placeOrders', { marketId, instructions: [bet(match)], async: true });
  expect(pending).toMatchObject({ status: 'SUCCESS', instructionReports: [{ orderStatus: 'PENDING' }] });
  expect(pending.instructionReports?.[0]).not.toHaveProperty('betId');
  expect(client.call('listCurrentOrders', {}).currentOrders).toEqual([]);
  stage.builder.pass(5_000);
  const [order] = client.call('listCurrentOrders', {}).currentOrders;
  const instructions = [{ betId: order?.betId, newPrice: 1000 }];
  expect(client.call('replaceOrders', { marketId, instructions, async: true })).toMatchObject({
    ...{ status: 'SUCCESS', instructionReports: [{ placeInstructionReport: { orderStatus: 'PENDING' } }] },
  });
  stage.builder.pass(5_000);
  expect(client.call('listCurrentOrders', {}).currentOrders).toMatchObject([{ priceSize: { price: 1000 } }]);
});

test('a market that is unknown, suspended, over, or of another version takes no orders', () => {
  const match = openMatch();
  const { stage, market, book } = match;
  const codeOf = (at: OpenMatch, more: More = {}) => place(at, bet(match), more).report.errorCode;
  expect(codeOf({ ...match, marketId: '1.1' })).toBe('INVALID_MARKET_ID');
  const version = book()?.version ?? 0;
  expect(codeOf(match, { marketVersion: { version: version - 1 } })).toBe('INVALID_MARKET_VERSION');
  expect(codeOf(match, { marketVersion: { version } })).toBeUndefined();
  stage.command({ kind: 'suspend', market, suspended: true });
  expect(codeOf(match)).toBe('MARKET_SUSPENDED');
  stage.command({ kind: 'void', market });
  expect(codeOf(match)).toBe('MARKET_NOT_OPEN_FOR_BETTING');
});

test('a reference is a duplicate for a minute, and then it is not', () => {
  const match = openMatch();
  const send = () => place(match, bet(match), { customerRef: 'again' }).report;
  expect(send()).toMatchObject({ status: 'SUCCESS', customerRef: 'again' });
  match.stage.builder.pass(59_999);
  expect(send()).toMatchObject({ status: 'FAILURE', errorCode: 'DUPLICATE_TRANSACTION' });
  match.stage.builder.pass(1);
  expect(send().status).toBe('SUCCESS');
  expect(match.client.call('listCurrentOrders', {}).currentOrders).toHaveLength(2);
});

test('small bets are taken by their payout, or where a bet of the account rests at the price', () => {
  const match = openMatch();
  expect(place(match, bet(match, { size: 0.1, price: 100 })).report.status).toBe('SUCCESS');
  expect(place(match, bet(match, { size: 0.5 })).item?.errorCode).toBe('INVALID_BET_SIZE');
  expect(place(match, bet(match)).report.status).toBe('SUCCESS');
  expect(place(match, bet(match, { size: 0.5 })).report.status).toBe('SUCCESS');
  // Rounding may not make a bet much better than it is.
  expect(place(match, bet(match, { size: 2, price: 1.01 })).report.status).toBe('SUCCESS');
  expect(place(match, bet(match, { size: 1.55, price: 1.01 })).item?.errorCode).toBe('INVALID_PROFIT_RATIO');
});

test('a bet to fill or kill takes what its least fill allows, and is gone otherwise', () => {
  const match = openMatch();
  const { bestBack, client, offered } = match;
  const more = { timeInForce: 'FILL_OR_KILL', persistenceType: null };
  const killed = bet(match, { price: bestBack, size: offered + 10, more });
  expect(place(match, killed).item).toMatchObject({ status: 'SUCCESS', orderStatus: 'EXPIRED', sizeMatched: 0 });
  const least = bet(match, { price: bestBack, size: offered + 10, more: { ...more, minFillSize: offered } });
  expect(place(match, least).item).toMatchObject({ orderStatus: 'EXECUTION_COMPLETE', sizeMatched: offered });
  const [order] = client.call('listCurrentOrders', {}).currentOrders;
  expect(order).toMatchObject({ sizeMatched: offered, sizeLapsed: 10, sizeRemaining: 0, status: 'EXECUTION_COMPLETE' });
  const lapsed = client.call('listClearedOrders', { betStatus: 'LAPSED' }).clearedOrders;
  expect(lapsed.map(({ sizeCancelled }) => sizeCancelled)).toEqual([10, offered + 10]);
});

test('what is wrong with a cancellation, a replacement and an update', () => {
  const match = openMatch();
  const { client, marketId, bestBack } = match;
  const taken = place(match, bet(match, { price: bestBack })).item?.betId ?? '';
  const live = place(match, bet(match)).item?.betId ?? '';
  const foreign = place({ ...match, client: match.stage.login('joe') }, bet(match)).item?.betId ?? '';
  const ids = [taken, foreign, '17'];
  const cancelled = client.call('cancelOrders', { marketId, instructions: [...ids, live].map((betId) => ({ betId })) });
  expect(cancelled.status).toBe('PROCESSED_WITH_ERRORS');
  const codes = (reports: readonly { readonly errorCode?: string }[] = []) => reports.map(({ errorCode }) => errorCode);
  const unknown = ['BET_TAKEN_OR_LAPSED', 'INVALID_BET_ID', 'INVALID_BET_ID'];
  expect(codes(cancelled.instructionReports)).toEqual([...unknown, undefined]);
  const replaced = client.call('replaceOrders', {
    marketId,
    instructions: ids.map((betId) => ({ betId, newPrice: 5 })),
  });
  expect([replaced.status, ...codes(replaced.instructionReports)]).toEqual(['FAILURE', ...unknown]);
  const again = place(match, bet(match)).item?.betId ?? '';
  const edit = (newPrice: number) =>
    codes(client.call('replaceOrders', { marketId, instructions: [{ betId: again, newPrice }] }).instructionReports);
  expect([edit(match.bestLay), edit(2.03)]).toEqual([['INVALID_PRICE_EDIT'], ['INVALID_ODDS']]);
  const update = (newPersistenceType: string) =>
    codes(
      client.call('updateOrders', { marketId, instructions: [{ betId: again, newPersistenceType }] })
        .instructionReports,
    );
  expect([update('LAPSE'), update('MARKET_ON_CLOSE'), update('PERSIST')]).toEqual([
    ...[['NO_ACTION_REQUIRED'], ['INVALID_PERSISTENCE_TYPE'], [undefined]],
  ]);
});

test('without instructions a market is cancelled, and without a market all of the account', () => {
  const match = openMatch();
  const { client, marketId } = match;
  const other = client.call('listMarketCatalogue', {
    ...{ filter: { marketTypeCodes: ['OVER_UNDER_25'] }, marketProjection: ['RUNNER_DESCRIPTION'], maxResults: 1 },
  })[0];
  const elsewhere = { ...match, marketId: other?.marketId ?? '' };
  place(match, bet(match));
  place(match, bet(match, { size: 2 }));
  place(elsewhere, limit({ selectionId: other?.runners?.[0]?.selectionId ?? 0, price: 1000, size: 2 }));
  const joe = match.stage.login('joe');
  place({ ...match, client: joe }, bet(match));
  expect(client.call('cancelOrders', { marketId }).instructionReports).toHaveLength(2);
  expect(client.call('cancelOrders', {}).instructionReports).toHaveLength(1);
  expect(client.call('listCurrentOrders', {}).currentOrders).toEqual([]);
  expect(joe.call('listCurrentOrders', {}).currentOrders).toHaveLength(1);
});

test('requests that are none are refused as a whole', () => {
  const match = openMatch();
  const { client, marketId } = match;
  const many = (count: number) => Array.from({ length: count }, () => bet(match, { size: 2 }));
  expect(client.refused('placeOrders', { marketId, instructions: [] })).toBe('INVALID_INPUT_DATA');
  expect(client.refused('placeOrders', { marketId, instructions: many(201) })).toBe('INVALID_INPUT_DATA');
  expect(client.refused('placeOrders', { marketId, instructions: many(1), customerRef: 'a b' })).toBe(
    'INVALID_INPUT_DATA',
  );
  const cancels = Array.from({ length: 61 }, () => ({ betId: '1' }));
  expect(client.refused('cancelOrders', { marketId, instructions: cancels })).toBe('INVALID_INPUT_DATA');
  expect(client.refused('placeOrders', { marketId })).toBe('DSC-0018');
  expect(client.refused('placeOrders', { marketId, instructions: [{ ...bet(match), side: 'UP' }] })).toBe('DSC-0009');
  for (let request = 0; request < 5; request += 1)
    expect(client.call('placeOrders', { marketId, instructions: many(200) }).status).toBe('SUCCESS');
  expect(client.refused('placeOrders', { marketId, instructions: many(1) })).toBe('TOO_MANY_REQUESTS');
  match.stage.builder.pass(1_000);
  expect(client.call('placeOrders', { marketId, instructions: many(1) }).status).toBe('SUCCESS');
});
