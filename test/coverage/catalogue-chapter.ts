/** What there is to bet on, in every form: sports, events, markets and prices. */

import { describe, expect, test } from 'vitest';
import { IN_PLAY_STATUSES, MARKET_STATUSES } from '../../src/core/market.ts';
import type { Floor, FloorMarket } from '../support/coverage/floor.ts';
import { referenceOf } from '../support/coverage/floor.ts';

const DAY_MS = 86_400_000;

export function catalogueChapter(floorOf: () => Floor): void {
  describe('catalogue', () => {
    test('the tree of sports and who takes part', async () => {
      const { client } = floorOf().alpha;
      await client.ask('listCategories', {});
      await client.ask('getCategory', { path: { id: 'SPORT' } });
      await client.ask('listSubcategories', { query: { categoryIds: ['SPORT'] } });
      await client.ask('getSubcategory', { path: { id: 'COVERAGE' } });
      await client.ask('findSubcategories', { path: referenceOf('subcategory', 'COVERAGE') });
      await client.ask('listSubcategoryParticipants', { path: { id: 'COVERAGE' } });
      await client.ask('listEventGroups', { query: { subcategoryIds: ['COVERAGE'] } });
      await client.ask('getEventGroup', { path: { id: 'COVERAGE_CUP' } });
      await client.ask('findEventGroups', { path: referenceOf('eventGroup', 'COVERAGE_CUP') });
      const { participants } = await client.ask('findParticipants', {
        path: referenceOf('participant', 'COVERAGE_ONE'),
      });
      expect(participants.map(({ type }) => type)).toEqual(['Individual']);
      const { externalReferenceSources } = await client.ask('listExternalReferenceSources', {});
      expect(externalReferenceSources.map(({ code }) => code)).toContain('SANDBOX');
    });

    test('events and their references', async () => {
      const { alpha, eventId } = floorOf();
      const { client, appId } = alpha;
      const { events } = await client.ask('getEvent', { path: { id: eventId } });
      expect(events[0]?.externalReferences._ids).toHaveLength(1);
      const found = await client.ask('findEvents', {
        path: referenceOf('event', eventId),
        query: { page: 0, size: 5, sort: ['name,desc', 'id'] },
      });
      expect(found.events.map(({ id }) => id)).toEqual([eventId]);
      await client.ask('listEventParticipants', { path: { id: eventId } });
      const moment = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
      const query = {
        ...{ ids: [eventId], ownerAppIds: [appId], categoryIds: ['SPORT'], subcategoryIds: ['COVERAGE'] },
        ...{ eventGroupIds: ['COVERAGE_CUP'], active: true, fromDateTime: moment(-1), toDateTime: moment(2) },
        ...{ page: 0, size: 5, sort: ['id'] },
      };
      const ranged = await client.ask('listEvents', { query: { ...query, starting: 'Range' } });
      expect(ranged.events.map(({ id }) => id)).toEqual([eventId]);
      for (const starting of ['Live', 'Today', 'Later'] as const)
        await client.ask('listEvents', { query: { starting } });
    });

    test('markets in full, by id, filter and reference', async () => {
      const floor = floorOf();
      const { client, appId } = floor.alpha;
      const market = await floor.market();
      const { markets, participants } = await client.ask('getMarket', { path: { id: market.id } });
      expect(markets[0]).toMatchObject({ marketValue: '2.5', marketDiscriminator: 'full time', ownerAppId: appId });
      expect(participants.map(({ type }) => type)).toEqual(['Individual', 'Team']);
      const found = await client.ask('findMarkets', {
        path: referenceOf('market', market.id),
        query: { page: 0, size: 1, sort: ['lockAt,asc'] },
      });
      expect(found.markets.map(({ id }) => id)).toEqual([market.id]);
      const moment = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
      const listed = await client.ask('listMarkets', {
        query: {
          ...{ ids: [market.id], ownerAppIds: [appId], eventIds: [floor.eventId], marketTypeIds: ['COVERAGE_TOTALS'] },
          ...{ currencyIds: ['USDC'], statuses: [...MARKET_STATUSES], inPlayStatuses: [...IN_PLAY_STATUSES] },
          ...{ fromDateTime: moment(-1), toDateTime: moment(1), published: true, page: 0, size: 2, sort: ['name'] },
        },
      });
      expect(listed.markets.map(({ id }) => id)).toEqual([market.id]);
      await client.ask('listMarketTypes', {});
      await client.ask('getMarketType', { path: { id: 'COVERAGE_TOTALS' } });
    });

    test('every market status', async () => {
      const floor = floorOf();
      const settled = await floor.market({ open: false });
      const voided = await floor.market();
      const seen = [await statusOf(floor, settled)];
      await floor.move(settled, 'open');
      seen.push(await statusOf(floor, settled));
      for (const command of ['lock', 'settle'] as const)
        for (const step of ['begin', 'finish'] as const) {
          floor.stage.command({ kind: command, market: Number(settled.id) - 1, winners: [0], step });
          seen.push(await statusOf(floor, settled));
        }
      for (const step of ['begin', 'finish'] as const) {
        floor.stage.command({ kind: 'void', market: Number(voided.id) - 1, step });
        seen.push(await statusOf(floor, voided));
      }
      await floor.move(voided, 'close');
      seen.push(await statusOf(floor, voided));
      expect(seen).toEqual([...MARKET_STATUSES]);
    });

    test('every in-play status, and each action at lock and start', async () => {
      const floor = floorOf();
      const never = await floor.market({ turnsInPlay: false });
      const turns = await floor.market({
        ...{
          inPlayDelay: 2,
          eventStartAction: 'CancelUnmatchedLiquidity',
          marketLockAction: 'CancelUnmatchedLiquidity',
        },
      });
      const seen = [await inPlayOf(floor, never), await inPlayOf(floor, turns)];
      await floor.move(turns, 'in-play');
      seen.push(await inPlayOf(floor, turns));
      expect(seen).toEqual([...IN_PLAY_STATUSES]);
    });
  });
}

export function pricesChapter(floorOf: () => Floor): void {
  describe('prices', () => {
    test('prices, flat and as books, and the ladder', async () => {
      const floor = floorOf();
      const { client } = floor.alpha;
      const market = await floor.market();
      await floor.place(floor.alpha, market, { price: 3 });
      await floor.place(floor.beta, market, { side: 'Against', price: 2 });
      const path = { id: market.id };
      const flat = await client.ask('listMarketPriceRows', { path, query: { includeEmpty: true, directOnly: true } });
      expect(new Set(flat.prices.map(({ side }) => side))).toEqual(new Set(['For', 'Against']));
      await client.ask('getMarketPriceBook', { path, query: { includeEmpty: false, directOnly: true } });
      const query = { marketIds: [market.id], directOnly: false, includeEmpty: true };
      const { prices } = await client.ask('listPrices', { query });
      expect(prices[0]?.prices.length).toBeGreaterThan(1);
      const { marketPriceLadders } = await client.ask('getPriceLadder', {});
      expect(marketPriceLadders[0]?.prices).toHaveLength(350);
    });
  });
}

async function statusOf({ alpha }: Floor, { id }: FloorMarket): Promise<string | undefined> {
  return (await alpha.client.ask('getMarket', { path: { id } })).markets[0]?.status;
}

async function inPlayOf({ alpha }: Floor, { id }: FloorMarket): Promise<string | undefined> {
  return (await alpha.client.ask('getMarket', { path: { id } })).markets[0]?.inPlayStatus;
}
