/** A recorded market through the face: its ids and names, its start in the time of the clock, prices, and a bet that it fills. */

import { expect, test } from 'vitest';
import type { Tape } from '../../src/recording/tape/tape.ts';
import { startTape } from '../../src/sandbox/traffic/tape.ts';
import { rc, withTape } from '../support/imported-stream.ts';
import { MINUTE_MS, START } from '../support/sandbox/world-builder.ts';
import { FaceStage, limit } from '../support/sandbox-betfair/face-stage.ts';
import { PROJECTIONS } from '../support/sandbox-betfair/open-match.ts';

const RUNNERS = [
  { id: 11, status: 'ACTIVE', sortPriority: 2, name: 'One', adjustmentFactor: 60.5 },
  { id: 12, status: 'ACTIVE', sortPriority: 1, name: 'Two', adjustmentFactor: 39.5 },
];
const DEFINITION = {
  ...{ status: 'OPEN', bettingType: 'ODDS', inPlay: false, turnInPlayEnabled: true, persistenceEnabled: true },
  ...{
    bspMarket: true,
    discountAllowed: true,
    betDelay: 0,
    numberOfWinners: 1,
    marketBaseRate: 6.5,
    marketType: 'WIN',
  },
  ...{ openDate: '2026-03-01T12:00:00.000Z', timezone: 'Europe/London', eventId: '33', eventTypeId: '7' },
  ...{ eventName: 'Kempton 1st March', name: '2m Hcap', venue: 'Kempton', countryCode: 'GB', runners: RUNNERS },
};
const CHANGES = [
  {
    marketDefinition: { ...DEFINITION, marketTime: new Date(START + 60 * MINUTE_MS).toISOString() },
    ...rc({ id: 11, atb: [[4, 20]], atl: [[4.5, 20]] }, { id: 12, atb: [[1.3, 20]], atl: [[1.33, 20]] }),
  },
  rc({ id: 11, trd: [[4.5, 60]], atl: [[4.5, 16]], ltp: 4.5, spn: 4.6, spf: 'NaN' }),
  rc({ id: 12, ltp: 1.33 }),
  // The end of the tape voids what has no result: it is not played here.
  rc({ id: 12, ltp: 1.34 }),
];

/** Plays the changes ten times as fast as they were made. */
async function playing(use: (stage: FaceStage, tape: Tape) => void): Promise<void> {
  await withTape(CHANGES, (tape) => {
    const stage = new FaceStage();
    const bugs: unknown[] = [];
    const onBug = (error: unknown) => bugs.push(error);
    const traffic = startTape(stage.builder.context, { tape, speed: 10, showsRecorded: true, onBug });
    use(stage, tape);
    traffic.stop();
    expect(bugs).toEqual([]);
  });
}

test('a market is called as it was recorded', async () => {
  await playing((stage, tape) => {
    const client = stage.login();
    stage.builder.pass(1);
    const marketId = tape.markets[0]?.facts.id ?? '';
    const query = { filter: { marketIds: [marketId] }, marketProjection: PROJECTIONS, maxResults: 1 };
    const [found] = client.call('listMarketCatalogue', query);
    const firstAt = tape.markets[0]?.firstAt ?? 0;
    expect(found).toMatchObject({
      ...{ marketId, marketName: '2m Hcap', eventType: { id: '7', name: 'Horse Racing' } },
      event: { id: '33', name: 'Kempton 1st March', venue: 'Kempton', countryCode: 'GB', timezone: 'Europe/London' },
      description: { marketType: 'WIN', marketBaseRate: 6.5, bspMarket: true, persistenceEnabled: true },
      runners: [
        { selectionId: 11, runnerName: 'One', sortPriority: 2 },
        { selectionId: 12, runnerName: 'Two', sortPriority: 1 },
      ],
    });
    // The start moves with the tape: what was so long after its first update is a tenth of that after the beginning here.
    const startsAt = Date.parse(found?.marketStartTime ?? '');
    expect(startsAt - START).toBe(Math.ceil((START + 60 * MINUTE_MS - firstAt) / 10));
  });
});

test('a bet rests in the recorded book, and recorded volume fills it', async () => {
  await playing((stage, tape) => {
    const client = stage.login();
    const marketId = tape.markets[0]?.facts.id ?? '';
    stage.builder.pass(1);
    const instructions = [limit({ selectionId: 11, price: 4.5, size: 5, more: { persistenceType: 'PERSIST' } })];
    expect(client.call('placeOrders', { marketId, instructions }).status).toBe('SUCCESS');
    stage.builder.pass(250);
    const priceProjection = { priceData: ['EX_ALL_OFFERS', 'EX_TRADED', 'SP_AVAILABLE'] };
    const [book] = client.call('listMarketBook', { marketIds: [marketId], priceProjection, orderProjection: 'ALL' });
    const [one, two] = book?.runners ?? [];
    expect(one).toMatchObject({ adjustmentFactor: 60.5, lastPriceTraded: 4.5, sp: { nearPrice: 4.6 } });
    expect(two).toMatchObject({ adjustmentFactor: 39.5, lastPriceTraded: 1.33 });
    expect(one?.ex?.tradedVolume).toEqual([{ price: 4.5, size: 60 }]);
    // Behind the 20 that were there, and before all that came later.
    expect(one?.orders).toMatchObject([{ status: 'EXECUTION_COMPLETE', sizeMatched: 5, avgPriceMatched: 4.5 }]);
  });
});
