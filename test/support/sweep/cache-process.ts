/** A process that holds pieces in a cache and lets go of them as it is told, and says what became of it: `node cache-process.ts '{"directory":…}'`. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TapePiece } from '../../../src/recording/pieces/manifest.ts';
import { type HeldPiece, PieceCache } from '../../../src/sweep/pieces/piece-cache.ts';

export interface CacheTask {
  readonly directory: string;
  /** Where the pieces are served. */
  readonly address: string;
  readonly pieces: readonly TapePiece[];
  /** In order; pieces by their index. */
  readonly steps: readonly { readonly kind: 'hold' | 'release'; readonly piece: number }[];
}

export interface CacheStep {
  /** The code and the texts of an error; undefined: none. */
  readonly error: { readonly code: string; readonly why?: string; readonly next?: string } | undefined;
  /** SHA-256 of the pieces that are in the cache then, and how many half ones. */
  readonly kept: readonly string[];
  readonly halves: number;
}

export function cacheProcess(task: CacheTask): readonly string[] {
  return [process.execPath, '--conditions=oddsmith-source', fileURLToPath(import.meta.url), JSON.stringify(task)];
}

async function main({ directory, address, pieces, steps }: CacheTask): Promise<readonly CacheStep[]> {
  const cache = new PieceCache({ directory, bytesMax: 1e9, owner: 'one', isAlive: () => true });
  const held = new Map<number, HeldPiece>();
  const did: CacheStep[] = [];
  for (const { kind, piece: index } of steps) {
    const piece = pieces[index];
    let error: CacheStep['error'];
    if (kind === 'release') held.get(index)?.release();
    else if (piece !== undefined) {
      try {
        held.set(index, await cache.hold(piece, address));
      } catch (thrown) {
        if (!(thrown instanceof Error && 'parts' in thrown)) throw thrown;
        error = thrown.parts as NonNullable<CacheStep['error']>;
      }
    }
    const kept = readdirSync(join(directory, 'pieces')).map((name) => name.replace('.tape', ''));
    did.push({ error, kept, halves: readdirSync(join(directory, 'fetching', 'one')).length });
  }
  return did;
}

const [, script, text] = process.argv;
if (script === fileURLToPath(import.meta.url) && text !== undefined) {
  process.stdout.write(JSON.stringify(await main(JSON.parse(text))));
}
