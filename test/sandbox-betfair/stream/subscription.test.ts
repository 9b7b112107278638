/** What a subscription is sent and when: images, fields, levels, conflation, heartbeats, clocks, segments. */

import { beforeEach, describe, expect, test } from 'vitest';
import { type FaceClient, limit } from '../../support/sandbox-betfair/face-stage.ts';
import { type StreamClient, StreamStage } from '../../support/sandbox-betfair/stream-stage.ts';

let stage: StreamStage;
let mary: FaceClient;
let client: StreamClient;
let marketId: string;
let selectionId: number;
beforeEach(() => open());

function open(limits: ConstructorParameters<typeof StreamStage>[0] = {}): void {
  stage = new StreamStage(limits);
  mary = stage.login();
  client = stage.open(mary);
  const filter = { eventTypeIds: ['1'], marketTypeCodes: ['MATCH_ODDS'], inPlayOnly: false };
  const query = { filter, marketProjection: ['RUNNER_DESCRIPTION'], sort: 'FIRST_TO_START', maxResults: 1 };
  const [found] = mary.call('listMarketCatalogue', query);
  marketId = found?.marketId ?? '';
  selectionId = found?.runners?.[0]?.selectionId ?? 0;
}

function subscribe(more: object = {}, by = client): void {
  by.send({ op: 'marketSubscription', id: 2, marketFilter: { marketIds: [marketId] }, ...more });
}

function subscribeToOrders(more: object = {}, by = client): void {
  by.send({ op: 'orderSubscription', id: 3, ...more });
}

/** Places a bet that rests; what was sent since then. */
function bet(more: object = {}, price = 1000): void {
  mary.call('placeOrders', { marketId, instructions: [limit({ selectionId, price, size: 5, ...more })] });
  stage.builder.pass(1);
}

/** The messages since the last call that are no status. */
function news(of = client) {
  const found = of.reader.messages.splice(0).filter(({ op }) => op === 'mcm' || op === 'ocm');
  expect(of.reader.faults).toEqual([]);
  return found;
}

/** Comes back with the clocks of the last whole message. */
function comeBack(more: object = {}): StreamClient {
  const { initialClk, clk } = client.reader;
  const back = stage.open(mary, client.reader);
  subscribe({ initialClk, clk, ...more }, back);
  return back;
}

