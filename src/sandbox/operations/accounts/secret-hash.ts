/** Secrets as the world knows them: keys and tokens by their hash alone, so that no log of changes opens anything. */

import { hash } from 'node:crypto';

/** SHA-256 in base64url. Secrets are 32 random bytes, so that no salt is needed. */
export function hashOfSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
