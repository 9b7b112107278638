/** Permissions: every operation on something of app A's first wallet, by each kind of caller. */

import { describe, expect, test } from 'vitest';
import { SESSION_ENDPOINTS } from '../../../src/betdex/wire/endpoints.ts';
import { hashOfSecret } from '../../../src/sandbox/operations/accounts/secret-hash.ts';
import { ordersOfWallet } from '../../support/exchange-orders.ts';
import { HOLDER_OPERATIONS, type HolderOperation, TradingFloor } from '../../support/sandbox/trading-floor.ts';

/** The result for a caller: an answer with the document (`seen`), one without it (`blind`), or a problem's status. */
type Outcome = 'seen' | 'blind' | 403 | 404;

interface Expected {
  readonly app: Outcome;
  readonly walletKey: Outcome;
  /** Result for a key of the app's other wallet. */
  readonly otherKey: Outcome;
  readonly foreignApp: Outcome;
}

const OWN_ORDERS: Expected = { app: 'seen', walletKey: 'seen', otherKey: 403, foreignApp: 404 };
const OWN_LISTS: Expected = { app: 'seen', walletKey: 'seen', otherKey: 'blind', foreignApp: 'blind' };
const APP_ONLY: Expected = { app: 'seen', walletKey: 403, otherKey: 403, foreignApp: 404 };
/** Operations on things that each app has itself. */
const EVERY_APP: Expected = { ...APP_ONLY, foreignApp: 'seen' };

type Row = readonly [asked: (floor: Floor) => object, expected: Expected];

/** App A's first wallet has a resting order, a matched one with its trade, a cancelled and a settled one, and a key. */
class Floor extends TradingFloor {
  readonly resting: string;
  readonly matched: string;
  readonly secondKey;

  constructor() {
    super();
    const { builder } = this;
    const market = builder.openMarket({ app: this.house, event: this.event });
    const over = { marketId: String(market + 1), outcomeId: this.outcomeId(0, market), price: 2, stake: 1 };
    this.place(this.a, over);
    this.place(this.b, { ...over, side: 'Against' });
    builder.settle(market, 0);
    const cancelled = this.place(this.a);
    this.ask(this.a.caller, 'cancelOrders', { body: { orderIds: [cancelled] } });
    this.matched = this.place(this.a, { price: 2, reference: 'mine' });
    this.place(this.b, { price: 2, side: 'Against' });
    this.resting = this.place(this.a);
    this.ask(this.a.caller, 'armHeartbeat', { body: { timeoutMs: 60_000 } });
    this.ask(this.b.caller, 'armHeartbeat', { body: { timeoutMs: 60_000 } });
    builder.make({ kind: 'createKey', app: this.a.app, name: 'known', secretHash: hashOfSecret('known secret') });
    builder.make({ kind: 'createCommissionRate', app: this.a.app, ratePpm: 0, isDefault: true });
    this.secondKey = builder.caller(this.a.app, this.a.second);
  }

  get wallet() {
    return { path: { id: this.a.walletId } };
  }
}

const ROWS: Readonly<Record<Exclude<HolderOperation, 'createSession' | 'refreshSession'>, Row>> = {
  createAppApiKey: [() => ({ body: { appId: 'appA' } }), APP_ONLY],
  deactivateAppApiKey: [() => ({ body: { appId: 'appA', apiKey: 'known secret' } }), APP_ONLY],
  createWalletApiKey: [(floor) => floor.wallet, APP_ONLY],
  getCommissionRates: [() => ({ path: { id: 'appA' } }), APP_ONLY],
  getHeartbeat: [() => ({}), EVERY_APP],
  armHeartbeat: [() => ({ body: { timeoutMs: 60_000 } }), EVERY_APP],
  deleteHeartbeat: [() => ({}), EVERY_APP],
  createOrder: [(floor) => ({ body: floor.body() }), { ...OWN_ORDERS, foreignApp: 'blind' }],
  createOrders: [(floor) => ({ body: { requests: [floor.body()] } }), { ...OWN_ORDERS, foreignApp: 'blind' }],
  requestOrder: [(floor) => ({ body: floor.body() }), { ...OWN_ORDERS, foreignApp: 'blind' }],
  requestOrders: [(floor) => ({ body: { requests: [floor.body()] } }), { ...OWN_ORDERS, foreignApp: 'blind' }],
  cancelOrders: [(floor) => ({ body: { orderIds: [floor.resting] } }), OWN_LISTS],
  cancelOrdersInFull: [(floor) => ({ body: { walletIds: [floor.a.walletId] } }), OWN_LISTS],
  cancelOrder: [(floor) => ({ path: { id: floor.resting } }), OWN_ORDERS],
  listOrders: [(floor) => ({ query: `walletIds=${floor.a.walletId}` }), OWN_LISTS],
  getOrder: [(floor) => ({ path: { id: floor.resting } }), OWN_ORDERS],
  getOrderByReference: [() => ({ path: { reference: 'mine' } }), OWN_ORDERS],
  listSettledOrders: [(floor) => ({ query: `walletId=${floor.a.walletId}` }), OWN_LISTS],
  listHistoricalOrders: [(floor) => ({ query: `walletId=${floor.a.walletId}` }), OWN_LISTS],
  listCancelledOrders: [(floor) => ({ query: `walletId=${floor.a.walletId}` }), OWN_LISTS],
  listOrderTrades: [(floor) => ({ path: { id: floor.matched } }), OWN_ORDERS],
  getTrade: [() => ({ path: { id: '3' } }), OWN_ORDERS],
  listTrades: [(floor) => ({ query: `orderIds=${floor.matched}` }), OWN_LISTS],
  listHistoricalTrades: [(floor) => ({ query: `walletId=${floor.a.walletId}` }), OWN_LISTS],
  listMarketOrders: [(floor) => ({ path: { id: floor.marketId }, query: `walletIds=${floor.a.walletId}` }), OWN_LISTS],
  listMarketPositions: [
    (floor) => ({ path: { id: floor.marketId }, query: `walletIds=${floor.a.walletId}` }),
    OWN_LISTS,
  ],
  createWallet: [() => ({ body: {} }), EVERY_APP],
  listWallets: [(floor) => ({ query: `walletIds=${floor.a.walletId}` }), OWN_LISTS],
  getWallet: [(floor) => floor.wallet, OWN_ORDERS],
  listWalletTransactions: [(floor) => floor.wallet, OWN_ORDERS],
  listAllPositions: [(floor) => floor.wallet, OWN_ORDERS],
  listWalletPositions: [(floor) => floor.wallet, OWN_ORDERS],
  getWalletMetrics: [(floor) => floor.wallet, OWN_ORDERS],
  getDepositAddress: [(floor) => ({ ...floor.wallet, query: 'currencyId=USDC' }), OWN_ORDERS],
  createDeposit: [(floor) => ({ path: { id: floor.a.walletId, currencyId: 'USDC' } }), APP_ONLY],
  askFaucet: [(floor) => ({ query: `walletId=${floor.a.walletId}&currencyId=USDC` }), OWN_ORDERS],
};

