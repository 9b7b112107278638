/**
 * The table "Simulated and real" of docs/betfair-sandbox.md: what each row says of this exchange is tried on a running one over
 * loopback. A row without a check fails, and a check without a row.
 */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { USUAL_TERMS } from '../../src/sandbox-betfair/names/account-terms.ts';
import { rc } from '../support/imported-stream.ts';
import { limit } from '../support/sandbox-betfair/face-stage.ts';
import { type LoopbackClient, LoopbackExchange } from '../support/sandbox-betfair/loopback-exchange.ts';
import { DEFINITION, eventually, offered, played, STEP_MS } from '../support/sandbox-betfair/loopback-tape.ts';

const CONTENT = 'docs/betfair-sandbox.md';
const LINES = linesOf(readFileSync(CONTENT, 'utf8'));
/** The first cell of each. */
const ROWS = LINES.map((line) => (line.split(' | ')[0] ?? '').replace(/^\| /, ''));
const ACCOUNTS = new Map([
  ['discounted', { ...USUAL_TERMS, discountPpm: 200_000 }],
  ['euros', { ...USUAL_TERMS, currency: 'EUR' }],
  ['older', { ...USUAL_TERMS, newFields: false }],
]);

let exchange: LoopbackExchange;
/** Two accounts that bet against each other. */
let mary: LoopbackClient;
let tom: LoopbackClient;

beforeAll(async () => {
  exchange = await LoopbackExchange.open(ACCOUNTS);
  mary = await exchange.login('mary');
  tom = await exchange.login('tom');
});
afterAll(() => exchange.close());

/** The rows of the table, without its head. */
function linesOf(text: string): readonly string[] {
  const [, part = ''] = text.split('\n## Simulated and real\n');
  const lines = (part.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1);
}

type Terms = Omit<Parameters<typeof limit>[0], 'selectionId'>;

/** Places one order of an account on a market's first runner, unless another is named. */
async function bet(client: LoopbackClient, { marketId, selections }: Own, terms: Terms, runner = 0) {
  const [report] = await client.place(marketId, limit({ selectionId: selections[runner] ?? 0, ...terms }) as never);
  return report;
}
type Own = ReturnType<LoopbackExchange['market']>;

/** A bet of mary's that tom has met in full. */
async function matched(own: Own, terms: Terms, runner = 0) {
  const made = await bet(mary, own, terms, runner);
  await bet(tom, own, { ...terms, side: terms.side === 'LAY' ? 'BACK' : 'LAY' }, runner);
  return made?.betId;
}

async function funds(client: LoopbackClient) {
  const { availableToBetBalance = 0 } = await client.call('getAccountFunds', {});
  return Math.round(availableToBetBalance * 100);
}

