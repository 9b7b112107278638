/** The response envelope (specification; profile section 1) in every answer: counts, references, dates and ids. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallOptions, Json } from '../../support/vendor/vendor-client.ts';
import { type ApiUser, type AuditMarket, AuditStage, HOUR } from './audit-stage.ts';

let stage: AuditStage;
let ann: ApiUser;
let market: AuditMarket;
let orderId: string;
let tradeId: string;

beforeAll(async () => {
  stage = await AuditStage.open();
  ann = await stage.user();
  const bob = await stage.user();
  const participant = { code: 'HOM', name: 'Home', type: 'Team', subcategoryId: 'AUDITS' };
  await stage.control('/participants', { id: 'HOME', ...participant });
  const extra = { outcomes: [{ title: 'Home', participantId: 'HOME' }, { title: 'Away' }], marketValue: '2.5' };
  const expectedStartTime = new Date(stage.clock.now() + HOUR).toISOString();
  const event = { eventGroupId: 'AUDITED', name: 'H v A', code: 'HA', expectedStartTime, participantIds: ['HOME'] };
  const { id: eventId } = await stage.control('/events', event);
  market = await stage.market({ ...extra, ownerAppId: ann.appId, eventId });
  const over = await stage.market({ eventId: market.eventId });
  await stage.control('/external-reference-sources', { code: 'AUD', description: 'Audit' });
  for (const [target, id] of [
    ['market', market.id],
    ['event', market.eventId],
    ['participant', 'HOME'],
  ])
    await stage.control('/external-references', { source: 'AUD', reference: `ref-${target}`, target, id });
  for (const { id, outcomes } of [market, over]) {
    const on = { marketId: id, outcomeId: outcomes[0] };
    orderId = (await ann.place({ ...on, reference: `in-${id}` })).id;
    await bob.place({ ...on, side: 'Against', stake: 4 });
    await ann.place({ ...on, price: 900 });
  }
  const cancelled = await ann.place({ marketId: market.id, outcomeId: market.outcomes[1] });
  await ann.ok('POST /orders/cancel-v2', { body: { orderIds: [cancelled.id] } });
  await stage.move(over, 'lock');
  await stage.move(over, 'settle', { winners: [over.outcomes[0]] });
  tradeId = (await ann.ok('GET /trades')).trades[0].id;
  await ann.ok('POST /heartbeats', { body: { timeoutMs: 300_000 } });
});
afterAll(() => stage.close());

const wallet = () => ({ path: { id: ann.walletId } });
const inMarket = () => ({ path: { id: market.id } });
const byReference = (kind: string) => () => ({ path: { source: 'AUD', reference: `ref-${kind}` } });

/** The array of primary documents, where it is not named like `_primary_document`. */
const READS: readonly (readonly [endpoint: string, options?: (() => CallOptions) | undefined, array?: string])[] = [
  ['GET /apps/{id}/commission-rates', () => ({ path: { id: ann.appId } })],
  ['GET /heartbeats'],
  ['GET /categories'],
  ['GET /categories/{id}', () => ({ path: { id: 'AUDIT' } })],
  ['GET /subcategories'],
  ['GET /subcategories/{id}', () => ({ path: { id: 'AUDITS' } })],
  ['GET /subcategories/{id}/participants', () => ({ path: { id: 'AUDITS' } })],
  ['GET /event-groups'],
  ['GET /event-groups/{id}', () => ({ path: { id: 'AUDITED' } })],
  ['GET /participants/by-reference/{source}/{reference}', byReference('participant')],
  ['GET /external-reference-sources'],
  ['GET /events', () => ({ query: { size: 2000 } })],
  ['GET /events/{id}', () => ({ path: { id: market.eventId } })],
  ['GET /events/{id}/participants', () => ({ path: { id: market.eventId } })],
  ['GET /events/by-reference/{source}/{reference}', byReference('event')],
  ['GET /market-types'],
  ['GET /market-types/{id}', () => ({ path: { id: 'AUDIT_RESULT' } })],
  ['GET /markets', () => ({ query: { size: 2000 } })],
  ['GET /markets/{id}', inMarket],
  ['GET /markets/by-reference/{source}/{reference}', byReference('market')],
  ['GET /markets/historical', () => ({ query: { limit: 50 } })],
  ['GET /markets/{id}/prices', inMarket],
  ['GET /markets/{id}/prices-v2', inMarket],
  ['GET /market-prices', () => ({ query: { marketIds: [market.id] } })],
  ['GET /market-prices/ladder', undefined, 'marketPriceLadders'],
  ['GET /markets/{id}/orders', inMarket],
  ['GET /markets/{id}/positions', inMarket, 'positions'],
  ['GET /orders', () => ({ query: { walletIds: [ann.walletId] } })],
  ['GET /orders/{id}', () => ({ path: { id: orderId } })],
  ['GET /orders/by-reference/{reference}', () => ({ path: { reference: `in-${market.id}` } })],
  ['GET /orders/settled'],
  ['GET /orders/historical'],
  ['GET /orders/cancelled'],
  ['GET /orders/{id}/trades', () => ({ path: { id: orderId } })],
  ['GET /trades'],
  ['GET /trades/{id}', () => ({ path: { id: tradeId } })],
  ['GET /trades/historical'],
  ['GET /wallets'],
  ['GET /wallets/{id}', wallet],
  ['GET /wallets/{id}/transactions', wallet],
  ['GET /wallets/{id}/positions', wallet, 'positions'],
  ['GET /wallets/{id}/positions-all', wallet, 'positions'],
  ['GET /wallets/{id}/deposits/addresses', () => ({ ...wallet(), query: { currencyId: 'USDC' } })],
];

