/** API keys of an app and of its wallets: made, and deactivated for good. A key's secret is told once, when it is made. */

import { instantToWire } from '../../../betdex/wire/codec/instants.ts';
import { present } from '../../../core/checks/assert.ts';
import type { SandboxContext } from '../../context/sandbox-context.ts';
import type { KeyRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import type { Caller, Operate, Problem } from '../shared/operation.ts';
import { plainMeta } from '../shared/paging.ts';
import { forbidden, isProblem, ownWallet, refusedBy, refuseWalletKey, unknown } from '../shared/scope.ts';
import { hashOfSecret } from './secret-hash.ts';

/** Of one app over the API, its wallets' keys and those deactivated included: a key is remembered for ever. */
export const KEYS_MAX = 10_000;

export const createAppApiKey: Operate<'createAppApiKey'> = ({ context, caller, body }) => {
  const refusal = refuseWalletKey(caller) ?? refuseForeignApp(context.world, caller, body.appId);
  if (refusal !== undefined) return refusal;
  const made = createKey(context, { app: caller.app, owner: body.appId });
  if (isProblem(made)) return made;
  const apiKeys = [{ ...keyFields(context.world, made.key), secret: made.secret }];
  return { kind: 'answer', answer: { _meta: plainMeta('apiKeys', 1), apiKeys } };
};

/**
 * The key is named by its secret. One of a wallet of the app can be deactivated too: nothing else ends it. Doing so
 * again changes nothing, and is answered alike.
 */
export const deactivateAppApiKey: Operate<'deactivateAppApiKey'> = ({ context, caller, body }) => {
  const { world } = context;
  const refusal = refuseWalletKey(caller) ?? refuseForeignApp(world, caller, body.appId);
  if (refusal !== undefined) return refusal;
  const key = world.holders.keyBySecret(hashOfSecret(body.apiKey));
  if (key === undefined || key.app !== caller.app) return unknown('such API key');
  if (key.active) context.apply({ at: context.now(), kind: 'deactivateKey', name: key.name });
  const apiKeys = [{ ...keyFields(world, key), secret: body.apiKey }];
  return { kind: 'answer', answer: { _meta: plainMeta('apiKeys', 1), apiKeys } };
};

export const createWalletApiKey: Operate<'createWalletApiKey'> = ({ context, caller, path }) => {
  const refusal = refuseWalletKey(caller);
  if (refusal !== undefined) return refusal;
  const wallet = ownWallet(context.world, caller, path.id);
  if (isProblem(wallet)) return wallet;
  if (wallet.type !== 'User') return forbidden(`${wallet.id} is no User wallet: no key opens it`);
  const made = createKey(context, { app: caller.app, wallet: wallet.wallet, owner: wallet.id });
  if (isProblem(made)) return made;
  const apiKeys = [{ ...keyFields(context.world, made.key), secret: made.secret, walletId: wallet.id }];
  return { kind: 'answer', answer: { _meta: plainMeta('apiKeys', 1), apiKeys } };
};

function refuseForeignApp({ holders }: World, caller: Caller, appId: string): Problem | undefined {
  return holders.app(caller.app).id === appId ? undefined : unknown(`app ${appId}`);
}

/** `owner` is the API's id of the app or wallet, which the key's name begins with. */
function createKey(
  context: SandboxContext,
  { owner, ...of }: { readonly app: number; readonly wallet?: number; readonly owner: string },
): { readonly key: KeyRecord; readonly secret: string } | Problem {
  const { keys } = context.world.holders;
  if (context.world.holders.keysOf(of.app) >= KEYS_MAX) return forbidden(`an app makes at most ${KEYS_MAX} keys`);
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
  return { key: present(keys.get(name), 'a key was made'), secret };
}

function keyFields({ holders }: World, { app, name, active, createdAt, modifiedAt }: KeyRecord) {
  return {
    ...{ appId: holders.app(app).id, name, active },
    createdAt: instantToWire(createdAt),
    modifiedAt: instantToWire(modifiedAt),
  };
}
