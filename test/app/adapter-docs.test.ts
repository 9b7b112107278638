/** The guide to adapters is true: its gateway is a file that is type-checked, and follows a market and an order here. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defer, EMPTY, type Observable, of } from 'rxjs';
import { expect, test } from 'vitest';
import { tickOfDecimal } from '../../src/core/number/ladder.ts';
import { instant, money, ZERO } from '../../src/core/number/units.ts';
import { FOR } from '../../src/core/side.ts';
import type { FeedMessage, PlaceReply } from '../../src/exchange/gateway.ts';
import type { MarketTable } from '../../src/exchange-live/markets/market-table.ts';
import type { OrderFacts } from '../../src/exchange-live/orders/order-facts.ts';
import type { OrdersRead } from '../../src/exchange-live/orders/order-source.ts';
import { TIMEOUTS } from '../../src/exchange-live/settings.ts';
import { SimulatedClock } from '../../src/time/simulated-clock.ts';
import { anotherGateway, type OwnParts } from '../support/adapter-guide/another-gateway.ts';
import { order } from '../support/conformance/stage.ts';
import { importsOf } from '../support/tidy/imports.ts';
import { readSources } from '../support/tidy/source.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const guide = read('docs/exchange-adapter.md');

test('the gateway in the guide is the file that is compiled', () => {
  const file = read('test/support/adapter-guide/another-gateway.ts').replaceAll('../../../src/', '../');
  expect(/```ts\n([\s\S]*?)```/.exec(guide)?.[1]).toBe(file);
});

test('the guide names every member of the exchange that the command uses, and the one file that opens it', () => {
  const [table = ''] = /\| member \| who needs it \|[\s\S]*?\n\n/.exec(guide) ?? [];
  const named = [...table.matchAll(/^\| ([^|]*`) \|/gm)].flatMap(([, cell = '']) => cell.match(/[\w$]+/g) ?? []);
  const body = /export interface Exchange \{\n([\s\S]*?)\n\}/.exec(read('src/exchange-live/adapter/exchange.ts'))?.[1];
  const members = [...(body ?? '').matchAll(/^ {2}(?:readonly )?([\w$]+)\??[:(]/gm)].map(([, name]) => name);
  expect(members.length).toBeGreaterThan(5);
  expect([...named, 'close'].sort()).toEqual(members.sort());
  const sources = readSources(root, ['src/app']);
  const isOfAdapter = (target = ''): boolean => /^src\/(betdex|betfair)\//.test(target);
  const importing = sources.filter((each) => importsOf(each).some(({ target }) => isOfAdapter(target)));
  const [opening] = guide.match(/src\/app\/[\w/-]+\.ts/) ?? [];
  expect(importing.map(({ path }) => path)).toEqual([opening]);
});

test('the guide names the parts of the suite, its first case and what is ready-made as they are', () => {
  const parts = [...read('test/conformance/gateway-suite.ts').matchAll(/^ {2}(\w+): \w+Cases,$/gm)].map(
    ([, part]) => part,
  );
  expect(parts.length).toBeGreaterThan(5);
  expect(guide).toContain(`: ${parts.map((part) => `\`${part}\``).join(', ')}.`);
  const [, first = 'none'] = /-t '(.*)'/.exec(guide) ?? [];
  expect(read('test/conformance/cases/placing.ts')).toContain(`describe('a new order', () => {\n    on('${first}'`);
  const ready = [...guide.matchAll(/^\| `([\w/-]+(?:\.ts|\/))` \| /gm)].map(([, path = '']) => path);
  expect(ready.length).toBeGreaterThan(10);
  const paths = ready.map((path) => (path.startsWith('src/') ? path : `src/exchange-live/${path}`));
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

const EVERY = { kind: 'poll', everyMs: 1_000 } as const;
const START = Date.UTC(2026, 0, 1);
const NONE = { kind: 'unknown', code: 'NOT_SUPPORTED', details: 'this exchange has no heartbeat' } as const;

/** An exchange with one market and one outcome, which takes one order. */
function own(clock: SimulatedClock): OwnParts {
  let placed: OrderFacts | undefined;
  const orders = (): Observable<OrdersRead> =>
    of({ kind: 'read', orders: placed === undefined ? [] : [placed], unreadable: [], askedAt: clock.now() });
  return {
    access: {
      reading: { live: orders, byIds: orders, byReferences: orders },
      cancel: () => {
        if (placed !== undefined)
          placed = { ...placed, status: 'Cancelled', stakeVoided: placed.stake, stakeUnmatched: ZERO };
        return of({ kind: 'answered', answer: undefined });
      },
      ...{ stream: undefined, referenceMax: 128 },
    },
    marketsFeed: (table) => ({
      run$: defer(() => {
        addMarket(table, clock);
        return EMPTY;
      }),
    }),
    settlementsFeed: () => ({ run$: EMPTY }),
    walletsFeed: () => ({ run$: EMPTY }),
    placing: ({ known, references, table }) => ({
      place: ([request]): Observable<PlaceReply> => {
        if (request === undefined) return of({ kind: 'placed', items: [] });
        const { client, strategy, market, side, tick, stake } = request;
        placed = {
          ...{ id: 7, reference: references.of(client, strategy), walletId: 'w', marketId: table.idOf(market) },
          ...{ outcomeId: 'o', side, tick, stake, stakeUnmatched: stake, stakeVoided: ZERO, status: 'Unmatched' },
          ...{ reason: undefined, modifiedAt: instant(clock.now()), fills: [] },
        };
        const report = known.reply(placed, clock.now());
        return of({ kind: 'placed', items: report === undefined ? [] : [{ kind: 'accepted', report }] });
      },
    }),
    snapshots: () => ({ accountSnapshot: () => of({ kind: 'failed', code: 'NOT_SUPPORTED', details: '' }) }),
    heartbeat: () => of(NONE),
    clearHeartbeat: () => of(NONE),
  };
}

