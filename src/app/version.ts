/** The version of the running package. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The package's own directory: two above this file, in src/ and in dist/ alike. */
export function packageDirectory(): string {
  return fileURLToPath(new URL('../../', import.meta.url));
}

export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return String(Object(manifest)['version']);
}
