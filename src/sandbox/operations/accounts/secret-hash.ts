/** Hashes secrets. The world and its log hold keys and tokens only as hashes, so the log opens no session. */

import { hash } from 'node:crypto';

/** SHA-256 in base64url. Secrets are 32 random bytes, so no salt is needed. */
export function hashOfSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