describe('a market subscription', () => {
  test('begins with an image that names its values, corrected where they were out of bounds', () => {
    subscribe({ heartbeatMs: 1, conflateMs: 999_999, marketDataFilter: { fields: ['EX_LTP'], ladderLevels: 99 } });
    const [image, ...others] = news();
    expect(others).toEqual([]);
    expect(image).toMatchObject({ id: 2, ct: 'SUB_IMAGE', heartbeatMs: 500, conflateMs: 120_000 });
    expect(image.mc).toMatchObject([{ id: marketId, img: true }]);
    expect(Object.keys(image.mc[0].rc[0])).toEqual(['id', 'ltp']);
  });

  test('without values has three levels, no conflation and a heartbeat each five seconds', () => {
    subscribe();
    const [image] = news();
    expect(image).toMatchObject({ heartbeatMs: 5_000, conflateMs: 0 });
    expect(image.mc[0].rc[0].batb).toHaveLength(3);
    stage.builder.pass(4_999);
    expect(news()).toEqual([]);
    stage.builder.pass(1);
    expect(news()).toMatchObject([{ id: 2, ct: 'HEARTBEAT' }]);
  });

  test('tells what changed alone, and removes a level with size 0', () => {
    subscribe({ marketDataFilter: { fields: ['EX_ALL_OFFERS'] } });
    news();
    bet();
    expect(news()).toMatchObject([{ id: 2, mc: [{ id: marketId, rc: [{ id: selectionId, atl: [[1000, 5]] }] }] }]);
    const [{ betId = '' } = {}] = mary.call('listCurrentOrders', {}).currentOrders;
    mary.call('cancelOrders', { marketId, instructions: [{ betId }] });
    stage.builder.pass(1);
    const [update] = news();
    expect(update.mc[0]).toEqual({ id: marketId, rc: [{ id: selectionId, atl: [[1000, 0]] }] });
  });

  test('is sent nothing where it sees no difference', () => {
    subscribe({ marketDataFilter: { fields: ['EX_BEST_OFFERS'], ladderLevels: 1 } });
    news();
    bet();
    expect(news()).toEqual([]);
  });

  test('joins changes within its time of conflation, and beats in between with its last clock', () => {
    subscribe({ conflateMs: 7_000, marketDataFilter: { fields: ['EX_ALL_OFFERS'] } });
    news();
    const { clk } = client.reader;
    bet({}, 1000);
    bet({}, 990);
    stage.builder.pass(4_998);
    expect(news()).toMatchObject([{ ct: 'HEARTBEAT', clk }]);
    stage.builder.pass(2_000);
    expect(news()).toMatchObject([
      {
        mc: [
          {
            con: true,
            rc: [
              {
                atl: [
                  [990, 5],
                  [1000, 5],
                ],
              },
            ],
          },
        ],
      },
    ]);
  });

  test('of a filter gets markets that come later, whole, and those that are over only by name', () => {
    subscribe({ marketFilter: { marketTypes: ['MATCH_ODDS'], eventTypeIds: ['1'], marketIds: [] } });
    const [image] = news();
    const market = stage.market(marketId);
    expect(image.mc.length).toBeGreaterThan(1);
    stage.command({ kind: 'lock', market });
    stage.command({ kind: 'settle', market, winners: [0] });
    stage.builder.pass(1);
    expect(news()).toMatchObject([{ mc: [{ id: marketId, marketDefinition: { status: 'CLOSED' } }] }]);
    subscribe({ marketFilter: { marketTypes: ['MATCH_ODDS'], eventTypeIds: ['1'] } });
    expect(news()[0].mc).toHaveLength(image.mc.length - 1);
    subscribe();
    expect(news()[0].mc).toMatchObject([{ id: marketId, img: true }]);
  });

  test('filters by each of its lists, of which an empty one asks for everything', () => {
    subscribe({ marketFilter: {}, marketDataFilter: { fields: ['EX_MARKET_DEF'] } });
    const all = news()[0].mc.map((change: { marketDefinition: object }) => change.marketDefinition);
    const { countryCode, eventId, eventTypeId } = all[0];
    const filters = {
      ...{ eventTypeIds: [eventTypeId], eventIds: [eventId], marketTypes: ['MATCH_ODDS'], countryCodes: [countryCode] },
      ...{
        bettingTypes: ['LINE'],
        venues: ['Nowhere'],
        raceTypes: ['Flat'],
        bspMarket: true,
        turnInPlayEnabled: false,
      },
    };
    const counts = Object.entries(filters).map(([name, value]) => {
      subscribe({ marketFilter: { [name]: value, marketIds: [] }, marketDataFilter: { fields: ['EX_MARKET_DEF'] } });
      return (news()[0].mc ?? []).length;
    });
    const count = (is: (each: Record<string, unknown>) => boolean) => all.filter(is).length;
    expect(counts).toEqual([
      count((each) => each['eventTypeId'] === eventTypeId),
      count((each) => each['eventId'] === eventId),
      count((each) => each['marketType'] === 'MATCH_ODDS'),
      count((each) => each['countryCode'] === countryCode),
      ...[0, 0, 0],
      count((each) => each['bspMarket'] === true),
      count((each) => each['turnInPlayEnabled'] === false),
    ]);
  });
});

