/** What the catalogue, the lists, the books and the menu say of the default world's markets. */

import { expect, test } from 'vitest';
import { USUAL_TERMS } from '../../src/sandbox-betfair/names/account-terms.ts';
import { FaceStage, limit } from '../support/sandbox-betfair/face-stage.ts';
import { openMatch, PROJECTIONS } from '../support/sandbox-betfair/open-match.ts';

test('the lists group the markets that a filter finds', () => {
  const client = new FaceStage().login();
  const racing = { eventTypeIds: ['7'] };
  expect(client.call('listCountries', { filter: racing })).toEqual([{ countryCode: 'GB', marketCount: 6 }]);
  expect(client.call('listMarketTypes', { filter: racing })).toEqual([
    { marketType: 'WIN', marketCount: 3 },
    { marketType: 'PLACE', marketCount: 3 },
  ]);
  expect(client.call('listCompetitions', { filter: racing })).toMatchObject([{ competition: { name: 'Heathdown' } }]);
  const events = client.call('listEvents', { filter: racing });
  expect(events.map(({ event, marketCount }) => [event?.venue, marketCount])).toEqual(Array(3).fill(['Heathdown', 2]));
  const days = client.call('listTimeRanges', { filter: racing, granularity: 'DAYS' });
  expect(days.map(({ timeRange }) => timeRange?.from)).toEqual([
    ...['2026-03-24T00:00:00.000Z', '2026-03-25T00:00:00.000Z', '2026-03-26T00:00:00.000Z'],
  ]);
  const none = [{ venues: ['Ascot'] }, { bspOnly: true }, { marketBettingTypes: ['LINE'] }, { exchangeIds: ['2'] }];
  for (const filter of none) expect(client.call('listEventTypes', { filter })).toEqual([]);
  const from = '2026-03-26T00:00:00Z';
  expect(client.call('listEvents', { filter: { ...racing, marketStartTime: { from } } })).toHaveLength(1);
  expect(client.call('listEvents', { filter: { inPlayOnly: true } }).length).toBeGreaterThan(0);
});

test('a catalogue is sorted and cut, and says what was asked for', () => {
  const client = new FaceStage().login();
  const filter = { marketTypeCodes: ['MATCH_ODDS'] };
  const plain = client.call('listMarketCatalogue', { filter, maxResults: 2 });
  expect(plain.map((each) => Object.keys(each))).toEqual(Array(2).fill(['marketId', 'marketName', 'totalMatched']));
  const sorted = client.call('listMarketCatalogue', {
    ...{ filter, marketProjection: PROJECTIONS, sort: 'LAST_TO_START', maxResults: 100 },
  });
  const starts = sorted.map(({ marketStartTime }) => marketStartTime ?? '');
  expect(starts).toEqual([...starts].sort().reverse());
  expect(sorted[0]?.description).toMatchObject({ marketBaseRate: 5, priceLadderDescription: { type: 'CLASSIC' } });
  const both = { filter, marketProjection: PROJECTIONS, maxResults: 101 };
  expect(client.refused('listMarketCatalogue', both)).toBe('TOO_MUCH_DATA');
  expect(client.refused('listMarketCatalogue', { filter, maxResults: 1001 })).toBe('INVALID_INPUT_DATA');
  expect(client.refused('listMarketCatalogue', { filter })).toBe('DSC-0018');
});

