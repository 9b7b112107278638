/** GET /markets/historical: by settlement or by the event's start, bounded, and page by page. */

import { describe, expect, test } from 'vitest';
import { instantToWire } from '../../../src/codec/instants.ts';
import { instant } from '../../../src/core/number/units.ts';
import { MARKET_OPERATIONS as operations } from '../../../src/sandbox/operations/catalogue/markets.ts';
import { numericId } from '../../../src/sandbox/world/ids.ts';
import { asker } from '../../support/sandbox/ask.ts';
import { HOUR_MS, MINUTE_MS, START, WorldBuilder } from '../../support/sandbox/world-builder.ts';

const at = (ms: number) => encodeURIComponent(instantToWire(instant(ms)));

/** Seven markets of two events: a to c settled at 12:01, d and e at 12:02, f void at 12:03, g open; e is not published. */
function worldOfHistory() {
  const builder = new WorldBuilder().catalogue();
  const [house, trader] = [builder.app('House', { isHouse: true }), builder.app('trader')];
  const first = builder.event({ app: house, expectedStartTime: instant(START + HOUR_MS) });
  const second = builder.event({ app: house, expectedStartTime: instant(START + 2 * HOUR_MS) });
  const market = (name: string, event: number) => builder.openMarket({ app: house, event, name });
  const [a, b, c] = [market('a', second), market('b', first), market('c', first)];
  const [d, e, f] = [market('d', first), market('e', second), market('f', second)];
  market('g', first);
  builder.pass(MINUTE_MS);
  for (const each of [c, a, b]) builder.settle(each, 0);
  builder.pass(MINUTE_MS);
  for (const each of [d, e]) builder.settle(each, 1);
  builder.pass(MINUTE_MS);
  builder.command({ kind: 'void', market: f });
  builder.command({ kind: 'publish', market: e, published: false });
  const asking = asker(operations, { context: builder.context, caller: builder.caller(trader) });
  return { builder, ...asking, first, second };
}

describe('GET /markets/historical', () => {
  const { ask, askInVain, first, second } = worldOfHistory();
  const history = (query: string) => ask('listHistoricalMarkets', { query });
  const names = (query: string) => history(query).documents.markets.map(({ name }) => name);

  test.each([
    ['', ['a', 'b', 'c', 'd', 'f'], 'by settlement, then by id; without open and unpublished ones'],
    ['sort=DESC', ['f', 'd', 'c', 'b', 'a'], 'the latest first'],
    ['queryType=SettledDate', ['a', 'b', 'c', 'd', 'f'], 'the same, said aloud'],
    ['queryType=EventStartDate', ['b', 'c', 'd', 'a', 'f'], 'by the start of the event'],
    [`from=${at(START + 2 * MINUTE_MS)}`, ['d', 'f'], 'from a moment on, itself included'],
    [`to=${at(START + 2 * MINUTE_MS)}`, ['a', 'b', 'c', 'd'], 'up to a moment, itself included'],
    [`queryType=EventStartDate&from=${at(START + 2 * HOUR_MS)}`, ['a', 'f'], 'the bounds are of the date of the query'],
    [`queryType=EventStartDate&to=${at(START + HOUR_MS)}&sort=DESC`, ['d', 'c', 'b'], 'and sorted by it'],
    [`eventId=${numericId(first)}`, ['b', 'c', 'd'], 'of an event'],
    [`eventId=${numericId(second)}&limit=1`, ['a'], 'of another, a page'],
    ['eventId=999', [], 'of an event that is unknown'],
    ['eventId=x', [], 'of one that cannot be'],
  ])('%s: %3$s', (query, expected) => {
    expect(names(query)).toEqual(expected);
  });

  test.each(['ASC', 'DESC'])('walked by its own cursors, %s, it gives each market once', (sort) => {
    const seen: string[] = [];
    let cursor: { offset?: string; secondaryOffset?: number } | undefined = {};
    for (let calls = 0; cursor !== undefined; calls += 1) {
      expect(calls).toBeLessThan(9);
      const { offset, secondaryOffset } = cursor;
      const place =
        offset === undefined ? '' : `&offset=${encodeURIComponent(offset)}&secondaryOffset=${secondaryOffset}`;
      const { _meta, documents } = history(`sort=${sort}&limit=2${place}`);
      expect(_meta._count).toBe(documents.markets.length);
      const page = documents.markets.map(({ name }) => name);
      seen.push(...(page[0] === seen.at(-1) ? page.slice(1) : page));
      cursor = _meta.nextOffset;
    }
    expect(seen).toEqual(sort === 'ASC' ? ['a', 'b', 'c', 'd', 'f'] : ['f', 'd', 'c', 'b', 'a']);
  });

  test('tells the start of the event, and the tree above it', () => {
    const { documents, _meta } = history(`eventId=${numericId(second)}`);
    expect(documents.markets[0]).toMatchObject({
      settledAt: '2026-03-24T12:01:00.000Z',
      eventExpectedStartTime: '2026-03-24T14:00:00.000Z',
      status: 'Settled',
    });
    expect(documents.markets[1]).toMatchObject({ status: 'Voided', settledAt: '2026-03-24T12:03:00.000Z' });
    expect(documents.events.map(({ id }) => id)).toEqual([numericId(second)]);
    expect(_meta).toEqual({ _primary_document: 'markets', _count: 2, offset: { limit: 25, sort: 'ASC' } });
  });

  test('refuses a second offset without the first', () => {
    const query = 'secondaryOffset=3';
    expect(askInVain('listHistoricalMarkets', { query }).status).toBe(400);
  });
});
