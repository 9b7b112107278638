/** Readers accept everything that a newer exchange may send, say where something is missing, and never throw. */

import type { TSchema } from '@sinclair/typebox';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../../src/betdex/wire/endpoint.ts';
import { ENDPOINTS } from '../../../../src/betdex/wire/endpoints.ts';
import { CLIENT_MESSAGES, SERVER_MESSAGES } from '../../../../src/betdex/wire/messages/stream.ts';
import { Market, MarketSummary } from '../../../../src/betdex/wire/shapes/markets.ts';
import { Order } from '../../../../src/betdex/wire/shapes/orders.ts';
import { MarketPosition, Wallet } from '../../../../src/betdex/wire/shapes/wallets.ts';
import { documentReader } from '../../../../src/codec/codec-read.ts';
import { writer } from '../../../../src/codec/codec-write.ts';
import type { SchemaNode } from '../../../../src/codec/schema-node.ts';
import { namedShape, strictSample, WORDS } from '../../../support/wire-strict.ts';

const endpoints: readonly Endpoint[] = Object.values(ENDPOINTS);

describe('words', () => {
  test('are those of the specification and the profile, every one and no other', () => {
    const found = new Map<string, string>();
    for (const { answer } of endpoints) collectWords(answer.schema as TSchema, found);
    for (const schema of Object.values({ ...SERVER_MESSAGES, ...CLIENT_MESSAGES })) collectWords(schema, found);
    const { PrimaryDocument, OrderErrorCode, ...others } = Object.fromEntries(found);
    expect(others).toEqual({
      Side: WORDS['Side'],
      MatchBehavior: WORDS['MatchBehavior'],
      InPlayStatus: WORDS['InPlay'],
      MarketStatus: WORDS['MarketStatus'],
      WalletType: WORDS['WalletType'],
      OrderStatus: WORDS['OrderStatus'],
      TransactionCode: WORDS['Code'],
      ParticipantType: WORDS['PType'],
      LiquidityAction: WORDS['Action'],
      CursorSort: WORDS['Sort'],
      SubscriptionType: WORDS['SubType'],
      PriceUpdateType: WORDS['UpdateType'],
    });
    expect(PrimaryDocument).toBe(
      'apiKeys apps categories commissionRates currencies depositAddresses depositRequests events eventGroups externalReferences externalReferenceSources heartbeats ids markets marketOutcomes marketPositions marketTypes orders participants prices priceLadders sessions statuses subcategories trades transactions wallets walletMetrics withdrawalRequests',
    );
    expect(OrderErrorCode).toBe(
      'MARKET_NOT_FOUND INVALID_MARKET_STATUS SUSPENDED_MARKET MARKET_OUTCOME_NOT_FOUND COMMISSION_RATE_NOT_FOUND WALLET_NOT_FOUND WALLET_INSUFFICIENT_CREDIT WALLET_ACCOUNT_NOT_FOUND WALLET_ACCOUNT_INSUFFICIENT_CREDIT MARKET_POSITION_NOT_FOUND ORDER_ALREADY_EXISTS INTERRUPTED',
    );
  });

  test('that are new are kept as they came, and never written', () => {
    const market = { ...strictSample(namedShape('Market'), true), status: 'Frozen', marketLockAction: 'Melt' };
    expect(documentReader(Market)(market)).toEqual({ kind: 'read', value: market });
    expect(() => writer(Market)(market as never)).toThrow('none of the words');
  });
});

test('every named schema has one meaning', () => {
  const found = new Map<string, string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { title, default: _, ...rest } = node as Record<string, unknown>;
    if (typeof title === 'string') {
      const text = JSON.stringify(rest);
      expect(found.get(title) ?? text, title).toBe(text);
      found.set(title, text);
    }
    Object.values(node).forEach(visit);
  };
  for (const { answer, body, query } of endpoints) [answer.schema, body, query].forEach(visit);
  [...Object.values(SERVER_MESSAGES), ...Object.values(CLIENT_MESSAGES)].forEach(visit);
  expect(found.size).toBeGreaterThan(60);
});

