/** Sessions: opened with a key, continued with a refresh token that works once. */

import { instantToWire } from '../../../betdex/wire/codec/instants.ts';
import { instant } from '../../../core/number/units.ts';
import type { SandboxContext } from '../../context/sandbox-context.ts';
import type { KeyRecord } from '../../world/records.ts';
import { type Operate, type Problem, problem, type Reply } from '../shared/operation.ts';
import { plainMeta } from '../shared/paging.ts';
import { forbidden } from '../shared/scope.ts';
import { hashOfSecret } from './secret-hash.ts';

/** An app's key takes no walletId; a wallet's key needs the id of its own wallet (profile section 1). */
export const createSession: Operate<'createSession'> = ({ context, body }) => {
  const { holders } = context.world;
  const key = holders.keyBySecret(hashOfSecret(body.apiKey));
  if (key === undefined || !key.active || holders.app(key.app).id !== body.appId) return refused();
  if (key.wallet === undefined)
    return body.walletId === undefined ? open(context, key) : forbidden('a key of an app takes no walletId');
  return holders.wallet(key.wallet).id === body.walletId ? open(context, key) : refused();
};

export const refreshSession: Operate<'refreshSession'> = ({ context, body }) => {
  const replaces = hashOfSecret(body.refreshToken);
  const session = context.world.holders.sessionByRefresh.get(replaces);
  const isGood =
    session?.refreshed === false && session.key.active && context.now() < session.refreshExpiresAt
      ? session
      : undefined;
  return isGood === undefined
    ? problem(401, 'Unauthorized', 'the refresh token is unknown, used or expired')
    : open(context, isGood.key, replaces);
};

/** Whoever guesses is not told which part of it was wrong. */
function refused(): Problem {
  return problem(401, 'Unauthorized', 'no key fits this appId, apiKey and walletId');
}

function open(context: SandboxContext, key: KeyRecord, replaces?: string): Reply<'createSession'> {
  const at = context.now();
  const { accessTokenMs, refreshTokenMs } = context.settings;
  const accessToken = context.secret();
  const refreshToken = context.secret();
  const accessExpiresAt = instant(at + accessTokenMs);
  const refreshExpiresAt = instant(at + refreshTokenMs);
  const changed = context.apply({
    ...{ at, kind: 'openSession', key: key.name, accessExpiresAt, refreshExpiresAt },
    accessHash: hashOfSecret(accessToken),
    refreshHash: hashOfSecret(refreshToken),
    ...(replaces === undefined ? {} : { replaces }),
  });
  if (changed.kind === 'refused') return problem(401, 'Unauthorized', changed.refusal.what);
  const session = {
    ...{ accessToken, refreshToken },
    accessExpiresAt: instantToWire(accessExpiresAt),
    refreshExpiresAt: instantToWire(refreshExpiresAt),
  };
  return { kind: 'answer', answer: { _meta: plainMeta('sessions', 1), sessions: [session] } };
}
