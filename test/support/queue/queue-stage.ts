/** A sweep over processes behind one Redis: a server, coordinators and workers, and what they wrote down. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RunningCommand } from '../running-command.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { bundledScript } from './bundled-script.ts';
import { type FakeCoordinatorTerms, startFakeCoordinator } from './fake-coordinator.ts';
import { fakeKey, fakeRow } from './fake-job.ts';
import { type FakeWorkerTerms, startFakeWorker } from './fake-worker.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

export interface QueueStage {
  readonly redis: RedisServer;
  /** Each unit that a worker began, and each row that the coordinator kept. */
  readonly log: string;
  readonly store: string;
  coordinator(change?: Partial<FakeCoordinatorTerms>): RunningCommand;
  worker(change?: Partial<FakeWorkerTerms>): RunningCommand;
}

/** Starts stages and servers, and ends all that they started: processes first. */
export class QueueStages {
  readonly #units: number;
  readonly #scripts = new Map<string, string>();
  readonly #running: RunningCommand[] = [];
  readonly #servers: RedisServer[] = [];

  /** `units`: how many a sweep has, where a test does not say. */
  constructor(units: number) {
    this.#units = units;
  }

  async server(args: readonly string[] = [], password = ''): Promise<RedisServer> {
    const redis = await startRedis(args, password);
    this.#servers.push(redis);
    return redis;
  }

  async start(args: readonly string[] = []): Promise<QueueStage> {
    const redis = await this.server(args);
    const directory = temporaryDirectory('queue');
    const [log, store] = [join(directory, 'log'), join(directory, 'store')];
    const address = { redis: redis.address };
    const sweep = { ...address, sweep: 'one', store, units: this.#units, unitsOfJob: 5 };
    return {
      redis,
      log,
      store,
      coordinator: (change) =>
        this.#started(startFakeCoordinator(this.#script('fake-coordinator.ts'), { ...sweep, ...change })),
      worker: (change) =>
        this.#started(startFakeWorker(this.#script('fake-worker.ts'), { ...address, log, unitMs: 30, ...change })),
    };
  }

  async end(): Promise<void> {
    for (const each of this.#running.splice(0)) {
      each.kill();
      await each.ended;
    }
    for (const redis of this.#servers.splice(0)) await redis.end();
  }

  /** Made once for all tests of a file. */
  #script(name: string): string {
    const made = this.#scripts.get(name) ?? bundledScript(fileURLToPath(new URL(name, import.meta.url)));
    this.#scripts.set(name, made);
    return made;
  }

  #started(process: RunningCommand): RunningCommand {
    this.#running.push(process);
    return process;
  }
}

export function linesOf(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** The rows of these units, as one process would compute them. */
export function expectedRows(units: number, without: readonly string[] = []): readonly string[] {
  return Array.from({ length: units }, (_, number) => fakeKey(number))
    .filter((key) => !without.includes(key))
    .map((key) => `${key} ${Buffer.from(fakeRow(key)).toString('hex')}`)
    .sort();
}

export async function until(what: () => boolean, timeoutMs = 120_000): Promise<void> {
  for (let waited = 0; !what(); waited += 20) {
    if (waited > timeoutMs) throw new Error('it did not happen in time');
    await pause(20);
  }
}
