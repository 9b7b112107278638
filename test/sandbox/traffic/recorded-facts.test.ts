/** What a market that a tape plays shows of its recording: ids and names, base rate, factors, starting and last prices. */

import { expect, test } from 'vitest';
import { priceOfTick } from '../../../src/core/number/ladder.ts';
import { startTape } from '../../../src/sandbox/traffic/tape.ts';
import { rc, withTape } from '../../support/imported-stream.ts';
import { HOUR_MS } from '../../support/sandbox/world-builder.ts';
import { NOW, TrafficStage } from './traffic-stage.ts';

const RUNNERS = [
  { id: 11, status: 'ACTIVE', sortPriority: 2, name: 'One', adjustmentFactor: 60.5 },
  { id: 12, hc: -0.5, status: 'ACTIVE', sortPriority: 1, name: 'Two', adjustmentFactor: 39.5 },
  { id: 13, status: 'ACTIVE', sortPriority: 3, name: 'Three', adjustmentFactor: 10 },
];
const DEFINITION = {
  status: 'OPEN',
  bettingType: 'ODDS',
  inPlay: false,
  turnInPlayEnabled: true,
  persistenceEnabled: true,
  bspMarket: true,
  discountAllowed: true,
  betDelay: 0,
  numberOfWinners: 1,
  marketBaseRate: 6.5,
  marketType: 'WIN',
  marketTime: '2026-03-01T14:00:00.000Z',
  openDate: '2026-03-01T12:00:00.000Z',
  timezone: 'Europe/London',
  eventId: '33',
  eventTypeId: '7',
  eventName: 'Kempton 1st March',
  name: '2m Hcap',
  venue: 'Kempton',
  countryCode: 'GB',
  runners: RUNNERS,
};
const WITHDRAWN = [
  { ...RUNNERS[0], bsp: 4.27 },
  { ...RUNNERS[1], bsp: 1.83 },
  { ...RUNNERS[2], status: 'REMOVED', adjustmentFactor: 10, removalDate: '2026-03-01T13:00:00.000Z' },
];
const CHANGES = [
  { marketDefinition: DEFINITION, ...rc({ id: 11, atb: [[4, 20]], atl: [[4.5, 20]] }) },
  rc({ id: 11, trd: [[4.5, 8]], atl: [[4.5, 16]], ltp: 4.5, spn: 4.6, spf: 'NaN' }),
  // A last price that no trade here made.
  rc({ id: 12, hc: -0.5, ltp: 2.02 }),
  rc({ id: 11, spn: 4.4 }),
  { marketDefinition: { ...DEFINITION, marketBaseRate: 5, runners: WITHDRAWN }, ...rc() },
];

async function playing(showsRecorded: boolean, use: (stage: TrafficStage) => void): Promise<void> {
  await withTape(CHANGES, (tape) => {
    const stage = new TrafficStage().settleIn();
    const traffic = startTape(stage.context, { tape, showsRecorded, onBug: stage.onBug });
    use(stage);
    traffic.stop();
    stage.check();
  });
}

function market(stage: TrafficStage) {
  const record = stage.world.catalogue.markets.get(0);
  const ticks = stage.world.exchange.market(0)?.lastTicks ?? [];
  return { record, last: ticks.map((tick) => (tick === undefined ? undefined : priceOfTick(tick) / 1000)) };
}

test('names, ids and orders are the recorded ones, and prices beside the book follow the tape', () =>
  playing(true, (stage) => {
    stage.clock.runUntil(NOW);
    const first = market(stage);
    expect(first.record?.recorded).toMatchObject({
      bettingType: 'ODDS',
      eventTypeId: '7',
      timezone: 'Europe/London',
      openDate: '2026-03-01T12:00:00.000Z',
      bspMarket: true,
      persistenceEnabled: true,
      discountAllowed: true,
      facts: {
        id: '1.5',
        eventId: '33',
        eventName: 'Kempton 1st March',
        marketTypeId: 'WIN',
        venue: 'Kempton',
        countryCode: 'GB',
        outcomes: [
          { id: '11', title: 'One', ordering: 2 },
          { id: '12@-0.5', title: 'Two', ordering: 1 },
          { id: '13', title: 'Three', ordering: 3 },
        ],
      },
    });
    // The first update is a second after the beginning of its own time, and is played now.
    const startsAt = NOW + Date.parse(DEFINITION.marketTime) - 1_000;
    expect(first.record?.shown).toEqual({
      startsAt,
      commissionPpm: 65_000,
      outcomes: [{ factorPpm: 605_000 }, { factorPpm: 395_000 }, { factorPpm: 100_000 }],
    });
    expect(first.last).toEqual([undefined, undefined, undefined]);
    stage.clock.runUntil(NOW + 1_000);
    expect(market(stage).record?.shown?.outcomes[0]?.startingPrices).toEqual({ near: 4_600 });
    expect(market(stage).last).toEqual([4.5, undefined, undefined]);
    stage.clock.runUntil(NOW + 3_000);
    expect(market(stage).record?.shown?.outcomes[0]?.startingPrices).toEqual({ near: 4_400 });
    expect(market(stage).last).toEqual([4.5, 2.02, undefined]);
    const { version } = market(stage).record ?? {};
    // Whoever matches next decides the last price.
    stage.place({ market: 0, outcome: 0, side: 'For', price: 4, stake: 1 });
    expect(market(stage).last).toEqual([4, 2.02, undefined]);
    stage.clock.runUntil(NOW + 4_000);
    expect(market(stage).record?.shown).toEqual({
      startsAt,
      commissionPpm: 50_000,
      outcomes: [
        { factorPpm: 605_000, startingPrices: { near: 4_400, actual: 4_270 } },
        { factorPpm: 395_000, startingPrices: { actual: 1_830 } },
        { factorPpm: 100_000, removedAt: startsAt - HOUR_MS },
      ],
    });
    expect(market(stage).record?.version).toBeGreaterThan(version ?? Number.POSITIVE_INFINITY);
    const again = market(stage.restarted(1_000));
    expect(again).toEqual(market(stage));
  }));

test('nothing of it is made for a face that does not show it', () =>
  playing(false, (stage) => {
    stage.clock.runUntil(NOW + 10_000);
    expect(market(stage).record).not.toHaveProperty('recorded');
    expect(market(stage).record?.shown).toBeUndefined();
    expect(stage.log.filter(({ kind }) => kind === 'showMarket')).toEqual([]);
  }));
