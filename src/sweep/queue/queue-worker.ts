/** A worker of many sweeps: it finds those that are under way, serves each that it may, and ends when it is told to or nothing is left. */

import { setTimeout as pause } from 'node:timers/promises'; // edge: sweeps of other machines show only when they are looked for
import type { Redis } from 'ioredis';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { steadyClock } from '../../time/steady-clock.ts';
import type { LocalPlayer } from './local-player.ts';
import { keysOf, refusalOf, SWEEPS, type SweepRecord, type WorkerRecord } from './queue-keys.ts';
import { readSweep } from './read-message.ts';
import { type RedisAccess, redisGone } from './redis-access.ts';
import { SweepService } from './sweep-service.ts';

export interface QueueWorkerTerms {
  readonly access: RedisAccess;
  readonly worker: Omit<WorkerRecord, 'refused'>;
  readonly player: LocalPlayer;
  /** End when the sweeps that are under way are over; without any, after a minute. */
  readonly once: boolean;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** How long Redis may be away before the worker ends with an error. */
  readonly patienceMs?: number | undefined;
}

export interface Served {
  /** Units that were played here. */
  readonly units: number;
  readonly sweeps: number;
}

const LOOK_MS = 500;
/** How long a worker that is to end with its sweeps waits for the first one, and for a coordinator that may come back. */
const NOTHING_MS_MAX = 60_000;
const ABANDONED_MS_MAX = 15_000;
const PATIENCE_MS = 300_000;

/** @throws OddsmithError where this machine cannot play what it took, BUILD_REFUSED where `once` and no sweep takes it */
export async function serveSweeps(terms: QueueWorkerTerms): Promise<Served> {
  const client = terms.access.connect();
  // What is done about a lost connection is decided by `#checkAway`.
  client.on('error', () => undefined);
  const work = new QueueWork(terms, client);
  try {
    return await work.run();
  } finally {
    await work.close();
    client.disconnect();
  }
}

class QueueWork {
  readonly #terms: QueueWorkerTerms;
  readonly #client: Redis;
  readonly #clock = steadyClock();
  readonly #services = new Map<string, SweepService>();
  /** What each of them was greeted as: a sweep that goes on with another build is another one. */
  readonly #greeted = new Map<string, string>();
  readonly #fault = new AbortController();
  #units = 0;
  #sweeps = 0;
  #refusal: string | undefined;
  #looking: Promise<boolean> | undefined;
  #busyAt: number;
  #awaySince: number | undefined;
  #isAwayTold = false;

  constructor(terms: QueueWorkerTerms, client: Redis) {
    this.#terms = terms;
    this.#client = client;
    this.#busyAt = this.#clock.now();
  }

