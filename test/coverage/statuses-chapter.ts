/** Every status that an operation declares, by a request that earns it; the rest by a fault asked for. */

import { describe, expect, test } from 'vitest';
import type { CallInput } from '../../src/betdex/client/call.ts';
import type { Endpoint } from '../../src/betdex/wire/endpoint.ts';
import { ENDPOINTS, type Operation } from '../../src/betdex/wire/endpoints.ts';
import { responsesOf, type Status } from '../../src/betdex/wire/responses.ts';
import type { WireRequest } from '../../src/exchange-live/connection/transport.ts';
import type { Floor } from '../support/coverage/floor.ts';
import type { Spoil } from '../support/coverage/seam.ts';
import { type NotingClient, Stage } from '../support/coverage/stage.ts';
import type { Json } from '../support/vendor/vendor-client.ts';

const OPERATIONS = Object.keys(ENDPOINTS) as Operation[];

/** Faults of a client that every server meets, and what the client's request then looks like. */
const SPOILT: readonly (readonly [Status, string, Spoil])[] = [
  [400, 'a query that is no query', ({ path, ...same }) => ({ ...same, path: `${path}${joint(path)}pad=%` })],
  [401, 'a token of nobody', (request) => withHeader(request, 'authorization', 'Bearer nobody')],
  [413, 'a body of more than 1 MiB', (request) => ({ ...request, body: JSON.stringify({ pad: 'x'.repeat(2 ** 20) }) })],
  [
    414,
    'an address of more than 7,000 characters',
    ({ path, ...same }) => ({ ...same, path: `${path}?${'x'.repeat(7_000)}` }),
  ],
  [415, 'a body that is not JSON', (request) => withHeader(request, 'content-type', 'text/plain')],
  [431, 'headers of more than 16 KiB', (request) => withHeader(request, 'x-pad', 'x'.repeat(20_000))],
];

export function statusesChapter(floorOf: () => Floor): void {
  describe('statuses', () => {
    test.each(SPOILT)('%i: %s', async (status, _, spoil) => {
      const { client } = floorOf().alpha;
      await client.ask('getPriceLadder', {});
      client.seam.spoil = spoil;
      for (const operation of declaring(status)) {
        const isOpen = isSession(operation);
        // A token is not what a session's call is refused for.
        if (status === 401 && isOpen) continue;
        client.seam.spoilsSessions = isOpen;
        expect(await statusOf(client, operation, minimal(operation)), operation).toBe(status);
      }
      client.seam.spoil = undefined;
    });

    test('401: a key of nobody, a refresh token of nobody', async () => {
      const { client, appId } = floorOf().alpha;
      const unknown: Json = { body: { appId, apiKey: 'nobody', refreshToken: 'nobody' } };
      for (const operation of ['createSession', 'refreshSession'] as const)
        expect(await statusOf(client, operation, unknown)).toBe(401);
    });

    test("403: a wallet's key where the app's is needed, a walletId with an app's key", async () => {
      const floor = floorOf();
      const wallet = await walletClient(floor);
      for (const [operation, input] of Object.entries(forbidden(floor)))
        expect(await statusOf(wallet, operation as Operation, input), operation).toBe(403);
      const { appId, apiKey, walletId, client } = floor.alpha;
      expect(await statusOf(client, 'createSession', { body: { appId, apiKey, walletId } })).toBe(403);
    });

    test('403: an order or trade of another wallet than the key is of', async () => {
      const floor = floorOf();
      const { alpha, beta } = floor;
      const market = await floor.market();
      const { id, reference = '' } = await floor.place(alpha, market);
      await floor.place(beta, market, { side: 'Against' });
      const { trades } = await alpha.client.ask('getOrder', { path: { id } });
      const wallet = await walletClient(floor, await secondWallet(floor));
      for (const operation of ['getOrder', 'listOrderTrades', 'cancelOrder'] as const)
        expect(await statusOf(wallet, operation, { path: { id } }), operation).toBe(403);
      expect(await statusOf(wallet, 'getOrderByReference', { path: { reference } })).toBe(403);
      expect(await statusOf(wallet, 'getTrade', { path: { id: trades[0]?.id } })).toBe(403);
    });

    test('403: new orders while the heartbeat has lapsed', async () => {
      const floor = floorOf();
      const { alpha, stage } = floor;
      const market = await floor.market();
      const order = floor.order(alpha, market);
      await stage.control.call('POST', `/apps/${alpha.appId}/heartbeat`, { timeoutMs: 1 });
      await new Promise((resolve) => setTimeout(resolve, 20));
      for (const operation of ['createOrder', 'requestOrder'] as const)
        expect(await statusOf(alpha.client, operation, { body: order })).toBe(403);
      for (const operation of ['createOrders', 'requestOrders'] as const)
        expect(await statusOf(alpha.client, operation, { body: { requests: [order] } })).toBe(403);
      await alpha.client.ask('deleteHeartbeat', {});
    });

    test('404: what is unknown or of another owner', async () => {
      const floor = floorOf();
      for (const operation of declaring(404))
        expect(await statusOf(floor.alpha.client, operation, absent(floor, operation)), operation).toBe(404);
    });

    test('429: over the configured rate', async () => {
      const { notes } = floorOf().stage;
      const stage = await Stage.open(notes, { rate: { perSecond: 0.001, burst: 1 } });
      const { appId, apiKey } = stage.sandbox;
      const client = stage.client({ appId, apiKey });
      await client.ask('getPriceLadder', {});
      for (const operation of declaring(429))
        expect(await statusOf(client, operation, minimal(operation)), operation).toBe(429);
      await stage.close();
    });

    test('503: injected, for every operation', async () => {
      const floor = floorOf();
      await injected(floor, 503, declaring(503));
    });

    test('403: injected, where no request earns it', async () => {
      const floor = floorOf();
      const { notes } = floor.stage;
      const left = declaring(403).filter((each) => notes.sighting('client', `${each} 403`) === undefined);
      await injected(floor, 403, left);
    });
  });
}