test('a book has the prices that were asked for, rolled up, and in both halves of what was matched', () => {
  const { client, marketId, selectionId, bestBack } = openMatch();
  const ex = (priceProjection: unknown) =>
    client.call('listRunnerBook', { marketId, selectionId, priceProjection })[0]?.runners?.[0]?.ex;
  expect(ex({ priceData: ['SP_AVAILABLE'] })).toBeUndefined();
  expect(ex({ priceData: ['EX_BEST_OFFERS'] })?.availableToBack).toHaveLength(3);
  const all = ex({ priceData: ['EX_ALL_OFFERS', 'EX_TRADED'] });
  expect(all?.tradedVolume).toEqual([{ price: bestBack, size: 20 }]);
  const small = limit({ selectionId, side: 'LAY', price: 1.01, size: 1000 });
  client.call('placeOrders', { marketId, instructions: [small] });
  const rolled = ex({
    priceData: ['EX_BEST_OFFERS'],
    exBestOffersOverrides: { rollupModel: 'STAKE', rollupLimit: 1000 },
  });
  expect(rolled?.availableToBack).toEqual([
    { price: 1.01, size: 1000 + (all?.availableToBack ?? []).reduce((sum, { size }) => sum + size, 0) },
  ]);
  expect(
    ex({ priceData: ['EX_BEST_OFFERS'], exBestOffersOverrides: { bestPricesDepth: 1 } })?.availableToLay,
  ).toHaveLength(1);
  expect(client.call('listMarketBook', { marketIds: ['1.1', marketId] })).toHaveLength(1);
  const most = { EX_BEST_OFFERS: 40, EX_ALL_OFFERS: 11, EX_TRADED: 11, SP_AVAILABLE: 66, SP_TRADED: 28 };
  for (const [data, count] of Object.entries(most)) {
    const query = (markets: number) => ({
      marketIds: Array.from({ length: markets }, (_, index) => `1.${index}`),
      priceProjection: { priceData: [data] },
    });
    expect(client.call('listMarketBook', query(count))).toEqual([]);
    expect(client.refused('listMarketBook', query(count + 1))).toBe('TOO_MUCH_DATA');
  }
});

test('a delay for takers alone has its model, unless the client is older', () => {
  for (const newFields of [true, false]) {
    const stage = new FaceStage({ accounts: new Map([['mary', { ...USUAL_TERMS, newFields }]]) });
    const client = stage.login();
    const [found] = client.call('listMarketCatalogue', { filter: { marketTypeCodes: ['MATCH_ODDS'] }, maxResults: 1 });
    const marketId = found?.marketId ?? '';
    stage.command({ kind: 'setInPlayDelay', market: stage.market(marketId), delayMs: 3_000, delaysTakersOnly: true });
    const [book] = client.call('listMarketBook', { marketIds: [marketId] });
    expect(book?.betDelayModels).toEqual(newFields ? ['PASSIVE'] : undefined);
  }
});

test('the menu is a tree down to the markets', () => {
  const stage = new FaceStage();
  const path = '/exchange/betting/rest/v1/en/navigation/menu.json';
  const menu = stage.ask({ path, method: 'GET' }) as Node;
  expect(menu.type).toBe('GROUP');
  const sports = menu.children ?? [];
  expect(sports.map(({ type, name }) => [type, name])).toEqual([
    ['EVENT_TYPE', 'Soccer'],
    ['EVENT_TYPE', 'Tennis'],
    ['EVENT_TYPE', 'Basketball'],
    ['EVENT_TYPE', 'Horse Racing'],
  ]);
  const race = sports[3]?.children?.[0]?.children?.[0];
  expect(race).toMatchObject({
    type: 'RACE',
    venue: 'Heathdown',
    children: [{ type: 'MARKET', marketType: 'WIN' }, {}],
  });
});

interface Node {
  readonly type: string;
  readonly name: string;
  readonly children?: readonly Node[];
}

test('a heartbeat is adopted within its bounds, and its lapse cancels, is said once and blocks nothing', () => {
  const { stage, client, marketId, selectionId } = openMatch();
  const beat = (preferredTimeoutSeconds: number) => client.call('heartbeat', { preferredTimeoutSeconds });
  expect(beat(1)).toEqual({ actionPerformed: 'NONE', actualTimeoutSeconds: 10 });
  expect(beat(1_000)).toEqual({ actionPerformed: 'NONE', actualTimeoutSeconds: 300 });
  expect(beat(20)).toEqual({ actionPerformed: 'NONE', actualTimeoutSeconds: 20 });
  const instructions = [limit({ selectionId, price: 1000, size: 2 })];
  client.call('placeOrders', { marketId, instructions });
  stage.builder.pass(20_000);
  expect(client.call('listCurrentOrders', {}).currentOrders).toEqual([]);
  expect(client.call('placeOrders', { marketId, instructions }).status).toBe('SUCCESS');
  expect(beat(10).actionPerformed).toBe('ALL_BETS_CANCELLED');
  expect(beat(10).actionPerformed).toBe('NONE');
  expect(beat(0)).toEqual({ actionPerformed: 'NONE', actualTimeoutSeconds: 0 });
  expect(client.call('listClearedOrders', { betStatus: 'CANCELLED' }).clearedOrders).toMatchObject([
    { sizeCancelled: 2 },
  ]);
});