const ROWS = READS.map(([endpoint, options, array]) => ({ endpoint, options, array }));

test.each(ROWS)(
  '$endpoint counts its documents and holds all that it refers to',
  async ({ endpoint, options, array }) => {
    const body = await ann.ok(endpoint, options?.() ?? {});
    const documents = body.documents ?? body;
    const { _primary_document: primary, _count: count, _page: page } = body._meta;
    const own = documents[array ?? primary];
    expect(Array.isArray(own), `${primary} is an array`).toBe(true);
    expect(count).toBe(own.length);
    expect(own.length, 'the test has something to look at').toBeGreaterThan(endpoint.includes('commission') ? -1 : 0);
    if (page !== undefined) expect(page._totalPages).toBe(Math.ceil(page._totalElements / page._pageSize));
    for (const [name, rows] of Object.entries<Json>(documents)) if (Array.isArray(rows)) expectOnce(name, rows);
    expectWellMade(body, documents, []);
  },
);

function expectOnce(name: string, rows: readonly Json[]): void {
  const ids = rows.map((row) => row?.id).filter((id) => id !== undefined);
  expect([name, new Set(ids).size]).toEqual([name, ids.length]);
}

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Checks that there is no null, that dates are UTC with milliseconds, and that each reference's documents are in the
 * answer if it has their array.
 */
function expectWellMade(value: Json, documents: Json, path: readonly (string | number)[]): void {
  const where = path.join('.');
  expect(value, where).not.toBeNull();
  if (typeof value === 'string') {
    if (/At$|Time$/.test(String(path.at(-1)))) expect(value, where).toMatch(DATE);
    return;
  }
  if (typeof value !== 'object') return;
  if ('_ref' in value) return expectReferred(value, documents, where);
  for (const [key, each] of Object.entries(value)) expectWellMade(each, documents, [...path, key]);
}

function expectReferred({ _ref, _ids }: Json, documents: Json, where: string): void {
  expect(_ref, where).toMatch(/^[a-zA-Z]+\.id$/);
  const rows = documents[_ref.split('.')[0]];
  if (rows === undefined) return;
  const known = new Set(rows.map(({ id }: Json) => String(id)));
  for (const id of _ids) expect([where, id, known.has(id)]).toEqual([where, id, true]);
}

test('ids are of digits where the profile says so, and wallets are named after their app', async () => {
  const [order] = (await ann.ok('GET /orders/{id}', { path: { id: orderId } })).orders;
  for (const id of [order.id, order.outcomeId, order.market._ids[0], tradeId]) expect(id).toMatch(/^[1-9]\d*$/);
  expect(order.walletId).toMatch(new RegExp(`^${ann.appId}-User-\\d+$`));
  const names = (await ann.ok('GET /wallets')).wallets.map(({ id, type }: Json) =>
    id.startsWith(`${ann.appId}-${type}-`),
  );
  expect(names).not.toContain(false);
});

test.each([
  ['401', undefined, { requests: [] }, 401],
  ['400 for no request', 'token', { requests: [] }, 400],
  ['400 for 51', 'token', { requests: Array.from({ length: 51 }, () => ({})) }, 400],
])('a batch refused with %s has the shape of a batch', async (_, token, body, status) => {
  const { client } = ann;
  const kept = client.token;
  client.token = token === undefined ? undefined : kept;
  const answer = await client.call('POST /orders/batch', { body });
  client.token = kept;
  expect(answer.status).toBe(status);
  const { _meta, title, details, ...arrays } = answer.body;
  expect([_meta, typeof title, Array.isArray(details)]).toEqual([
    { _primary_document: 'orders', _count: 0 },
    'string',
    true,
  ]);
  const names = ['orders', 'markets', 'events', 'trades', 'eventGroups', 'subcategories', 'categories'];
  expect(Object.keys(arrays).sort()).toEqual(names.sort());
});

test('a null commission rate means the default, and keepWhenInPlay may be left out', async () => {
  const body = { walletId: ann.walletId, marketId: market.id, outcomeId: market.outcomes[1], side: 'For', price: 2 };
  const { orders } = await ann.ok('POST /orders', { body: { ...body, stake: 1, commissionRateId: null } });
  expect([orders[0].keepWhenInPlay, orders[0].matchBehavior]).toEqual([false, 'RetainUnmatched']);
  expect('commissionRateId' in orders[0]).toBe(false);
});
