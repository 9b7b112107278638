/**
 * One odd document in what the gateway reads, each kind with each of its fields made odd: the other markets, orders and wallets are followed as ever.
 */

import { describe, expect, test } from 'vitest';
import { Event, EventSummary } from '../../../src/betdex/wire/shapes/events.ts';
import { Market, MarketOutcome, MarketTypeSummary } from '../../../src/betdex/wire/shapes/markets.ts';
import { Order } from '../../../src/betdex/wire/shapes/orders.ts';
import { PriceBook, PriceRow } from '../../../src/betdex/wire/shapes/prices.ts';
import { TradeSummary } from '../../../src/betdex/wire/shapes/trades.ts';
import { Balance, Wallet } from '../../../src/betdex/wire/shapes/wallets.ts';
import { USE } from '../../../src/codec/document-use.ts';
import { defined } from '../../../src/core/checks/assert.ts';
import { type Oddity, odditiesOf } from '../../support/betdex/oddities.ts';
import {
  answered,
  MARKET,
  orderDocument,
  paged,
  priceRow,
  type ScriptedExchange,
} from '../../support/conformance/scripted-exchange.ts';
import { request, START, scriptedGateway } from '../../support/conformance/scripted-gateway.ts';

const POLLED = { kind: 'poll', everyMs: 1_000 } as const;
const EACH_SECOND = { feeds: { markets: POLLED, prices: POLLED, orders: POLLED, wallets: POLLED } };
/** The odd document is of the second of each, and it is odd from this moment on, ms. */
const ODD_FROM = 4_500;
const UNTIL = 12_000;

type Documents = Readonly<Record<string, unknown>>[];

/** What a test makes odd: the document at index 1 of each kind. */
interface Odd {
  readonly kind: string;
  readonly oddity: Oddity;
}

const participant = { _ref: 'participants.id', _ids: [] };

/** Three markets, each with its own event, type and outcomes, two wallets, and orders in each market. */
class ThreeMarkets {
  odd: Odd | undefined;

  serve(exchange: ScriptedExchange): void {
    const ids = ['8801', '8802', '8803'];
    exchange.on('listMarkets', () =>
      paged({
        markets: this.#made(
          'Market',
          ids.map((id) => marketDocument(id)),
        ),
        events: this.#made(
          'EventSummary',
          ids.map((id) => eventDocument(id)),
        ),
        marketTypes: this.#made(
          'MarketTypeSummary',
          ids.map((id) => typeDocument(id)),
        ),
        marketOutcomes: this.#made(
          'MarketOutcome',
          ['8801', '8802', '8803', '8801b', '8802b', '8803b'].map(outcomeDocument),
        ),
      }),
    );
    exchange.on('listPrices', () => {
      const books = ids.map((marketId) => ({ marketId, liquidity: 9, traded: 7, prices: this.#rows(marketId) }));
      return answered({ _meta: { _primary_document: 'prices', _count: 3 }, prices: this.#made('PriceBook', books) });
    });
    exchange.on('listOrders', () => {
      const orders = [1, 2, 3].map((client) => orderOf(client));
      return paged({
        orders: this.#made('Order', orders),
        trades: this.#made(
          'TradeSummary',
          [1, 2, 3].map((client) => tradeOf(client)),
        ),
      });
    });
    exchange.on('listWallets', () =>
      paged({
        wallets: this.#made(
          'Wallet',
          ['w-1', 'w-2'].map((id) => this.#wallet(id)),
        ),
      }),
    );
    exchange.on('createOrders', () => paged({ orders: [1, 2, 3].map((client) => orderOf(client)) }));
  }

  #wallet(id: string) {
    const plain = { balance: 1000, balanceAvailable: 900, overdraft: 0, unmatchedExposure: 100 };
    const balances = ['EUR', 'USDC'].map((currencyId) => ({ ...plain, currencyId }));
    return {
      ...{ id, appId: 'app-1', type: 'User', reference: 'mine', description: 'mine' },
      balances: id === 'w-2' ? this.#made('Balance', balances) : balances,
    };
  }

  #rows(marketId: string): Documents {
    const rows = [2, 3, 4].map((price) => ({ ...priceRow('For', price, 10), outcomeId: marketId }));
    return marketId === '8802' ? this.#made('PriceRow', rows) : rows;
  }

  #made(kind: string, documents: Documents): Documents {
    if (this.odd?.kind !== kind) return documents;
    const { oddity } = this.odd;
    return documents.map((each, index) => (index === 1 ? oddity.of(each) : each));
  }
}

