/** Finds the keys and tokens in the body of a request, because the exchange may repeat what was sent to it. */

import { isObject } from '../../codec/schema-node.ts';

/** Body fields that hold a key or a token (profile section 1; specification, API keys). */
const SECRET_KEYS = ['apiKey', 'refreshToken'] as const;

/** All keys and tokens in a request's body. */
export function secretsIn(body: unknown): readonly string[] {
  if (!isObject(body)) return [];
  return SECRET_KEYS.map((key) => body[key]).filter((value) => typeof value === 'string');
}
