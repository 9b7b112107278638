/** A hash of the contents of the files that a strategy is granted, with all that is in granted directories. */

import { createHash, type Hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { followed } from '../../recording/tape/path-kind.ts';

/** Names within a directory count, since a strategy reads by name; where the directory lies does not. What is missing counts as that. */
export function grantedSha256(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) add(hash, path, '');
  return hash.digest('hex');
}

function add(hash: Hash, path: string, name: string): void {
  const { kind } = followed(path);
  hash.update(`${kind} ${JSON.stringify(name)}\n`);
  if (kind === 'file') hash.update(`${statSync(path).size} `).update(readFileSync(path));
  if (kind !== 'directory') return;
  for (const entry of readdirSync(path).sort()) add(hash, join(path, entry), entry);
}
