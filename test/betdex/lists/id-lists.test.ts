/** Lists that are too long for one request are cut into several, in order and without loss. */

import { describe, expect, test } from 'vitest';
import { batchesOf, idListsFor, URL_MAX } from '../../../src/betdex/lists/id-lists.ts';
import { ENDPOINTS } from '../../../src/betdex/wire/endpoints.ts';
import { pathWithValues, queryToWire } from '../../../src/codec/request-address.ts';
import { Random } from '../../support/random.ts';

test.each([
  [0, []],
  [1, [1]],
  [50, [50]],
  [51, [50, 1]],
  [120, [50, 50, 20]],
])('%i requests are batches of %j', (count, sizes) => {
  const requests = Array.from({ length: count }, (_, index) => index);
  const batches = batchesOf(requests);
  expect(batches.map(({ length }) => length)).toEqual(sizes);
  expect(batches.flat()).toEqual(requests);
});

describe('id lists', () => {
  const idsOf = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => `${index}`.padStart(length, '0'));
  const urlLength = (list: readonly string[]) =>
    ENDPOINTS.listPrices.path.length +
    1 +
    queryToWire(ENDPOINTS.listPrices.query, { marketIds: [...list], directOnly: true }).length;

  test('few ids are one list, none are none', () => {
    expect(idListsFor('listPrices', {}, ['1', '2'])).toEqual([['1', '2']]);
    expect(idListsFor('listPrices', {}, [])).toEqual([]);
  });

  test('fill the URL and never pass it, whatever the ids', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const random = new Random(seed);
      const ids = Array.from({ length: random.between(1, 3_000) }, () =>
        Array.from({ length: random.between(1, 40) }, () => random.pick(['1', 'a', '/', 'ü', ',', '€', '😀'])).join(''),
      );
      const lists = idListsFor('listPrices', { query: { directOnly: true } }, ids);
      expect(lists.flat(), `seed ${seed}`).toEqual(ids);
      for (const list of lists) expect(urlLength(list), `seed ${seed}`).toBeLessThan(URL_MAX - 200);
      lists.slice(0, -1).forEach((list, index) => {
        expect(
          urlLength([...list, ...(lists[index + 1] ?? [])].slice(0, list.length + 1)),
          `seed ${seed}`,
        ).toBeGreaterThan(6_000);
      });
    }
  });

  test('leave room for the rest of the query and the path', () => {
    const long = 'x'.repeat(3_000);
    const lists = idListsFor('listMarketOrders', { path: { id: long } }, idsOf(1_000, 10));
    const path = pathWithValues(ENDPOINTS.listMarketOrders.path, { id: long });
    for (const list of lists)
      expect(path.length + queryToWire(ENDPOINTS.listMarketOrders.query, { walletIds: [...list] }).length).toBeLessThan(
        URL_MAX,
      );
    expect(lists.flat().length).toBe(1_000);
  });

  test('an id that is too long by itself stands alone', () => {
    const long = 'y'.repeat(8_000);
    expect(idListsFor('listPrices', {}, ['1', long, '2']).map((list) => list.map(({ length }) => length))).toEqual([
      [1],
      [8_000],
      [1],
    ]);
  });
});
