/** What bots were told wrongly before: names, ids, sizes with parts of a penny, matches of removed runners, markets beside a tape. */

import { expect, test } from 'vitest';
import { FaceStage, limit } from '../support/sandbox-betfair/face-stage.ts';

const RACE = { filter: { marketTypeCodes: ['WIN'] }, sort: 'FIRST_TO_START', maxResults: 1 };

test('the event of an invented race is its meeting, everywhere', () => {
  const stage = new FaceStage();
  const client = stage.login();
  const [race] = client.call('listMarketCatalogue', { ...RACE, marketProjection: ['EVENT'] });
  expect(race?.event?.name).toMatch(/^[A-Z][a-z]+ \d{1,2}(st|nd|rd|th) (Mar)$/);
  expect(race?.event?.venue).toBe(race?.event?.name?.split(' ')[0]);
  const [found] = client.call('listEvents', { filter: { textQuery: race?.event?.name } });
  expect(found?.event).toEqual(race?.event);
});

test('ids of invented markets and events are none that a recording has', () => {
  const client = new FaceStage().login();
  const found = client.call('listMarketCatalogue', { filter: {}, maxResults: 100, marketProjection: ['EVENT'] });
  expect(found.length).toBeGreaterThan(10);
  for (const { marketId, event } of found) {
    expect(Number(marketId?.split('.')[1])).toBeGreaterThan(900_000_000);
    expect(Number(event?.id)).toBeGreaterThan(90_000_000);
  }
});

test('matches of a removed runner are in no book, since they are void', () => {
  const stage = new FaceStage();
  const client = stage.login();
  const [race] = client.call('listMarketCatalogue', { ...RACE, marketProjection: ['RUNNER_DESCRIPTION'] });
  const { marketId = '', runners = [] } = race ?? {};
  const instructions = runners.slice(0, 2).map(({ selectionId }) => limit({ selectionId, price: 1.01, size: 10 }));
  client.call('placeOrders', { marketId, instructions });
  const matches = () => {
    const asked = { marketIds: [marketId], matchProjection: 'NO_ROLLUP' };
    return (client.call('listMarketBook', asked)[0]?.runners ?? []).map((runner) => runner.matches?.length);
  };
  expect(
    matches()
      .slice(0, 2)
      .every((count) => (count ?? 0) > 0),
  ).toBe(true);
  const market = stage.market(marketId);
  stage.command({ kind: 'removeOutcome', market, outcome: 0, factorPpm: 200_000, basis: 'win' });
  expect(matches()[0]).toBe(0);
  expect(matches()[1]).toBeGreaterThan(0);
});

/** A bet of which a part was matched across outcomes, so that thousandths are left. */
function broken(stage: FaceStage) {
  const client = stage.login();
  const query = {
    filter: { marketTypeCodes: ['MATCH_ODDS'], inPlayOnly: false },
    sort: 'FIRST_TO_START',
    maxResults: 8,
  };
  for (const { marketId, runners = [] } of client.call('listMarketCatalogue', {
    ...query,
    marketProjection: ['RUNNER_DESCRIPTION'],
  })) {
    for (const { selectionId } of runners) {
      for (const side of ['BACK', 'LAY'] as const) {
        const price = side === 'BACK' ? 1.01 : 40;
        const size = 2_000;
        const instruction = limit({ selectionId, side, price, size });
        const [placed] = client.call('placeOrders', { marketId, instructions: [instruction] }).instructionReports ?? [];
        const { betId } = placed ?? {};
        const order = [...stage.builder.world.exchange.ordersOfMarket(stage.market(marketId ?? ''))].at(-1);
        if (betId !== undefined && order !== undefined && order.stakeUnmatched % 10_000 !== 0)
          return { client, marketId: marketId ?? '', betId, size, placed };
      }
    }
  }
  throw new Error('no bet was matched in thousandths');
}

test('parts of a penny are told alike by place, current orders, cancel and replace, and sizes add up', () => {
  for (const replaces of [false, true]) {
    const stage = new FaceStage();
    const { client, marketId, betId, size, placed } = broken(stage);
    const [order] = client.call('listCurrentOrders', { betIds: [betId] }).currentOrders;
    const { sizeMatched = 0, sizeRemaining = 0 } = order ?? {};
    expect(placed?.sizeMatched).toBe(sizeMatched);
    expect(sizeMatched + sizeRemaining).toBeCloseTo(size, 9);
    const [report] = replaces
      ? (client.call('replaceOrders', { marketId, instructions: [{ betId, newPrice: 1000 }] }).instructionReports ?? [])
      : [];
    const cancelled = replaces
      ? report?.cancelInstructionReport?.sizeCancelled
      : client.call('cancelOrders', { marketId, instructions: [{ betId }] }).instructionReports?.[0]?.sizeCancelled;
    expect(cancelled).toBe(sizeRemaining);
    if (replaces) expect(report?.placeInstructionReport?.instruction?.limitOrder?.size).toBe(sizeRemaining);
    const [left] = client.call('listCurrentOrders', { betIds: [betId] }).currentOrders;
    expect(left).toMatchObject({ sizeMatched, sizeRemaining: 0, sizeCancelled: sizeRemaining });
    const [told] = stage.face.verdict();
    expect(told?.bets.sizeMatched).toBeGreaterThanOrEqual(sizeMatched);
  }
});