function marketDocument(id: string) {
  return {
    ...MARKET,
    ...{ id, name: `Market ${id}`, inPlayStatus: 'PrePlay', settledAt: undefined },
    event: { _ref: 'events.id', _ids: [`e${id}`] },
    marketType: { _ref: 'marketTypes.id', _ids: [`t${id}`] },
    marketOutcomes: { _ref: 'marketOutcomes.id', _ids: [id, `${id}b`] },
    externalReferences: { _ref: 'externalReferences.id', _ids: [] },
  };
}

function eventDocument(id: string) {
  const eventGroup = { _ref: 'eventGroups.id', _ids: ['g'] };
  return {
    id: `e${id}`,
    eventGroup,
    name: `Event ${id}`,
    code: id,
    expectedStartTime: '2030-01-01T00:00:00.000Z',
    active: true,
  };
}

function typeDocument(id: string) {
  return { id: `t${id}`, outcomesRange: { min: 2, max: 2 }, winnersRange: { min: 1, max: 1 } };
}

function outcomeDocument(id: string, index: number) {
  return { id, title: id, ordering: index, participant };
}

function orderOf(client: number) {
  const marketId = `880${client}`;
  return orderDocument({
    id: String(730_000 + client),
    market: { _ref: 'markets.id', _ids: [marketId] },
    outcomeId: marketId,
    reference: `run7-scalp_it-${client}`,
    ...{ stakeUnmatched: 4, status: 'PartiallyMatched' },
  });
}

function tradeOf(client: number) {
  const order = { _ref: 'orders.id', _ids: [String(730_000 + client)] };
  return { id: `t${client}`, order, price: 2.2, stake: 6, profitLoss: 0, createdAt: '2026-03-24T14:45:01.000Z' };
}

/** A run with three orders of its own, whose exchange shows the odd document after a while, or from the start. */
function runWith(odd: Odd, from: number) {
  const world = new ThreeMarkets();
  if (from === 0) world.odd = odd;
  const run = scriptedGateway({ ...EACH_SECOND, wallets: ['w-1', 'w-2'] }, undefined, 0, (exchange) =>
    world.serve(exchange),
  );
  run.until(2_000);
  const listed = new Map(run.received('market').map(({ said }) => [said.market.facts.id, said.market]));
  const indexOf = (id: string): number => listed.get(id)?.index ?? 0;
  if (from > 0) run.place(...[1, 2, 3].map((client) => request(client, { market: indexOf(`880${client}`) })));
  run.until(ODD_FROM);
  world.odd = odd;
  run.until(UNTIL);
  return { ...run, listed };
}

const KINDS = {
  Market,
  EventSummary,
  MarketTypeSummary,
  MarketOutcome,
  PriceBook,
  PriceRow,
  Order,
  TradeSummary,
  Wallet,
  Balance,
};
const table = Object.entries(KINDS).flatMap(([kind, shape]) =>
  odditiesOf(shape as never).map((oddity) => [`${kind}.${oddity.field} ${oddity.way}`, { kind, oddity }] as const),
);

