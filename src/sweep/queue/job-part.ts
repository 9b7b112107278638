/** What a worker has of a job so far, kept in Redis: it outlives the worker, and says of what unit a worker died. */

import { Type } from '@sinclair/typebox';
import type { Redis } from 'ioredis';
import type { ErrorParts } from '../../core/checks/oddsmith-error.ts';
import type { UnitResult } from '../engine/engine.ts';
import { packResult, unpackResult } from './job-message.ts';
import { KEPT_MS } from './queue-keys.ts';
import { count, readerOf, string } from './read-message.ts';

interface Holder {
  readonly host: string;
  readonly pid: number;
}

/** Whoever takes a job writes that it did, then each result, and, where it gives the job back, that it did. */
type Entry =
  | { readonly kind: 'taken'; readonly by: Holder }
  | { readonly kind: 'result'; readonly text: string }
  | { readonly kind: 'returned' };

const readEntry = readerOf<Entry>(
  Type.Union([
    Type.Object({ kind: Type.Literal('taken'), by: Type.Object({ host: string, pid: count }) }),
    Type.Object({ kind: Type.Literal('result'), text: string }),
    Type.Object({ kind: Type.Literal('returned') }),
  ]),
);

/** What was found of a job that is taken. */
export interface FoundPart {
  readonly results: readonly UnitResult[];
  /** Who took the job before and never gave it back. */
  readonly lost: Holder | undefined;
}

export class JobPart {
  readonly #client: Redis;
  readonly #key: string;

  constructor(client: Redis, key: string) {
    this.#client = client;
    this.#key = key;
  }

  async take(by: Holder): Promise<FoundPart> {
    const results: UnitResult[] = [];
    let lost: Holder | undefined;
    for (const said of await this.#client.lrange(this.#key, 0, -1)) {
      const entry = readEntry(said);
      const result = entry?.kind === 'result' ? unpackResult(entry.text) : undefined;
      if (result !== undefined) results.push(result);
      if (entry?.kind === 'taken') lost = entry.by;
      if (entry?.kind === 'returned') lost = undefined;
    }
    if (lost !== undefined) return { results, lost };
    await this.#client
      .multi()
      .rpush(this.#key, written({ kind: 'taken', by }))
      .pexpire(this.#key, KEPT_MS)
      .exec();
    return { results, lost: undefined };
  }

  /** Writes a result; nothing is written for a job that was given up for dead meanwhile. */
  async add(result: UnitResult): Promise<void> {
    await this.#client.rpushx(this.#key, written({ kind: 'result', text: packResult(result) }));
  }

  async giveBack(): Promise<void> {
    await this.#client.rpushx(this.#key, written({ kind: 'returned' }));
  }
}

/** Why a job ended with its worker. */
export function workerDied({ host, pid }: Holder): ErrorParts {
  return {
    code: 'WORKER_DIED',
    what: 'The worker of a unit ended before the unit did.',
    where: `${host}, process ${pid}`,
    why: 'It gave no sign of life any more: it was killed, its machine went away, or it had no memory left.',
    next: 'Look at what that worker and its machine say; fewer jobs leave more memory to each.',
  };
}

function written(entry: Entry): string {
  return JSON.stringify(entry);
}
