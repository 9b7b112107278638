/** Bounds on what one app can make the sandbox store: lengths of texts, numbers of wallets, keys and sessions. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { KEYS_MAX } from '../../../src/sandbox/operations/accounts/keys.ts';
import { WALLETS_MAX } from '../../../src/sandbox/operations/accounts/wallets.ts';
import { SESSIONS_MAX } from '../../../src/sandbox/world/app-registry.ts';
import type { RegistryChange } from '../../../src/sandbox/world/change.ts';
import { type ApiUser, AuditStage, HOUR } from './audit-stage.ts';

let stage: AuditStage;
let ann: ApiUser;
beforeAll(async () => {
  stage = await AuditStage.open({ settings: { accessTokenMs: 100 * HOUR } });
  ann = await stage.user();
});
afterAll(() => stage.close());

test('the longest reference, each of its 255 characters two UTF-16 units and twelve characters in a URL, finds its order', async () => {
  const { id: marketId, outcomeIds } = await stage.control.createMarket();
  const reference = '🐎'.repeat(255);
  const order = await ann.place({ marketId, outcomeId: outcomeIds[0], reference });
  const found = await ann.ok('GET /orders/by-reference/{reference}', { path: { reference } });
  expect(found.orders).toEqual([order]);
});

test('a wallet’s texts are bounded, and so is the number of an app’s wallets', async () => {
  const whole = { reference: 'r'.repeat(255), description: 'd'.repeat(1_000) };
  expect((await ann.ok('POST /wallets', { body: whole })).wallets[0]).toMatchObject(whole);
  expect(await ann.refused('POST /wallets', { body: { reference: 'r'.repeat(256) } })).toBe(400);
  expect(await ann.refused('POST /wallets', { body: { description: 'd'.repeat(1_001) } })).toBe(400);
  for (let made = 2; made < WALLETS_MAX; made += 1) apply({ kind: 'createWallet', app: appOf(ann) });
  expect(await ann.refused('POST /wallets', { body: {} })).toBe(403);
  const bob = await stage.user();
  await bob.ok('POST /wallets', { body: {} });
});

const appOf = ({ appId }: ApiUser): number => stage.stand.sandbox.context.world.registry.appById(appId)?.app ?? -1;

function apply(change: RegistryChange): void {
  const { context } = stage.stand.sandbox;
  expect(context.apply({ ...change, at: context.now() }).kind).toBe('done');
}

test('an app makes so many keys and no more, those of its wallets and those deactivated included', async () => {
  const user = await stage.user();
  const app = appOf(user);
  // The control surface created one key before.
  await user.ok('POST /wallets/{id}/api-keys', { path: { id: user.walletId } });
  for (let made = 3; made < KEYS_MAX; made += 1)
    apply({ kind: 'createKey', app, name: `${app} ${made}`, secretHash: `${app} ${made}` });
  const { apiKeys } = await user.ok('POST /api-keys', { body: { appId: user.appId } });
  await user.ok('POST /api-keys/deactivate', { body: { appId: user.appId, apiKey: apiKeys[0].secret } });
  expect(await user.refused('POST /api-keys', { body: { appId: user.appId } })).toBe(403);
  expect(await user.refused('POST /wallets/{id}/api-keys', { path: { id: user.walletId } })).toBe(403);
  await ann.ok('POST /api-keys', { body: { appId: ann.appId } });
});

test('beyond 10,000 sessions of an app its oldest ends, other apps’ do not', async () => {
  const user = await stage.user();
  const { registry } = stage.stand.sandbox.context.world;
  apply({ kind: 'createKey', app: appOf(user), name: 'many', secretHash: 'many' });
  const expires = { accessExpiresAt: 4e12, refreshExpiresAt: 4e12 } as unknown as {
    accessExpiresAt: never;
    refreshExpiresAt: never;
  };
  const open = (token: string) =>
    apply({ kind: 'openSession', key: 'many', accessHash: `a ${token}`, refreshHash: `r ${token}`, ...expires });
  for (let made = 1; made < SESSIONS_MAX; made += 1) open(String(made));
  await user.ok('GET /wallets');
  open('one more');
  expect(await user.refused('GET /wallets')).toBe(401);
  expect([registry.sessionByAccess.has('a 1'), registry.sessionByRefresh.has('r 1')]).toEqual([true, true]);
  await ann.ok('GET /wallets');
});

test('a session that was continued is forgotten once its access token has expired', async () => {
  const short = await AuditStage.open({ settings: { accessTokenMs: 1_000 } });
  const { registry } = short.stand.sandbox.context.world;
  const { appId, apiKey } = short.stand.sandbox;
  const login = await short.stand.call('POST', '/sessions', { body: { appId, apiKey } });
  let { refreshToken } = login.json.sessions[0];
  for (let turn = 0; turn < 200; turn += 1) {
    const { json } = await short.stand.call('POST', '/sessions/refresh', { body: { refreshToken } });
    refreshToken = json.sessions[0].refreshToken;
    short.pass(2_000);
  }
  expect(registry.sessionByAccess.size).toBeLessThan(100);
  expect(registry.sessionByRefresh.size).toBeLessThan(100);
  await short.close();
});