function addMarket(table: MarketTable, clock: SimulatedClock): void {
  clock.schedule(() => {
    table.add(
      {
        facts: {
          ...{ id: 'm', name: 'A market', eventId: 'e', eventName: 'An event', marketTypeId: 'RESULT' },
          outcomes: [{ id: 'o', title: 'An outcome', ordering: 0 }],
        },
        ...{ winners: { min: 1, max: 1 }, eventStartAction: 'None' },
        condition: {
          ...{ status: 'Open', inPlayStatus: 'PrePlay', published: true, suspended: false, inPlayDelayMs: 0 },
          ...{ lockAt: undefined, crossMatching: false, winnerIds: [], settledAt: undefined, modifiedAt: undefined },
        },
      },
      clock.now(),
    );
    const market = table.find('m');
    if (market === undefined) return;
    const since = clock.now();
    const level = { outcome: 0, side: FOR, tick: tickOfDecimal(2) ?? 0, amount: money(5_000_000) };
    market.prices.read([level], { since, earliest: since });
    table.onPrices(market, clock.now());
  });
}

test('the gateway in the guide lists a market, places an order, reads it and cancels it', () => {
  const clock = new SimulatedClock(START);
  const { gateway } = anotherGateway({
    clock,
    settings: {
      ...{ wallets: ['w'], currency: 'USDC', watch: {}, referencePrefix: 'guide', strategies: ['case'] },
      ...{ feeds: { markets: EVERY, prices: EVERY, orders: EVERY, wallets: EVERY }, timeouts: TIMEOUTS },
    },
    own: () => own(clock),
  });
  const said: FeedMessage[] = [];
  gateway.feed$.subscribe((message) => said.push(message));
  clock.runUntil(START + 2_500);
  expect(said).toContainEqual(expect.objectContaining({ kind: 'market', cause: 'listed' }));
  expect(said).toContainEqual(expect.objectContaining({ kind: 'read', feed: 'orders' }));
  const replies: unknown[] = [];
  gateway.place([order(1)]).subscribe((reply) => replies.push(reply));
  gateway.cancel([7]).subscribe((reply) => replies.push(reply));
  expect(replies).toMatchObject([
    { kind: 'placed', items: [{ kind: 'accepted', report: { client: 1, order: 7, status: 'Unmatched' } }] },
    { kind: 'cancelled', reports: [{ client: 1, order: 7, status: 'Cancelled' }] },
  ]);
});
