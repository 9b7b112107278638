/** A tape's identity: a hash of what is recorded in it, independent of names and places of files. */

import { createHash, type Hash } from 'node:crypto';
import type { MarketDescription, MarketRow } from './tape-schema.ts';

/** The hash of one market's definitions and segments, which may come interleaved. */
export class MarketHash {
  readonly #definitions: Hash;
  readonly #segments: Hash;

  constructor(definitions: Hash = createHash('sha256'), segments: Hash = createHash('sha256')) {
    this.#definitions = definitions;
    this.#segments = segments;
  }

  definition(text: string): void {
    this.#definitions.update(`${text}\n`);
  }

  segment(bytes: Uint8Array): void {
    this.#segments.update(bytes);
  }

  /** A copy of the hash so far; both can be continued independently. */
  copy(): MarketHash {
    return new MarketHash(this.#definitions.copy(), this.#segments.copy());
  }

  digest(): string {
    return createHash('sha256').update(this.#definitions.digest()).update(this.#segments.digest()).digest('hex');
  }
}

/**
 * SHA-256 over the markets in their order: id, counts, times, the hash of definitions and segments, and the description
 * without its source. The same recordings imported from files of other names give the same identity.
 */
export function contentSha256(rows: readonly MarketRow[]): string {
  const hash = createHash('sha256');
  for (const row of rows) {
    const { source: _source, ...description } = JSON.parse(row.description) as MarketDescription;
    hash.update(
      `${row.id} ${row.first_at} ${row.last_at} ${row.updates} ${row.events} ${row.segments} ${row.sha256}\n`,
    );
    hash.update(`${JSON.stringify(description)}\n`);
  }
  return hash.digest('hex');
}
