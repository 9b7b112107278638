/** The keys and tokens in the body of a request: what a caller sends, the exchange may tell back. */

import { isObject } from '../wire/codec/schema-node.ts';

/** Keys of a body that hold one (profile section 1; specification, API keys). */
const SECRET_KEYS = ['apiKey', 'refreshToken'] as const;

export function secretsIn(body: unknown): readonly string[] {
  if (!isObject(body)) return [];
  return SECRET_KEYS.map((key) => body[key]).filter((value) => typeof value === 'string');
}