describe('a client that comes back with its clocks', () => {
  test('is told what it missed alone, and a new market whole', () => {
    subscribe();
    client.leave();
    bet();
    news();
    const back = comeBack();
    expect(news(back)).toMatchObject([
      { ct: 'RESUB_DELTA', mc: [{ id: marketId, rc: [{ atl: [[1000, 5]] }] }], conflateMs: 0, heartbeatMs: 5_000 },
    ]);
  });

  test('is told nothing where nothing happened', () => {
    subscribe();
    client.leave();
    news();
    expect(news(comeBack())).toMatchObject([{ ct: 'RESUB_DELTA' }]);
  });

  test('is told that a market is over since then', () => {
    subscribe({ marketFilter: { eventTypeIds: ['1'], marketTypes: ['MATCH_ODDS'] } });
    client.leave();
    news();
    const market = stage.market(marketId);
    stage.command({ kind: 'lock', market });
    stage.command({ kind: 'settle', market, winners: [0] });
    stage.builder.pass(1);
    const back = comeBack({ marketFilter: { eventTypeIds: ['1'], marketTypes: ['MATCH_ODDS'] } });
    expect(news(back)).toMatchObject([{ ct: 'RESUB_DELTA', mc: [{ marketDefinition: { status: 'CLOSED' } }] }]);
  });

  test('gets a market whole whose past is not known any more', () => {
    open({ pastPicturesMax: 2 });
    subscribe();
    const watching = stage.open(mary);
    subscribe({}, watching);
    client.leave();
    for (const price of [1000, 990, 980]) bet({}, price);
    news();
    expect(news(comeBack())).toMatchObject([{ ct: 'RESUB_DELTA', mc: [{ id: marketId, img: true }] }]);
  });

  test.each([
    ['another filter', () => comeBack({ marketFilter: { marketIds: ['1.1'] } })],
    ['other fields', () => comeBack({ marketDataFilter: { fields: ['EX_LTP'] } })],
    ['a clock of another', () => comeBack({ clk: 'AAAA' })],
    ['a clock of the future', () => comeBack({ clk: `zzz.${stage.builder.now.toString(36)}` })],
    ['one clock alone', () => comeBack({ initialClk: null })],
  ])('with %s has an invalid clock, and is closed', (_, returning) => {
    subscribe();
    client.leave();
    const back = returning();
    expect(back.last).toMatchObject({ statusCode: 'FAILURE', errorCode: 'INVALID_CLOCK', connectionClosed: true });
    expect(back.isOver).toBe(true);
  });

  test('after ten minutes has an invalid clock', () => {
    subscribe();
    client.leave();
    stage.builder.pass(600_001);
    expect(comeBack().last).toMatchObject({ errorCode: 'INVALID_CLOCK' });
  });
});

describe('a client that reads slowly', () => {
  test('is told joined changes when it has read on, and waits for no heartbeat in between', () => {
    subscribe({ marketDataFilter: { fields: ['EX_ALL_OFFERS'] } });
    news();
    client.slow();
    for (const price of [1000, 990, 980, 970]) bet({}, price);
    stage.builder.pass(60_000);
    expect(client.waiting).toBe(1);
    client.catchUp();
    expect(news()).toMatchObject([
      { mc: [{ rc: [{ atl: [[1000, 5]] }] }] },
      {
        mc: [
          {
            con: true,
            rc: [
              {
                atl: [
                  [970, 5],
                  [980, 5],
                  [990, 5],
                ],
              },
            ],
          },
        ],
      },
    ]);
  });

  test('is sent segments, of which the last has the clock, if it takes them', () => {
    open({ segmentBytes: 5_000 });
    subscribe({ segmentationEnabled: true, marketFilter: { eventTypeIds: ['1'] } });
    const segments = news();
    expect(segments.at(0)).toMatchObject({ segmentType: 'SEG_START', ct: 'SUB_IMAGE' });
    expect(segments.at(1)).toMatchObject({ segmentType: 'SEG', ct: 'SUB_IMAGE' });
    expect(segments.at(-1)).toMatchObject({ segmentType: 'SEG_END', ct: 'SUB_IMAGE', clk: expect.any(String) });
    for (const segment of segments) expect(JSON.stringify(segment).length).toBeLessThan(5_300);
    subscribe({ marketFilter: { eventTypeIds: ['1'] } });
    expect(news()).toHaveLength(1);
  });
});