const CALLERS = {
  app: (floor: Floor) => floor.a.caller,
  walletKey: (floor: Floor) => floor.a.walletCaller,
  otherKey: (floor: Floor) => floor.secondKey,
  foreignApp: (floor: Floor) => floor.b.caller,
} as const satisfies Record<keyof Expected, unknown>;

/** `seen` where the answer's main array contains anything but failures. */
function outcomeOf(floor: Floor, caller: keyof Expected, name: HolderOperation, asked: object): Outcome | number {
  try {
    const answer: object = floor.ask(CALLERS[caller](floor), name, asked);
    const documents = 'documents' in answer ? answer.documents : answer;
    const [main] = Object.entries(documents ?? {}).filter(([key]) => key !== '_meta');
    const items = Array.isArray(main?.[1]) ? main[1].filter((item) => item.errorCode === undefined) : [main?.[1]];
    return items.length > 0 ? 'seen' : 'blind';
  } catch (problem) {
    const status = /^\w+: (\d{3}) (\S+)/.exec(String(problem).replace(/^Error: /, ''));
    if (status === null) throw problem;
    // A single order's failure is a problem, not an item of an answer.
    return status[2] === 'WALLET_NOT_FOUND:' ? 'blind' : Number(status[1]);
  }
}

/** Everything that a call could have changed. */
function pictureOf({ world, a, b }: Floor) {
  const { exchange, registry } = world;
  return {
    orders: [...registry.wallets.keys()].flatMap((wallet) => ordersOfWallet(exchange, wallet)),
    wallets: [...registry.wallets.keys()].map((wallet) => exchange.wallet(wallet)),
    heartbeats: [a, b].map(({ app }) => ({ ...exchange.heartbeat(app) })),
    keys: [...registry.keys.values()].map((key) => ({ ...key })),
  };
}

test('every operation stands in the table', () => {
  const open = Object.entries(SESSION_ENDPOINTS).filter(([, endpoint]) => 'open' in endpoint);
  expect([...Object.keys(ROWS), ...open.map(([name]) => name)].sort()).toEqual(Object.keys(HOLDER_OPERATIONS).sort());
});

describe.each(Object.keys(CALLERS) as (keyof Expected)[])('asked by %s', (caller) => {
  test.each(Object.entries(ROWS))('%s', (name, [asked, expected]) => {
    const floor = new Floor();
    const before = pictureOf(floor);
    const outcome = outcomeOf(floor, caller, name as HolderOperation, asked(floor));
    expect(outcome).toBe(expected[caller]);
    if (outcome !== 'seen') expect(pictureOf(floor), 'nothing has changed').toEqual(before);
    expect(floor.world.exchange.brokenLaws()).toEqual([]);
  });
});

test('one item for another wallet of the app sinks a wallet key’s batch, one for a foreign wallet only itself', () => {
  const floor = new Floor();
  const { a, b } = floor;
  const items = (...wallets: string[]) => ({ body: { requests: wallets.map((walletId) => floor.body({ walletId })) } });
  expect(floor.askInVain(a.walletCaller, 'createOrders', items(a.walletId, a.secondId))).toMatchObject({
    status: 403,
    details: [`the key is not one of wallet ${a.secondId}`],
  });
  const { orders } = floor.ask(
    a.walletCaller,
    'createOrders',
    items(a.walletId, b.walletId, 'x', 'appA-Commission-1'.replace('A', 'B')),
  );
  expect(orders.map((item) => ('errorCode' in item ? item.errorCode : item.status))).toEqual([
    'Unmatched',
    'WALLET_NOT_FOUND',
    'WALLET_NOT_FOUND',
    'WALLET_NOT_FOUND',
  ]);
});