function declaring(status: Status): readonly Operation[] {
  return OPERATIONS.filter((operation) => responsesOf(ENDPOINTS[operation]).has(status));
}

function isSession(operation: Operation): boolean {
  const endpoint: Endpoint = ENDPOINTS[operation];
  return endpoint.open === true;
}

async function injected({ alpha, stage }: Floor, status: number, operations: readonly Operation[]): Promise<void> {
  await stage.control.call('POST', '/faults', { kind: 'status', status, operations });
  for (const operation of operations)
    expect(await statusOf(alpha.client, operation, minimal(operation)), operation).toBe(status);
  await stage.control.call('DELETE', '/faults');
}

/** Inputs are made by operation here, so that no type can follow. */
async function statusOf(client: NotingClient, operation: Operation, input: Json): Promise<number | undefined> {
  const outcome = await client.try(operation, input as CallInput<Operation>);
  if (outcome.kind === 'failed') throw new Error(`${operation}: ${JSON.stringify(outcome)}`);
  return outcome.kind === 'refused' ? outcome.status : 200;
}

/** Enough to be sent; nothing that is looked for. */
function minimal(operation: Operation): Json {
  const endpoint: Endpoint = ENDPOINTS[operation];
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, '999999999']);
  return { ...(names.length > 0 ? { path: Object.fromEntries(names) } : {}), body: {} };
}

function absent({ alpha, beta }: Floor, operation: Operation): Json {
  const { appId } = beta;
  const currencyId = 'USDC';
  const special: Partial<Record<Operation, Json>> = {
    createAppApiKey: { body: { appId } },
    deactivateAppApiKey: { body: { appId: alpha.appId, apiKey: 'nobody' } },
    listPrices: { query: { marketIds: ['999999999'] } },
    askFaucet: { query: { walletId: beta.walletId, currencyId } },
    getDepositAddress: { path: { id: beta.walletId }, query: { currencyId } },
    createDeposit: { path: { id: beta.walletId, currencyId } },
  };
  return special[operation] ?? minimal(operation);
}

async function secondWallet({ alpha, stage }: Floor): Promise<string> {
  return (await stage.control.call('POST', `/apps/${alpha.appId}/wallets`, {})).id;
}

/** With a key of the trader's own wallet, or of another of his. */
async function walletClient({ alpha, stage }: Floor, walletId = alpha.walletId): Promise<NotingClient> {
  const { appId } = alpha;
  const { secret: apiKey } = await stage.control.call('POST', `/apps/${appId}/keys`, { walletId });
  return stage.client({ appId, apiKey, walletId });
}

/** What a wallet's key may not do. */
function forbidden({ alpha }: Floor): Partial<Record<Operation, Json>> {
  const { appId } = alpha;
  const id = `${appId}-Commission-1`;
  const currencyId = 'USDC';
  const path = { id };
  return {
    ...{ createAppApiKey: { body: { appId } }, deactivateAppApiKey: { body: { appId, apiKey: 'any' } } },
    ...{ getCommissionRates: { path: { id: appId } }, getHeartbeat: {}, deleteHeartbeat: {} },
    ...{ armHeartbeat: { body: { timeoutMs: 60_000 } }, createWallet: { body: {} }, createWalletApiKey: { path } },
    ...{
      getWallet: { path },
      listWalletTransactions: { path },
      listAllPositions: { path },
      listWalletPositions: { path },
    },
    ...{ getWalletMetrics: { path }, getDepositAddress: { path, query: { currencyId } } },
    ...{ createDeposit: { path: { ...path, currencyId } }, askFaucet: { query: { walletId: id, currencyId } } },
  };
}

function joint(path: string): string {
  return path.includes('?') ? '&' : '?';
}

function withHeader(request: WireRequest, name: string, value: string): WireRequest {
  const headers = [...request.headers];
  const at = headers.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name);
  if (at < 0) headers.push(name, value);
  else headers[at + 1] = value;
  return { ...request, headers };
}