const CHECKS: Readonly<Record<string, () => Promise<void>>> = {
  'login, session, headers, codes of errors': async () => {
    const form = 'username=mary&password=other';
    const key = { 'X-Application': 'no key of anybody' };
    expect(await exchange.post('/api/login', form, key)).toMatchObject({ error: 'INVALID_USERNAME_OR_PASSWORD' });
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'AccountAPING/v1.0/getAccountFunds', params: {}, id: 1 });
    const code = async (headers: Readonly<Record<string, string>>) =>
      JSON.stringify(await exchange.post('/exchange/account/json-rpc/v1', body, headers));
    expect(await code({})).toContain('NO_APP_KEY');
    expect(await code(key)).toContain('NO_SESSION');
    expect(await code({ ...key, 'X-Authentication': 'none' })).toContain('INVALID_SESSION_INFORMATION');
    expect(await code({ ...key, 'X-Authentication': mary.token })).toContain('"availableToBetBalance"');
  },
  'a stream whose session ends': async () => {
    const own = exchange.market();
    const gone = await exchange.login('gone');
    const stream = await exchange.stream();
    stream.send({ op: 'authentication', id: 1, appKey: 'app', session: gone.token });
    stream.send({ op: 'marketSubscription', id: 2, marketFilter: { marketIds: [own.marketId] } });
    await stream.message({ ct: 'SUB_IMAGE' });
    await exchange.post('/api/logout', '', gone.headers);
    expect(await gone.refused('getAccountFunds', {})).toBe('INVALID_SESSION_INFORMATION');
    const before = stream.reader.messages.length;
    await bet(mary, own, { price: 5, size: 4 });
    expect(await stream.message({ op: 'mcm' }, before)).toHaveProperty('mc');
    stream.end();
  },
  'JSON-RPC single, in a batch, with the method in the path; REST; navigation menu': async () => {
    const rpc = '/exchange/betting/json-rpc/v1';
    const call = { jsonrpc: '2.0', method: 'SportsAPING/v1.0/listEventTypes', params: { filter: {} }, id: 7 };
    const single = await exchange.post(rpc, JSON.stringify(call), mary.headers);
    expect(single).toMatchObject({ id: 7, result: expect.any(Array) });
    expect(await exchange.post(rpc, JSON.stringify([call, call]), mary.headers)).toEqual([single, single]);
    const inPath = `${rpc}/SportsAPING/v1.0/listEventTypes`;
    expect(await exchange.post(inPath, JSON.stringify(call), mary.headers)).toEqual(single);
    const rest = '/exchange/betting/rest/v1.0/listEventTypes/';
    const twin = await exchange.post(rest, '{"filter":{}}', mary.headers);
    expect({ ...call, result: twin }).toMatchObject({ result: (single as { result: unknown }).result });
    const menu = '/exchange/betting/rest/v1/en/navigation/menu.json';
    expect(await exchange.post(menu, '', mary.headers)).toMatchObject({ type: 'GROUP', name: 'ROOT' });
  },
  'catalogue, books, current and cleared orders, profit and loss': async () => {
    // Each answer is held against the list of its fields.
    const own = exchange.market();
    exchange.command({ kind: 'setInPlayDelay', market: own.market, delayMs: 1_000, delaysTakersOnly: true });
    await matched(own, { price: 3, size: 4 });
    const filter = { marketIds: [own.marketId] };
    const marketProjection = ['EVENT', 'MARKET_DESCRIPTION', 'RUNNER_DESCRIPTION'];
    expect(await mary.call('listMarketCatalogue', { filter, marketProjection, maxResults: 1 })).toHaveLength(1);
    expect((await mary.call('listCurrentOrders', filter)).currentOrders).toHaveLength(1);
    expect(await mary.call('listMarketProfitAndLoss', filter)).toHaveLength(1);
    expect((await mary.book(own.marketId))?.betDelayModels).toEqual(['PASSIVE']);
    expect(await (await exchange.login('older')).book(own.marketId)).not.toHaveProperty('betDelayModels');
    exchange.settle(own);
    const cleared = await mary.call('listClearedOrders', { betStatus: 'SETTLED', ...filter });
    expect(cleared.clearedOrders).toHaveLength(1);
  },
  'stream: images, changes, clocks, segments, conflation, heartbeats, `con`': async () => {
    const own = exchange.market();
    const stream = await exchange.stream();
    stream.send({ op: 'authentication', id: 1, appKey: 'app', session: tom.token });
    expect(await stream.message({ id: 1 })).toMatchObject({ connectionsAvailable: 9 });
    const subscription = { op: 'marketSubscription', id: 2, marketFilter: { marketIds: [own.marketId] } };
    stream.send({ ...subscription, segmentationEnabled: true, conflateMs: 10, heartbeatMs: 500 });
    expect(await stream.message({ ct: 'SUB_IMAGE' })).toMatchObject({ conflateMs: 10, heartbeatMs: 500 });
    await bet(mary, own, { price: 6, size: 5 });
    await stream.until(() => stream.reader.markets.get(own.marketId)?.runners.size === 3);
    await stream.message({ ct: 'HEARTBEAT' });
    const { initialClk, clk } = stream.reader;
    stream.send({ ...subscription, id: 3, initialClk, clk });
    await stream.message({ id: 3, ct: 'RESUB_DELTA' });
    stream.send({ ...subscription, id: 4, initialClk: 'x', clk: 'y' });
    expect(await stream.message({ errorCode: 'INVALID_CLOCK' })).toMatchObject({ connectionClosed: true });
    expect(stream.reader.faults).toEqual([]);
  },
  'virtual prices (`bdatb`, `bdatl`, `virtualise`)': async () => {
    const own = exchange.market({ crossMatching: true });
    for (const runner of [1, 2]) await bet(tom, own, { price: 3, size: 30 }, runner);
    const offers = async (virtualise: boolean) => {
      const book = await mary.book(own.marketId, { priceProjection: { priceData: ['EX_ALL_OFFERS'], virtualise } });
      return book?.runners?.[0]?.ex?.availableToBack?.length;
    };
    expect([await offers(false), await offers(true)]).toEqual([0, 1]);
  },
  'prices, sizes, minimum stakes and payouts': async () => {
    const own = exchange.market();
    const codes = [
      [{ price: 3.01, size: 2 }, 'INVALID_ODDS'],
      [{ price: 3, size: 2.005 }, 'INVALID_BET_SIZE'],
      [{ price: 3, size: 0.99 }, 'INVALID_BET_SIZE'],
      [{ price: 100, size: 0.1 }, undefined],
      [{ price: 100, size: 0.09 }, undefined],
    ] as const;
    // The last one is below both bounds, but rests where a bet of the account does already.
    for (const [terms, code] of codes) expect((await bet(mary, own, terms))?.errorCode).toBe(code);
  },
  '`INVALID_PROFIT_RATIO`': async () => {
    const own = exchange.market();
    await bet(mary, own, { price: 1.7, size: 2 });
    expect((await bet(mary, own, { price: 1.7, size: 0.01 }))?.errorCode).toBe('INVALID_PROFIT_RATIO');
    expect((await bet(mary, own, { price: 1.7, size: 0.1 }))?.errorCode).toBeUndefined();
  },
  'best execution, time priority, partial cancel, replace, update': async () => {
    const own = exchange.market();
    const first = await bet(mary, own, { price: 4, size: 10 });
    const second = await bet(mary, own, { price: 4, size: 10 });
    const instructions = [{ betId: first?.betId, sizeReduction: 4 }];
    await mary.call('cancelOrders', { marketId: own.marketId, instructions });
    // The taker gets 4, and not the 4.5 up to which it would have laid; the first order has kept its place.
    const taker = await bet(tom, own, { side: 'LAY', price: 4.5, size: 7 });
    expect(taker).toMatchObject({ sizeMatched: 7, averagePriceMatched: 4 });
    expect([await mary.order(first?.betId), await mary.order(second?.betId)]).toMatchObject([
      { sizeMatched: 6, sizeCancelled: 4 },
      { sizeMatched: 1, sizeRemaining: 9 },
    ]);
    const kept = [{ betId: second?.betId, newPersistenceType: 'PERSIST' }];
    await mary.call('updateOrders', { marketId: own.marketId, instructions: kept });
    expect(await mary.order(second?.betId)).toMatchObject({ persistenceType: 'PERSIST' });
    const moved = [{ betId: second?.betId, newPrice: 5 }];
    const replaced = await mary.call('replaceOrders', { marketId: own.marketId, instructions: moved });
    const { placeInstructionReport, cancelInstructionReport } = replaced.instructionReports?.[0] ?? {};
    expect(cancelInstructionReport).toMatchObject({ sizeCancelled: 9 });
    expect(await mary.order(placeInstructionReport?.betId)).toMatchObject({ sizeRemaining: 9 });
  },
  'FILL_OR_KILL with `minFillSize`': async () => {
    const own = exchange.market();
    for (const price of [3, 2.98]) await bet(tom, own, { side: 'LAY', price, size: 10 });
    const more = { persistenceType: null, timeInForce: 'FILL_OR_KILL' };
    const killed = await bet(mary, own, { price: 2.98, size: 21, more });
    expect(killed).toMatchObject({ orderStatus: 'EXPIRED', sizeMatched: 0 });
    const filled = await bet(mary, own, { price: 3, size: 20, more: { ...more, minFillSize: 10 } });
    // The average of all 20 would be 2.99.
    expect(filled).toMatchObject({ sizeMatched: 10, averagePriceMatched: 3 });
  },
  'in-play delay, for all orders or for takers alone': async () => {
    const own = exchange.market();
    const delayMs = 400;
    exchange.command({ kind: 'setInPlay', market: own.market, inPlay: true });
    exchange.command({ kind: 'setInPlayDelay', market: own.market, delayMs });
    const took = async (terms: Terms) => {
      const begun = performance.now();
      await bet(mary, own, terms);
      return performance.now() - begun;
    };
    expect(await took({ price: 5, size: 4 })).toBeGreaterThanOrEqual(delayMs - 5);
    exchange.command({ kind: 'setInPlayDelay', market: own.market, delayMs: 60_000, delaysTakersOnly: true });
    // One that rests is not delayed: it is answered long before a minute has passed.
    expect(await took({ price: 5, size: 4 })).toBeLessThan(30_000);
  },
  'the off, non-runners with reduction, voids, settlement, resettlement': async () => {
    const own = exchange.market();
    const lapses = await bet(mary, own, { price: 9, size: 4 });
    const stays = await bet(mary, own, { price: 8, size: 4, more: { persistenceType: 'PERSIST' } });
    const reduced = await matched(own, { price: 4, size: 10 });
    const voided = await matched(own, { price: 4, size: 10 }, 2);
    exchange.command({ kind: 'removeOutcome', market: own.market, outcome: 2, factorPpm: 250_000, basis: 'win' });
    expect(await mary.order(reduced)).toMatchObject({ averagePriceMatched: 3, sizeMatched: 10 });
    const gone = await mary.call('listClearedOrders', { betStatus: 'VOIDED', betIds: [voided] });
    expect(gone.clearedOrders).toMatchObject([{ sizeSettled: 10 }]);
    exchange.command({ kind: 'setInPlay', market: own.market, inPlay: true });
    expect(await mary.order(stays?.betId)).toMatchObject({ sizeRemaining: 4 });
    const lapsed = await mary.call('listClearedOrders', { betStatus: 'LAPSED', betIds: [lapses?.betId] });
    expect(lapsed.clearedOrders).toMatchObject([{ sizeCancelled: 4 }]);
    const profits: (number | undefined)[] = [];
    const told = async () => {
      const settled = await mary.call('listClearedOrders', { betStatus: 'SETTLED', marketIds: [own.marketId] });
      profits.push(settled.clearedOrders[0]?.profit);
    };
    exchange.settle(own, [0]);
    await told();
    exchange.command({ kind: 'resettle', market: own.market, winners: [1] });
    await told();
    exchange.command({ kind: 'resettle', market: own.market, winners: [] });
    await told();
    expect(profits).toEqual([20, -10, undefined]);
  },
  'profits of bets': async () => {
    const own = exchange.market();
    const back = await matched(own, { price: 2.44, size: 1.37 });
    const lay = await matched(own, { side: 'LAY', price: 1.47, size: 1.01 });
    exchange.settle(own);
    const asked = { betStatus: 'SETTLED', marketIds: [own.marketId] };
    const { clearedOrders } = await mary.call('listClearedOrders', asked);
    const profit = (id: string | undefined) => clearedOrders.find(({ betId }) => betId === id)?.profit;
    // 1.9728 won and 0.4747 lost.
    expect([profit(back), profit(lay)]).toEqual([1.97, -0.48]);
  },
  commission: async () => {
    const discounted = await exchange.login('discounted');
    const told: (number | undefined)[] = [];
    for (const client of [mary, discounted]) {
      const own = exchange.market();
      await bet(client, own, { price: 2, size: 30.1 });
      await bet(tom, own, { side: 'LAY', price: 2, size: 30.1 });
      const before = await funds(client);
      exchange.settle(own);
      const asked = { betStatus: 'SETTLED', groupBy: 'MARKET', marketIds: [own.marketId] };
      const [cleared] = (await client.call('listClearedOrders', asked)).clearedOrders;
      told.push(cleared?.commission);
      expect((await funds(client)) - before).toBe(3_010 + 3_010 - Math.round((cleared?.commission ?? 0) * 100));
    }
    // 5 % of 30.10 is 1.505, of which four fifths are 1.204.
    expect(told).toEqual([1.51, 1.2]);
  },
  'orders at the starting price, bets by a target': async () => {
    const own = exchange.market();
    const [selectionId = 0] = own.selections;
    const starting = { orderType: 'MARKET_ON_CLOSE', selectionId, side: 'BACK', marketOnCloseOrder: { liability: 10 } };
    const [report] = await mary.place(own.marketId, starting as never);
    expect(report?.errorCode).toBe('INVALID_ORDER_TYPE');
    const more = { size: null, betTargetType: 'PAYOUT', betTargetSize: 10 };
    expect((await bet(mary, own, { price: 3, size: 4, more }))?.errorCode).toBe('INVALID_BET_SIZE');
  },
  "`marketVersion` that is not the market's": async () => {
    const { marketId, selections } = exchange.market();
    const instructions = [limit({ selectionId: selections[0] ?? 0, price: 3, size: 4 })];
    const { version = 0 } = (await mary.book(marketId)) ?? {};
    const asked = (marketVersion: object) => mary.call('placeOrders', { marketId, instructions, marketVersion });
    expect(await asked({ version: version - 1 })).toMatchObject({ errorCode: 'INVALID_MARKET_VERSION' });
    expect(await asked({ version })).toMatchObject({ status: 'SUCCESS' });
  },
  'weights, instructions a second, repeated `customerRef`': async () => {
    const own = exchange.market();
    const marketIds = Array.from({ length: 12 }, (_, index) => `1.${index}`);
    const heavy = { marketIds, priceProjection: { priceData: ['EX_ALL_OFFERS'] } };
    expect(await mary.refused('listMarketBook', heavy)).toBe('TOO_MUCH_DATA');
    const order = limit({ selectionId: own.selections[0] ?? 0, price: 3, size: 4 });
    const twice = { marketId: own.marketId, instructions: [order], customerRef: 'same' };
    await mary.call('placeOrders', twice);
    expect(await mary.call('placeOrders', twice)).toMatchObject({ errorCode: 'DUPLICATE_TRANSACTION' });
    const busy = await exchange.login('busy');
    const params = { marketId: own.marketId, instructions: Array.from({ length: 200 }, () => order) };
    const call = { jsonrpc: '2.0', method: 'SportsAPING/v1.0/placeOrders', params, id: 1 };
    const calls = Array.from({ length: 12 }, () => call);
    const answers = await exchange.post('/exchange/betting/json-rpc/v1', JSON.stringify(calls), busy.headers);
    // The twelve come at one moment, or at the end of one second and the beginning of the next.
    expect(JSON.stringify(answers).match(/TOO_MANY_REQUESTS/g)?.length).toBeGreaterThanOrEqual(2);
  },
  transactions: async () => {
    const own = exchange.market();
    const counted = await exchange.login('counted');
    await bet(counted, own, { price: 3, size: 4 });
    await bet(counted, own, { price: 3.01, size: 4 });
    const verdict = exchange.sandbox.face.verdict().find(({ username }) => username === 'counted');
    expect(verdict).toMatchObject({ transactions: { placed: 1, failed: 1, charge: 0 }, availableToBetBalance: 9_996 });
  },
  heartbeat: async () => {
    const own = exchange.market();
    const beating = await exchange.login('beating');
    const beat = () => beating.call('heartbeat', { preferredTimeoutSeconds: 5 });
    expect(await beat()).toEqual({ actionPerformed: 'NONE', actualTimeoutSeconds: 10 });
    const made = await bet(beating, own, { price: 3, size: 4 });
    exchange.pass(10_001);
    const asked = { betStatus: 'CANCELLED', betIds: [made?.betId] };
    const cancelled = async () => (await beating.call('listClearedOrders', asked)).clearedOrders[0];
    expect(await eventually(cancelled)).toMatchObject({ sizeCancelled: 4 });
    expect((await bet(beating, own, { price: 3, size: 4 }))?.status).toBe('SUCCESS');
    expect(await beat()).toMatchObject({ actionPerformed: 'ALL_BETS_CANCELLED' });
  },
  'account statement': async () => {
    expect(await mary.call('getAccountStatement', {})).toEqual({ accountStatement: [], moreAvailable: false });
  },
  'accounts in other currencies': async () => {
    const own = exchange.market();
    const euros = await exchange.login('euros');
    expect(await euros.call('getAccountDetails', {})).toMatchObject({ currencyCode: 'EUR' });
    // The smallest payout is 20 euros, and 10 pounds.
    expect((await bet(euros, own, { price: 20, size: 0.9 }))?.errorCode).toBe('INVALID_BET_SIZE');
    const made = await bet(euros, own, { price: 20, size: 10 });
    expect(await euros.order(made?.betId)).toMatchObject({ priceSize: { size: 10 } });
    expect((await mary.book(own.marketId))?.runners?.[0]?.ex?.availableToLay).toEqual([{ price: 20, size: 9 }]);
    const rates = await mary.call('listCurrencyRates', {});
    const inPounds = rates.map(({ currencyCode, rate = 0 }) => [currencyCode, Math.round(100 / rate) / 100]);
    const told =
      (LINES.find((line) => line.startsWith('| accounts in other currencies |')) ?? '').match(/\b[A-Z]{3}\b/g) ?? [];
    expect(new Set(told)).toEqual(new Set(rates.map(({ currencyCode }) => currencyCode)));
    expect(Object.fromEntries(inPounds)).toMatchObject({ EUR: 0.9, USD: 0.8, CAD: 0.6, AUD: 0.5, RON: 0.2, SEK: 0.1 });
  },
  'stake that a recording adds while a market is suspended': async () => {
    const suspended = { marketDefinition: { ...DEFINITION, status: 'SUSPENDED' } };
    const added = rc({ id: 11, atl: [[4.5, 55]] }, { id: 12, ltp: 1.33 });
    await played(
      { exchange, client: mary },
      [suspended, added, { marketDefinition: DEFINITION }],
      async (bookWhere) => {
        exchange.pass(STEP_MS);
        await bookWhere(({ status }) => status === 'SUSPENDED');
        exchange.pass(STEP_MS);
        const during = await bookWhere(({ runners }) => runners?.[1]?.lastPriceTraded === 1.33);
        expect(offered(during)).toBe(20);
        exchange.pass(STEP_MS);
        expect(offered(await bookWhere(({ status }) => status === 'OPEN'))).toBe(55);
      },
    );
  },
  'recorded participants': async () => {
    await played(
      { exchange, client: mary },
      [rc({ id: 11, atl: [[4.5, 21]] }, { id: 12, ltp: 1.33 })],
      async (bookWhere, marketId) => {
        const instruction = limit({ selectionId: 11, side: 'LAY', price: 4.5, size: 15 });
        const [report] = await mary.place(marketId, instruction as never);
        expect(report?.sizeMatched).toBe(15);
        expect(offered(await bookWhere(() => true))).toBe(5);
        exchange.pass(STEP_MS);
        expect(offered(await bookWhere(({ runners }) => runners?.[1]?.lastPriceTraded === 1.33))).toBe(21);
      },
    );
  },
};

test('each row of the table has a check, and each check a row', () => {
  expect(ROWS.length).toBeGreaterThan(20);
  expect(Object.keys(CHECKS)).toEqual(ROWS);
});

test.each(Object.entries(CHECKS))(
  '%s',
  async (_row, check) => {
    await check();
  },
  30_000,
);
