/** Finds the caller of an access token. Cached, since every request asks and a hash costs more than a look-up. */

import type { SandboxContext } from '../../context/sandbox-context.ts';
import type { SessionRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import type { Caller } from '../shared/operation.ts';
import { hashOfSecret } from './secret-hash.ts';

interface CachedToken {
  readonly session: SessionRecord;
  readonly caller: Caller;
}

/** Size of the cache. It holds valid tokens only, the oldest first. */
export const TOKENS_KNOWN_MAX = 1_000;
const knownByWorld = new WeakMap<World, Map<string, CachedToken>>();

/** The caller of a token; undefined where it is unknown, expired or ended, or its key was deactivated (401). */
export function callerOfToken(context: SandboxContext, token: string): Caller | undefined {
  const { world } = context;
  const tokens = tokensOf(world);
  const known = tokens.get(token) ?? remember(world, tokens, token);
  if (known === undefined) return undefined;
  const { session, caller } = known;
  const isOpen = world.registry.sessionByAccess.get(session.accessHash) === session;
  if (isOpen && session.key.active && context.now() < session.accessExpiresAt) return caller;
  tokens.delete(token);
  return undefined;
}

function tokensOf(world: World): Map<string, CachedToken> {
  let tokens = knownByWorld.get(world);
  if (tokens === undefined) {
    tokens = new Map();
    knownByWorld.set(world, tokens);
  }
  return tokens;
}

function remember(world: World, tokens: Map<string, CachedToken>, token: string): CachedToken | undefined {
  const session = world.registry.sessionByAccess.get(hashOfSecret(token));
  if (session === undefined) return undefined;
  const { key } = session;
  const known = { session, caller: { app: key.app, wallet: key.wallet, key } };
  if (tokens.size >= TOKENS_KNOWN_MAX) {
    for (const oldest of tokens.keys()) {
      tokens.delete(oldest);
      break;
    }
  }
  tokens.set(token, known);
  return known;
}
