/** Matched bets of a time become void: every list, the stream, the funds and the verdict tell it, and all sums are right. */

import { expect, test } from 'vitest';
import { type FaceClient, limit } from '../support/sandbox-betfair/face-stage.ts';
import { StreamStage } from '../support/sandbox-betfair/stream-stage.ts';

const WINDOW_MS = 1_000;

/** Mary's bet is matched with the exchange's own offers, and later in part with Tom's, whose trade becomes void. */
function play() {
  const stage = new StreamStage();
  const [mary, tom] = [stage.login('mary'), stage.login('tom')];
  const query = { filter: { marketTypeCodes: ['WIN'] }, marketProjection: ['RUNNER_DESCRIPTION'], maxResults: 1 };
  const [race] = mary.call('listMarketCatalogue', query);
  const [marketId, selectionId] = [race?.marketId ?? '', race?.runners?.[0]?.selectionId ?? 0];
  const stream = stage.open(mary);
  stream.send({ op: 'orderSubscription', id: 2 });
  const priceProjection = { priceData: ['EX_BEST_OFFERS'] };
  const [book] = mary.call('listMarketBook', { marketIds: [marketId], priceProjection });
  const { price = 0, size: first = 0 } = book?.runners?.[0]?.ex?.availableToBack?.[0] ?? {};
  const place = (client: FaceClient, side: 'BACK' | 'LAY', size: number) => {
    const instructions = [limit({ selectionId, side, price, size })];
    return client.call('placeOrders', { marketId, instructions }).instructionReports?.[0]?.betId ?? '';
  };
  const hers = place(mary, 'BACK', first + 30);
  stage.builder.pass(2 * WINDOW_MS);
  const his = place(tom, 'LAY', 10);
  mary.call('cancelOrders', { marketId, instructions: [{ betId: hers, sizeReduction: 5 }] });
  stage.builder.pass(100);
  const market = stage.market(marketId);
  const to = stage.builder.context.now();
  const runner = () => stream.reader.accounts.get(marketId)?.runners.get(`${selectionId} 0`);
  const voidNow = () => {
    stage.command({ kind: 'voidTrades', market, from: (to - WINDOW_MS) as typeof to, to });
    stage.builder.pass(100);
  };
  return { stage, mary, tom, market, price, first, hers, his, stream, runner, voidNow };
}

const sizes = (sizeMatched: number, parts: object = {}) => ({
  ...{ sizeMatched, sizeRemaining: 0, sizeLapsed: 0, sizeCancelled: 0, sizeVoided: 0 },
  ...parts,
});

test('a bet falls back to what was matched before, and one of which nothing is left is void', () => {
  const { stage, mary, tom, price, first, hers, his, voidNow } = play();
  const current = (client: FaceClient) => client.call('listCurrentOrders', {}).currentOrders;
  const before = sizes(first + 10, { sizeRemaining: 15, sizeCancelled: 5 });
  expect(current(mary)).toMatchObject([{ betId: hers, ...before }]);
  expect(tom.call('getAccountFunds', {}).exposure).toBeCloseTo(-10 * (price - 1), 9);
  voidNow();
  const after = sizes(first, { sizeRemaining: 15, sizeCancelled: 5, sizeVoided: 10 });
  expect(current(mary)).toMatchObject([{ betId: hers, status: 'EXECUTABLE', averagePriceMatched: price, ...after }]);
  expect(current(tom)).toEqual([]);
  const voided = (client: FaceClient) => client.call('listClearedOrders', { betStatus: 'VOIDED' }).clearedOrders;
  expect(voided(tom)).toMatchObject([{ betId: his, sizeSettled: 10, profit: 0 }]);
  expect(tom.call('getAccountFunds', {})).toMatchObject({ availableToBetBalance: 10_000, exposure: 0 });
  expect(mary.call('getAccountFunds', {}).exposure).toBeCloseTo(-(first + 15), 9);
  const [ofMary, ofTom] = stage.face.verdict();
  expect(ofMary?.bets).toEqual({ betCount: 1, size: first + 30, ...after });
  expect(ofTom?.bets).toEqual({ betCount: 1, size: 10, ...sizes(0, { sizeVoided: 10 }) });
  expect(stage.builder.world.exchange.brokenLaws()).toEqual([]);
});

test('the stream tells the sizes, and its matches fall back', () => {
  const { price, first, hers, stream, runner, voidNow } = play();
  expect(runner()?.mb.get(price)).toBeCloseTo(first + 10, 9);
  voidNow();
  expect(runner()?.mb.get(price)).toBeCloseTo(first, 9);
  expect(runner()?.orders.get(hers)).toMatchObject({
    status: 'E',
    sm: first,
    sr: 15,
    sc: 5,
    sl: 0,
    sv: 10,
    avp: price,
  });
  expect(stream.reader.faults).toEqual([]);
});

test('the result pays what is left, and the ledger says so when the market is gone', () => {
  const { stage, mary, market, price, first, hers, voidNow } = play();
  voidNow();
  stage.command({ kind: 'lock', market });
  stage.command({ kind: 'settle', market, winners: [0] });
  const cleared = (betStatus: string) => mary.call('listClearedOrders', { betStatus }).clearedOrders;
  const check = () => {
    const settled = { betId: hers, priceMatched: price, sizeSettled: first, betOutcome: 'WON' };
    expect(cleared('SETTLED')).toMatchObject([settled]);
    expect(cleared('SETTLED')[0]?.profit).toBeCloseTo(first * (price - 1), 2);
    expect(cleared('VOIDED')).toMatchObject([{ betId: hers, sizeSettled: 10, profit: 0 }]);
    expect(cleared('CANCELLED')).toMatchObject([{ betId: hers, sizeCancelled: 5 }]);
    expect(cleared('LAPSED')).toMatchObject([{ betId: hers, sizeCancelled: 15 }]);
  };
  check();
  const before = stage.face.verdict();
  stage.command({ kind: 'close', market });
  stage.command({ kind: 'forget', market });
  check();
  expect(stage.face.verdict()).toEqual(before);
});
