/** A tape's identity: a hash of what is recorded in it, independent of names and places of files. */

import { createHash } from 'node:crypto';
import type { MarketDescription, MarketRow } from './tape-schema.ts';

/** The hash of one market's definitions and segments, which may come interleaved. */
export class MarketHash {
  readonly #definitions = createHash('sha256');
  readonly #segments = createHash('sha256');

  definition(text: string): void {
    this.#definitions.update(`${text}\n`);
  }

  segment(bytes: Uint8Array): void {
    this.#segments.update(bytes);
  }

  digest(): string {
    return createHash('sha256').update(this.#definitions.digest()).update(this.#segments.digest()).digest('hex');
  }
}

/**
 * SHA-256 over the markets in their order: id, counts, times, the hash of definitions and segments, and the
 * description without its source. The same recordings imported from files of other names give the same identity.
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