describe('an order subscription', () => {
  test('begins empty, and then tells each bet whole, the first time with its market and runner', () => {
    subscribeToOrders();
    expect(news()[0].oc).toBeUndefined();
    bet({ customerOrderRef: 'mine' });
    const [first] = news();
    expect(first.oc).toMatchObject([{ id: marketId, fullImage: true, orc: [{ id: selectionId, fullImage: true }] }]);
    expect(first.oc[0].orc[0].uo).toMatchObject([
      {
        p: 1000,
        s: 5,
        side: 'B',
        status: 'E',
        pt: 'L',
        ot: 'L',
        sm: 0,
        sr: 5,
        sl: 0,
        sc: 0,
        sv: 0,
        rfo: 'mine',
        rfs: '',
      },
    ]);
    bet({}, 1.01);
    const [second] = news();
    expect(second.oc[0].fullImage).toBeUndefined();
    const [runner] = second.oc[0].orc;
    expect(runner.fullImage).toBeUndefined();
    expect(runner.uo).toMatchObject([{ status: 'EC', sm: 5, sr: 0 }]);
    expect(runner.mb).toEqual([[runner.uo[0].avp, 5]]);
  });

  test('has live bets and matches in its image, and none that are complete', () => {
    bet();
    bet({}, 1.01);
    subscribeToOrders();
    const [image] = news();
    expect(image.oc[0].orc[0].uo).toMatchObject([{ status: 'E', p: 1000 }]);
    expect(image.oc[0].orc[0].mb).toHaveLength(1);
  });

  test('tells each end of a bet once, with its reason, and the end of the market', () => {
    subscribeToOrders();
    bet({ more: { persistenceType: 'PERSIST' } });
    bet({}, 990);
    const market = stage.market(marketId);
    stage.command({ kind: 'setInPlay', market, inPlay: true });
    stage.builder.pass(1);
    stage.command({ kind: 'lock', market });
    stage.command({ kind: 'settle', market, winners: [0] });
    stage.builder.pass(1);
    const [, , , off, result, ...others] = news();
    expect(others).toEqual([]);
    expect(off.oc[0].orc[0].uo).toMatchObject([{ p: 990, status: 'EC', sl: 5 }]);
    expect(result.oc).toMatchObject([{ closed: true, orc: [{ uo: [{ p: 1000, status: 'EC', sl: 5 }] }] }]);
    subscribeToOrders();
    expect(news()[0].oc).toBeUndefined();
  });

  test('does not tell a bet that waits for the delay', () => {
    stage.command({ kind: 'setInPlay', market: stage.market(marketId), inPlay: true });
    subscribeToOrders();
    news();
    const later = mary.later('placeOrders', { marketId, instructions: [limit({ selectionId, price: 1000, size: 5 })] });
    stage.builder.pass(4_900);
    expect(news()).toEqual([]);
    stage.builder.pass(101);
    expect(later()?.status).toBe('SUCCESS');
    expect(news().filter(({ ct }) => ct !== 'HEARTBEAT')).toMatchObject([{ oc: [{ id: marketId }] }]);
  });

  test('of strategies has their bets, and the matches of each where that is asked for', () => {
    subscribeToOrders({ orderFilter: { customerStrategyRefs: ['one'], partitionMatchedByStrategyRef: true } });
    news();
    for (const customerStrategyRef of ['one', 'two'])
      mary.call('placeOrders', {
        ...{ marketId, customerStrategyRef },
        instructions: [limit({ selectionId, price: 1.01, size: 5 }), limit({ selectionId, price: 1000, size: 5 })],
      });
    stage.builder.pass(1);
    const [{ oc }] = news();
    expect(oc[0].orc[0].uo.map((order: { rfs: string }) => order.rfs)).toEqual(['one', 'one']);
    expect(oc[0].orc[0].mb).toMatchObject([[expect.any(Number), 10]]);
    expect(oc[0].orc[0].smc).toEqual({ one: { mb: [[expect.any(Number), 5]] } });
    subscribeToOrders({ orderFilter: { includeOverallPosition: false } });
    expect(news()[0].oc[0].orc[0]).not.toHaveProperty('mb');
  });

  test('is one account’s alone', () => {
    const bob = stage.open(stage.login('bob'));
    subscribeToOrders({}, bob);
    news(bob);
    bet();
    expect(news(bob)).toEqual([]);
  });

  test('that comes back has an invalid clock where more happened than is known', () => {
    open({ pastOrdersMax: 2 });
    subscribeToOrders();
    client.leave();
    for (const price of [1000, 990, 980]) bet({}, price);
    const back = stage.open(mary);
    subscribeToOrders({ initialClk: client.reader.initialClk, clk: client.reader.clk }, back);
    expect(back.last).toMatchObject({ errorCode: 'INVALID_CLOCK', connectionClosed: true });
  });

  test('that comes back is told the bets that were completed meanwhile', () => {
    subscribeToOrders();
    bet();
    client.leave();
    const [{ betId = '' } = {}] = mary.call('listCurrentOrders', {}).currentOrders;
    mary.call('cancelOrders', { marketId, instructions: [{ betId }] });
    stage.builder.pass(1);
    const { initialClk, clk } = client.reader;
    const back = stage.open(mary);
    subscribeToOrders({ initialClk, clk }, back);
    expect(back.last).toMatchObject({ ct: 'RESUB_DELTA', oc: [{ orc: [{ uo: [{ status: 'EC', sc: 5 }] }] }] });
  });
});