describe('documents', () => {
  test('a missing field is named with its path, and the answer is refused', () => {
    const { outcomeId: _, ...order } = strictSample(namedShape('Order'), true);
    const answer = { ...strictSample(namedShape('ORD'), true), _meta: strictSample(namedShape('M'), true) };
    const read = documentReader(ENDPOINTS.getOrder.answer.schema);
    expect(read({ ...answer, orders: [strictSample(namedShape('Order'), true), order] })).toEqual({
      kind: 'faults',
      faults: [{ code: 'MISSING', path: 'orders[1].outcomeId' }],
    });
  });

  test('lists and exposures that are absent are empty, and each reading has its own', () => {
    const read = documentReader(Wallet);
    const { balances: _, ...wallet } = strictSample(namedShape('Wallet'), true);
    const [one, other] = [read(wallet), read(wallet)];
    expect(one).toEqual({ kind: 'read', value: { ...wallet, balances: [] } });
    expect(one.kind === 'read' && other.kind === 'read' && one.value.balances !== other.value.balances).toBe(true);
    const position = documentReader(MarketPosition)({ market: { _ref: 'markets.id' }, walletId: null });
    expect(position).toEqual({ kind: 'read', value: { market: { _ref: 'markets.id', _ids: [] }, exposures: {} } });
  });

  test('an element of a batch is read as the shape that declares more of its keys, on a tie as the first', () => {
    const orders = documentReader(ENDPOINTS.createOrders.answer.schema);
    const ids = documentReader(ENDPOINTS.requestOrders.answer.schema);
    const _meta = { _primary_document: 'orders', _count: 1 };
    const failure = { errorCode: 'BRAND_NEW', hint: 1 };
    expect(orders({ _meta, orders: [failure] })).toMatchObject({ value: { orders: [{ errorCode: 'BRAND_NEW' }] } });
    const strange = orders({ _meta, orders: [{ strange: 1 }] });
    expect(strange.kind === 'faults' && strange.faults[0]).toEqual({ code: 'MISSING', path: 'orders[0].id' });
    expect(ids({ _meta, ids: [{ id: '7' }, failure] })).toMatchObject({
      value: { ids: [{ id: '7' }, { errorCode: 'BRAND_NEW' }] },
    });
    expect(ids({ _meta, ids: [{ strange: 1 }] })).toEqual({
      kind: 'faults',
      faults: [{ code: 'MISSING', path: 'ids[0].errorCode' }],
    });
  });

  test('nothing makes a reader throw', () => {
    const readers = endpoints.map(({ answer }) => documentReader(answer.schema));
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(readers.length - 1), (value, index) => {
        expect(['read', 'faults']).toContain(readers[index]?.(value).kind);
      }),
      { numRuns: 500 },
    );
  });

  test('any field of an order may hold anything: the rest is as it was, or the fault names the field', () => {
    const sample = strictSample(namedShape('Order'), true);
    const read = documentReader(Order);
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(sample)), fc.jsonValue(), (key, value) => {
        const result = read({ ...sample, [key]: value });
        if (result.kind === 'read') expect({ ...result.value, [key]: 0 }).toEqual({ ...sample, [key]: 0 });
        else for (const fault of result.faults) expect(fault.path.split(/[.[]/)[0]).toBe(key);
      }),
      { numRuns: 500 },
    );
  });

  test('a key of the language’s own is no field, in a map it is a key like others', () => {
    const read = documentReader(MarketSummary);
    const text = JSON.stringify(strictSample(namedShape('MarketSum'), true));
    const poisoned: unknown = JSON.parse(`${text.slice(0, -1)},"__proto__":{"polluted":1}}`);
    expect(read(poisoned)).toEqual({ kind: 'read', value: JSON.parse(text) });
    const position = documentReader(MarketPosition)(JSON.parse('{"market":{"_ref":"m"},"exposures":{"__proto__":1}}'));
    expect(position.kind === 'read' && Object.keys(position.value.exposures)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

test('a document that lacks a field or holds no number is our own bug, and is not written', () => {
  const write = writer(Wallet);
  const wallet = strictSample(namedShape('Wallet'), true);
  const { appId: _, ...less } = wallet;
  expect(() => write(less as never)).toThrow('Wallet.appId is missing');
  const [balance] = wallet['balances'] as Record<string, unknown>[];
  for (const amount of [Number.NaN, Number.POSITIVE_INFINITY, '5', null]) {
    expect(() => write({ ...wallet, balances: [{ ...balance, balance: amount }] } as never)).toThrow('finite');
  }
});

function collectWords(node: SchemaNode, found: Map<string, string>): void {
  if (node.enum !== undefined) found.set(node.title ?? 'unnamed', node.enum.join(' '));
  for (const child of Object.values(node.properties ?? {})) collectWords(child, found);
  for (const child of [node.items, ...(node.anyOf ?? [])]) if (child !== undefined) collectWords(child, found);
}
