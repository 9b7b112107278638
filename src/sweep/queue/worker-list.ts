/** The workers of a sweep as its coordinator sees them: how much they can play, and who was refused. */

import type { Redis } from 'ioredis';
import type { QueueKeys, WorkerRecord } from './queue-keys.ts';
import { readWorker } from './read-message.ts';

export class WorkerList {
  readonly #client: Redis;
  readonly #keys: QueueKeys;
  readonly #say: (line: string) => void;
  #workers: ReadonlyMap<string, WorkerRecord> = new Map();

  constructor(client: Redis, keys: QueueKeys, { say }: { readonly say: (line: string) => void }) {
    this.#client = client;
    this.#keys = keys;
    this.#say = say;
  }

  /** How many jobs they can play at once. */
  get slots(): number {
    let slots = 0;
    for (const { jobs, refused } of this.#workers.values()) if (refused === undefined) slots += jobs;
    return slots;
  }

  /** Says who came, who went and who is refused. */
  async look(): Promise<void> {
    const ids = await this.#client.smembers(this.#keys.workers);
    const texts = ids.length === 0 ? [] : await this.#client.mget(ids.map(this.#keys.worker));
    const found = new Map<string, WorkerRecord>();
    const gone: string[] = [];
    for (const [index, id] of ids.entries()) {
      const text = texts[index];
      const worker = typeof text === 'string' ? readWorker(text) : undefined;
      if (worker !== undefined) found.set(id, worker);
      else gone.push(id);
    }
    if (gone.length > 0) await this.#client.srem(this.#keys.workers, ...gone);
    const before = this.#workers;
    this.#workers = found;
    for (const [id, worker] of found) if (!before.has(id)) this.#say(arrival(worker, this.slots));
    for (const [id, worker] of before)
      if (!found.has(id)) this.#say(`worker ${nameOf(worker)} has gone; ${this.slots} jobs at once`);
  }
}

function arrival(worker: WorkerRecord, slots: number): string {
  const { refused, jobs } = worker;
  if (refused !== undefined) return `worker ${nameOf(worker)} is refused: ${refused}`;
  return `worker ${nameOf(worker)} has come with ${jobs} at once; ${slots} jobs at once`;
}

function nameOf({ host, pid }: WorkerRecord): string {
  return `${host}, process ${pid}`;
}
