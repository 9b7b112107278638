/**
 * Operations on API keys of an app and its wallets: creating and deactivating them. A secret is shown only at creation.
 */

import { instantToWire } from '../../../codec/instants.ts';
import { defined } from '../../../core/checks/assert.ts';
import type { SandboxContext } from '../../context/sandbox-context.ts';
import type { KeyRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { plainAnswer } from '../shared/answers.ts';
import type { Caller, Operate, Problem } from '../shared/operation.ts';
import { appKeyOnly, forbidden, isProblem, ownWallet, refusedBy, unknown } from '../shared/scope.ts';
import { hashOfSecret } from './secret-hash.ts';

/** The most keys of one app, including its wallets' keys and deactivated ones: keys are never removed. */
export const KEYS_MAX = 10_000;

export const createAppApiKey: Operate<'createAppApiKey'> = appKeyOnly(({ context, world, caller, body }) => {
  const refusal = refuseForeignApp(world, caller, body.appId);
  if (refusal !== undefined) return refusal;
  const made = createKey(context, { app: caller.app, owner: body.appId });
  if (isProblem(made)) return made;
  const apiKeys = [{ ...keyFields(world, made.key), secret: made.secret }];
  return plainAnswer('apiKeys', 1, { apiKeys });
});

/**
 * The key is named by its secret. Keys of the app's wallets can be deactivated too, since nothing else ends them. A
 * second call changes nothing and is answered in the same way.
 */
export const deactivateAppApiKey: Operate<'deactivateAppApiKey'> = appKeyOnly(({ context, world, caller, body }) => {
  const refusal = refuseForeignApp(world, caller, body.appId);
  if (refusal !== undefined) return refusal;
  const key = world.registry.keyBySecret(hashOfSecret(body.apiKey));
  if (key === undefined || key.app !== caller.app) return unknown('such API key');
  if (key.active) context.apply({ at: context.now(), kind: 'deactivateKey', name: key.name });
  const apiKeys = [{ ...keyFields(world, key), secret: body.apiKey }];
  return plainAnswer('apiKeys', 1, { apiKeys });
});

export const createWalletApiKey: Operate<'createWalletApiKey'> = appKeyOnly(({ context, world, caller, path }) => {
  const wallet = ownWallet(world, caller, path.id);
  if (isProblem(wallet)) return wallet;
  if (wallet.type !== 'User') return forbidden(`${wallet.id} is no User wallet: no key opens it`);
  const made = createKey(context, { app: caller.app, wallet: wallet.wallet, owner: wallet.id });
  if (isProblem(made)) return made;
  const apiKeys = [{ ...keyFields(world, made.key), secret: made.secret, walletId: wallet.id }];
  return plainAnswer('apiKeys', 1, { apiKeys });
});

function refuseForeignApp({ registry }: World, caller: Caller, appId: string): Problem | undefined {
  return registry.app(caller.app).id === appId ? undefined : unknown(`app ${appId}`);
}

/** Creates a key. `owner` is the API's id of the app or wallet, with which the key's name begins. */
function createKey(
  context: SandboxContext,
  { owner, ...of }: { readonly app: number; readonly wallet?: number; readonly owner: string },
): { readonly key: KeyRecord; readonly secret: string } | Problem {
  const { keys } = context.world.registry;
  if (context.world.registry.keysOf(of.app) >= KEYS_MAX) return forbidden(`an app makes at most ${KEYS_MAX} keys`);
  let number = 1;
  while (keys.has(`${owner}-key-${number}`)) number += 1;
  const name = `${owner}-key-${number}`;
  const secret = context.secret();
  const changed = context.apply({
    at: context.now(),
    kind: 'createKey',
    name,
    secretHash: hashOfSecret(secret),
    ...of,
  });
  if (changed.kind === 'refused') return refusedBy(changed.refusal);
  return { key: defined(keys.get(name), 'a key was made'), secret };
}

function keyFields({ registry }: World, { app, name, active, createdAt, modifiedAt }: KeyRecord) {
  return {
    appId: registry.app(app).id,
    name,
    active,
    createdAt: instantToWire(createdAt),
    modifiedAt: instantToWire(modifiedAt),
  };
}