describe.each([
  ['from the start', 0],
  ['in the middle', ODD_FROM],
] as const)('%s', (_when, from) => {
  test.each(table)('%s', (_name, odd) => {
    const { listed, ...run } = runWith(odd, from);
    for (const id of ['8801', '8803']) {
      const market = listed.get(id);
      expect(market?.freshAt, id).toBeGreaterThan(START + UNTIL - 1_500);
      expect(market?.statusFreshAt, id).toBeGreaterThan(START + UNTIL - 1_500);
    }
    for (const feed of ['markets', 'prices', 'orders', 'wallets'] as const) {
      const read = run.received('read').filter(({ ms, said }) => said.feed === feed && ms > UNTIL - 1_500);
      expect(read.length, feed).toBeGreaterThan(0);
      for (const { said } of read) expect([undefined, [1]], feed).toContainEqual(said.walletsUnread);
    }
    const reports = run.received('order').map(({ said }) => said.order);
    for (const client of from === 0 ? [] : [1, 3])
      expect(reports.findLast((each) => each.client === client)).toMatchObject({
        stakeMatched: 6e6,
        stakeUnmatched: 4e6,
      });
    expect(run.received('absent')).toEqual([]);
    expect(run.received('wallet').map(({ said }) => said.wallet)).toContain(0);
  });
});

test('the table names what is used, so that a new field is in it', () => {
  expect(table.length).toBeGreaterThan(250);
  expect(Event[USE].needs).toEqual([]);
});

describe('a market that cannot be read', () => {
  const lockless: Odd = {
    kind: 'Market',
    oddity: { field: 'status', way: 'null', of: (document) => ({ ...document, status: null }) },
  };

  test('is left out with one notice, and an earlier status of it grows old', () => {
    const { listed, notices } = runWith(lockless, ODD_FROM);
    expect(listed.get('8802')?.statusFreshAt).toBeLessThan(START + ODD_FROM);
    expect(listed.get('8802')?.published).toBe(true);
    expect(notices.filter(({ kind }) => kind === 'unreadable')).toEqual([
      { kind: 'unreadable', what: 'market 8802', details: expect.stringContaining('status: a required field') },
    ]);
    expect(runWith(lockless, 0).listed.has('8802')).toBe(false);
  });

  test('a market whose type cannot be read is followed: any number of its outcomes may win', () => {
    const [, rangeless] = defined(
      table.find(([name]) => name === 'MarketTypeSummary.winnersRange absent'),
      'it is in the table',
    );
    const { listed } = runWith(rangeless, 0);
    expect([...listed.values()].map(({ winners }) => winners)).toEqual([
      { min: 1, max: 1 },
      { min: 0, max: 2 },
      { min: 1, max: 1 },
    ]);
  });

  test('a row of its prices that cannot be read makes them old', () => {
    const amount = {
      field: 'amount',
      way: 'null',
      of: (document: object) => ({ ...document, amount: null }),
    } as Oddity;
    const { listed } = runWith({ kind: 'PriceRow', oddity: amount }, ODD_FROM);
    expect(listed.get('8802')?.freshAt).toBeLessThan(START + ODD_FROM);
  });
});

describe('a wallet that cannot be read', () => {
  /** What the last reading of wallets did not tell. */
  function unreadOf(odd: Odd) {
    const { notices, ...run } = runWith(odd, ODD_FROM);
    const last = run.received('read').findLast(({ said }) => said.feed === 'wallets');
    return { notices, unread: last?.said.walletsUnread };
  }

  const made = (kind: string, of: Oddity['of']): Odd => ({ kind, oddity: { field: 'any', way: 'wrong type', of } });

  test.each([
    ['its id is missing', made('Wallet', (document) => ({ ...document, id: undefined })), 'without an id'],
    ['its balances are text', made('Wallet', (document) => ({ ...document, balances: 'text' })), 'w-2'],
    ['it is that of others', made('Wallet', (document) => ({ ...document, id: 'w-9' })), 'w-2'],
    ['its balance is no amount', made('Balance', (document) => ({ ...document, balance: 1e300 })), 'w-2'],
  ])('is named where %s, with one notice a reading, and the other one is read', (_name, odd, named) => {
    const { notices, unread } = unreadOf(odd);
    expect(unread).toEqual([1]);
    expect(notices.filter(({ kind }) => kind === 'unreadable')).toContainEqual(
      expect.objectContaining({ what: `wallet ${named}` }),
    );
  });
});
