/** Operations on sessions: opening one with a key, and continuing it with a refresh token that works once. */

import { instantToWire } from '../../../codec/instants.ts';
import { instant } from '../../../core/number/units.ts';
import type { SandboxContext } from '../../context/sandbox-context.ts';
import type { KeyRecord } from '../../world/records.ts';
import { plainAnswer } from '../shared/answers.ts';
import { type Operate, type Problem, problem, type Reply } from '../shared/operation.ts';
import { forbidden } from '../shared/scope.ts';
import { hashOfSecret } from './secret-hash.ts';

/**
 * Opens a session. An app's key must come without walletId, a wallet's key with the id of its wallet (profile section
 * 1).
 */
export const createSession: Operate<'createSession'> = ({ context, world: { registry }, body }) => {
  const key = registry.keyBySecret(hashOfSecret(body.apiKey));
  if (key === undefined || !key.active || registry.app(key.app).id !== body.appId) return refused();
  if (key.wallet === undefined)
    return body.walletId === undefined ? openSession(context, key) : forbidden('a key of an app takes no walletId');
  return registry.wallet(key.wallet).id === body.walletId ? openSession(context, key) : refused();
};

export const refreshSession: Operate<'refreshSession'> = ({ context, world, body }) => {
  const replaces = hashOfSecret(body.refreshToken);
  const session = world.registry.sessionByRefresh.get(replaces);
  const isGood =
    session?.refreshed === false && session.key.active && context.now() < session.refreshExpiresAt
      ? session
      : undefined;
  return isGood === undefined
    ? problem(401, 'Unauthorized', 'the refresh token is unknown, used or expired')
    : openSession(context, isGood.key, replaces);
};

/** One answer for all mismatches, so that guessing does not reveal which part was wrong. */
function refused(): Problem {
  return problem(401, 'Unauthorized', 'no key fits this appId, apiKey and walletId');
}

function openSession(context: SandboxContext, key: KeyRecord, replaces?: string): Reply<'createSession'> {
  const at = context.now();
  const { accessTokenMs, refreshTokenMs } = context.settings;
  const accessToken = context.secret();
  const refreshToken = context.secret();
  const accessExpiresAt = instant(at + accessTokenMs);
  const refreshExpiresAt = instant(at + refreshTokenMs);
  const changed = context.apply({
    at,
    kind: 'openSession',
    key: key.name,
    accessExpiresAt,
    refreshExpiresAt,
    accessHash: hashOfSecret(accessToken),
    refreshHash: hashOfSecret(refreshToken),
    ...(replaces === undefined ? {} : { replaces }),
  });
  if (changed.kind === 'refused') return problem(401, 'Unauthorized', changed.refusal.what);
  const session = {
    accessToken,
    refreshToken,
    accessExpiresAt: instantToWire(accessExpiresAt),
    refreshExpiresAt: instantToWire(refreshExpiresAt),
  };
  return plainAnswer('sessions', 1, { sessions: [session] });
}