  async run(): Promise<Served> {
    const ending = AbortSignal.any([this.#terms.signal, this.#fault.signal]);
    while (!ending.aborted) {
      if (this.#isThere() && (await this.#lookOrLose())) break;
      await pause(LOOK_MS, undefined, { signal: ending }).catch(() => undefined);
    }
    if (this.#fault.signal.aborted) throw this.#fault.signal.reason;
    if (this.#terms.once && this.#sweeps === 0 && this.#refusal !== undefined) throw refused(this.#refusal);
    return { units: this.#units, sweeps: this.#sweeps };
  }

  /** One look at a time. A look that waits for a Redis that has gone is not waited for: it goes on when Redis is back. */
  async #lookOrLose(): Promise<boolean> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
    });
    const lost = Promise.withResolvers<boolean>();
    const onClose = (): void => lost.resolve(false);
    this.#client.once('close', onClose);
    try {
      return await Promise.race([this.#looking, lost.promise]);
    } finally {
      this.#client.off('close', onClose);
    }
  }

  /** Whether the worker has nothing more to wait for. */
  async #lookOnce(): Promise<boolean> {
    await this.#look();
    return this.#terms.once === true && (await this.#isOver());
  }

  async close(): Promise<void> {
    for (const service of this.#services.values()) service.stopTaking();
    await this.#terms.player.close();
    const closing = [...this.#services.values()].map((service) => service.close());
    await Promise.race([Promise.allSettled(closing), pause(CLOSE_MS_MAX, undefined, { ref: false })]);
  }

  /** False while Redis is away. @throws OddsmithError REDIS_UNREACHABLE */
  #isThere(): boolean {
    const { access, say, patienceMs = PATIENCE_MS } = this.#terms;
    const now = this.#clock.now();
    if (this.#client.status === 'ready') {
      if (this.#isAwayTold) say(`Redis at ${access.name} answers again`);
      this.#isAwayTold = false;
      this.#awaySince = undefined;
      return true;
    }
    if (this.#awaySince === undefined) this.#awaySince = now;
    const awayMs = now - this.#awaySince;
    if (awayMs >= LOOK_MS && !this.#isAwayTold) {
      this.#isAwayTold = true;
      say(`Redis at ${access.name} does not answer: waiting for it`);
    }
    if (awayMs > patienceMs) throw redisGone(access.name, `It has not answered for ${Math.round(awayMs / 1000)} s.`);
    return false;
  }

  /** Serves sweeps that have begun, and leaves those that are over. */
  async #look(): Promise<void> {
    const ids = await this.#client.smembers(SWEEPS);
    const texts = ids.length === 0 ? [] : await this.#client.mget(ids.map((id) => keysOf(id).record));
    const found = new Set<string>();
    for (const [index, id] of ids.entries()) {
      const text = texts[index];
      if (typeof text !== 'string') continue;
      found.add(id);
      if (this.#greeted.get(id) === text) continue;
      await this.#services.get(id)?.close();
      this.#greeted.set(id, text);
      this.#services.delete(id);
      const record = readSweep(text);
      if (record?.sweep === id) this.#services.set(id, this.#greet(record));
      else this.#terms.say(`sweep ${id}: none of its jobs is taken, what it says of itself cannot be read`);
    }
    const now = this.#clock.now();
    for (const [id, service] of this.#services) {
      if (found.has(id)) await service.heartbeat(now);
      else {
        this.#services.delete(id);
        this.#greeted.delete(id);
        await service.close();
        await service.forget();
        if (service.isServing) this.#terms.say(`sweep ${id} is over`);
      }
    }
  }

  #greet(record: SweepRecord): SweepService {
    const { worker, access, player, say } = this.#terms;
    const refusal = refusalOf(record, worker);
    if (refusal === undefined) {
      this.#sweeps += 1;
      say(`sweep ${record.label} (${record.sweep}): taking its jobs`);
    } else {
      this.#refusal = refusal;
      say(`sweep ${record.label} (${record.sweep}): none of its jobs is taken, ${refusal}`);
    }
    return new SweepService({
      access,
      client: this.#client,
      sweep: record.sweep,
      player,
      say,
      worker: { ...worker, refused: refusal },
      onFault: (error) => this.#fault.abort(error),
      onUnit: () => {
        this.#units += 1;
      },
    });
  }

  async #isOver(): Promise<boolean> {
    const services = [...this.#services.values()].filter(({ isServing }) => isServing);
    const abandoned = await Promise.all(services.map((service) => service.isAbandoned()));
    const now = this.#clock.now();
    if (abandoned.includes(false)) this.#busyAt = now;
    if (services.length > 0) return now - this.#busyAt > ABANDONED_MS_MAX;
    return this.#sweeps > 0 || this.#refusal !== undefined || now - this.#busyAt > NOTHING_MS_MAX;
  }
}

const CLOSE_MS_MAX = 8_000;

function refused(why: string): OddsmithError {
  return new OddsmithError({
    code: 'BUILD_REFUSED',
    what: 'No sweep takes this worker.',
    why: `${why.charAt(0).toUpperCase()}${why.slice(1)}: it might compute other rows.`,
    next: 'Install the same oddsmith and the same Node on both machines.',
  });
}
