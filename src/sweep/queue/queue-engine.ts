/** The engine of many machines: jobs go into a queue on Redis, workers give back what became of them, and what is there is found again. */

import { setTimeout as pause } from 'node:timers/promises'; // edge: what other machines did shows only when it is looked for
import type { Job, JobType, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { steadyClock } from '../../time/steady-clock.ts';
import type { JobEnd, SweepEngine, SweepJob, UnitResult } from '../engine/engine.ts';
import { CoordinatorHeartbeat } from './coordinator-heartbeat.ts';
import { type JobOutcome, packBundle, packJob, unpackJob, unpackOutcome } from './job-message.ts';
import { keysOf, PREFIX, type QueueKeys, SWEEPS, type SweepRecord } from './queue-keys.ts';
import { isFull, type RedisAccess, redisFull, redisGone } from './redis-access.ts';
import { SentJob } from './sent-job.ts';
import { WorkerList } from './worker-list.ts';

export interface QueueEngineTerms {
  readonly access: RedisAccess;
  /** `sweep` names the queue: each sweep has its own, and finds it again. */
  readonly record: SweepRecord;
  /** This process among all that ever coordinate this sweep. */
  readonly coordinator: { readonly coordinator: string; readonly host: string; readonly pid: number };
  /** Whether a coordinator on this machine is still alive; undefined where it is on another one. */
  readonly isAlive: (coordinator: { readonly host: string; readonly pid: number }) => boolean | undefined;
  /** A line for people: workers that come, go and are refused, and a Redis that is away. */
  readonly say: (line: string) => void;
  /** How long Redis may be away, and full, before the sweep ends with an error. */
  readonly patienceMs?: number | undefined;
}

/** How often is looked for jobs that have ended, and for what else has changed. */
const LOOK_MS = 50;
const CHECK_MS = 2_000;
/** More are not given out, whatever is asked for. */
const QUEUED_MAX = 2_000;
const PATIENCE_MS = 300_000;
const FULL_MS_MAX = 20_000;
const CLOSE_MS_MAX = 5_000;
/** The states in which a job may be that an earlier coordinator gave out. */
const ALL_STATES: JobType[] = ['wait', 'active', 'completed', 'failed', 'delayed', 'prioritized'];
/** The one name of all jobs. */
const JOB = 'units';

export class QueueEngine implements SweepEngine {
  readonly #terms: QueueEngineTerms;
  readonly #client: Redis;
  readonly #queue: Queue;
  readonly #keys: QueueKeys;
  readonly #heartbeat: CoordinatorHeartbeat;
  readonly #workers: WorkerList;
  readonly #clock = steadyClock();
  readonly #sent = new Map<string, SentJob>();
  readonly #sentByKey = new Map<string, SentJob>();
  readonly #bundles = new Map<string, string>();
  /** The SHA-256 of a bundle's text, by that of its code. */
  readonly #bundleTexts = new Map<string, string>();
  readonly #closing = Promise.withResolvers<'closing'>();
  readonly #faulted = Promise.withResolvers<never>();
  readonly #timers: NodeJS.Timeout[] = [];
  #isClosing = false;
  #playing = 0;
  #fault: Error | undefined;
  #awaySince: number | undefined;
  #isAwayTold = false;
  #closed: Promise<void> | undefined;

  /** Finds what an earlier coordinator of the sweep left. @throws OddsmithError SWEEP_BUSY, REDIS_… */
  static async open(terms: QueueEngineTerms): Promise<QueueEngine> {
    const client = terms.access.connect();
    const queue = new terms.access.bullmq.Queue(terms.record.sweep, {
      connection: client,
      prefix: PREFIX,
      skipMetasUpdate: true,
    });
    const engine = new QueueEngine(terms, client, queue);
    try {
      await engine.#begin();
      return engine;
    } catch (error) {
      engine.#stop();
      throw isFull(error) ? redisFull(terms.access.name) : error;
    }
  }

  private constructor(terms: QueueEngineTerms, client: Redis, queue: Queue) {
    this.#terms = terms;
    this.#client = client;
    this.#queue = queue;
    this.#keys = keysOf(terms.record.sweep);
    this.#heartbeat = new CoordinatorHeartbeat({ client, keys: this.#keys, ...terms });
    this.#workers = new WorkerList(client, this.#keys, terms);
    this.#faulted.promise.catch(() => undefined);
    // Both report each loss of the connection; what is done about it is decided by `#checkAway`.
    client.on('error', () => undefined);
    queue.on('error', () => undefined);
    client.on('close', () => {
      this.#awaySince ??= this.#clock.now();
    });
    client.on('ready', () => this.#back());
  }

  get slots(): number {
    return Math.min(QUEUED_MAX / 2, Math.max(2, this.#workers.slots));
  }

  async play(job: SweepJob, onResult: (result: UnitResult) => Promise<void>): Promise<JobEnd> {
    if (this.#isClosing) return { kind: 'aborted' };
    this.#playing += 1;
    try {
      if (this.#fault !== undefined) throw this.#fault;
      const aborted = this.#closing.promise.then((): JobEnd => ({ kind: 'aborted' }));
      // What was asked of a Redis that goes away is never answered: nothing but these ends the waiting.
      return await Promise.race([this.#play(job, onResult), this.#faulted.promise, aborted]);
    } catch (error) {
      throw isFull(error) ? redisFull(this.#terms.access.name) : error;
    } finally {
      this.#playing -= 1;
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #begin(): Promise<void> {
    await this.#heartbeat.begin();
    await this.#tellOfSweep();
    await this.#findLeft();
    await this.#workers.look();
    this.#every(LOOK_MS, () => this.#harvest());
    this.#every(CHECK_MS, () => this.#check());
    // Apart, since a check that waits for a Redis that has gone is not begun again.
    this.#every(CHECK_MS, async () => this.#checkAway());
  }

  /** Units that are at play already are waited for; the others go into a job of their own. */
  async #play(job: SweepJob, onResult: (result: UnitResult) => Promise<void>): Promise<JobEnd> {
    const rest = job.units.filter(({ key }) => !this.#sentByKey.has(key));
    const jobs = new Set(job.units.flatMap(({ key }) => this.#sentByKey.get(key) ?? []));
    if (rest.length > 0) jobs.add(await this.#send({ ...job, units: rest }));
    const keys = new Set(job.units.map(({ key }) => key));
    const ends = await Promise.all([...jobs].map((sent) => this.#await(sent, keys, onResult)));
    return ends.find(({ kind }) => kind === 'aborted') ?? ends.find(({ kind }) => kind === 'died') ?? { kind: 'done' };
  }

  /** A job leaves Redis when all of its results are committed: until then they would be found again. */
  async #await(
    sent: SentJob,
    keys: ReadonlySet<string>,
    onResult: (result: UnitResult) => Promise<void>,
  ): Promise<JobEnd> {
    const outcome = await Promise.race([sent.ended, this.#closing.promise]);
    if (outcome === 'closing') return { kind: 'aborted' };
    const { end, results } = outcome;
    await Promise.all(results.filter(({ key }) => keys.has(key)).map(onResult));
    const mine = sent.keys.filter((key) => keys.has(key));
    for (const key of mine) if (this.#sentByKey.get(key) === sent) this.#sentByKey.delete(key);
    if (sent.take(mine)) await this.#forget(sent);
    return end.kind === 'died' && end.key !== undefined && !keys.has(end.key) ? { kind: 'done' } : end;
  }

  async #send(job: SweepJob): Promise<SentJob> {
    const bundles = [];
    for (const bundle of job.bundles) {
      const known = this.#bundleTexts.get(bundle.sha256);
      if (known !== undefined) {
        bundles.push(known);
        continue;
      }
      const { sha256, text } = packBundle(bundle);
      this.#bundles.set(sha256, text);
      this.#bundleTexts.set(bundle.sha256, sha256);
      await this.#client.hset(this.#keys.bundles, sha256, text);
      bundles.push(sha256);
    }
    const queued = { ...job, bundles };
    const sent = new SentJob(`${this.#terms.coordinator.coordinator}-${job.number}`, packJob(queued), queued);
    this.#add(sent);
    await this.#put(sent);
    return sent;
  }

  #add(sent: SentJob): void {
    this.#sent.set(sent.id, sent);
    for (const key of sent.keys) this.#sentByKey.set(key, sent);
  }

  /** Writes a job. Where Redis is full, it waits: what is committed meanwhile leaves room. @throws OddsmithError REDIS_FULL */
  async #put({ id, text }: SentJob): Promise<void> {
    const startedAt = this.#clock.now();
    for (;;) {
      try {
        await this.#queue.add(JOB, { text }, { jobId: id, attempts: 1 });
        return;
      } catch (error) {
        if (this.#isClosing) return;
        if (!isFull(error)) throw error;
        if (this.#clock.now() - startedAt > FULL_MS_MAX) throw redisFull(this.#terms.access.name);
        await this.#pause(CHECK_MS / 4);
      }
    }
  }

  async #forget({ id }: SentJob): Promise<void> {
    this.#sent.delete(id);
    await this.#client.del(this.#keys.part(id));
    await this.#queue.remove(id);
  }

  async #tellOfSweep(): Promise<void> {
    const { record } = this.#terms;
    const text = JSON.stringify(record);
    const before = await this.#client.get(this.#keys.record);
    // Jobs of another build have other keys: nobody would ask for their results.
    if (before !== null && before !== text) await this.#queue.obliterate({ force: true });
    const told = this.#client.multi().set(this.#keys.record, text).sadd(SWEEPS, record.sweep);
    for (const [sha256, bundle] of this.#bundles) told.hset(this.#keys.bundles, sha256, bundle);
    await told.exec();
  }

  async #findLeft(): Promise<void> {
    const ids = await this.#queue.getRanges(ALL_STATES, 0, -1);
    for (const id of ids) {
      const job = await this.#queue.getJob(id);
      if (job === undefined) continue;
      const { text } = Object(job.data);
      const queued = unpackJob(text);
      if (queued !== undefined) this.#add(new SentJob(id, text, queued));
      else {
        this.#terms.say(`job ${id} in Redis is removed: its message is none of this build`);
        await this.#queue.remove(id);
      }
    }
    if (this.#sent.size > 0)
      this.#terms.say(`${this.#sent.size} jobs of an earlier process are still in Redis: they are not played again`);
  }

  async #harvest(): Promise<void> {
    const ids = await this.#queue.getRanges(['completed', 'failed'], 0, -1);
    for (const id of ids) {
      const sent = this.#sent.get(id);
      if (sent === undefined || sent.isEnded) continue;
      const job = await this.#queue.getJob(id);
      if (job === undefined) continue;
      sent.end(outcomeOf(job, this.#terms.access.name));
    }
  }

  async #check(): Promise<void> {
    if (this.#client.status !== 'ready') return;
    await this.#heartbeat.renew();
    await this.#workers.look();
    await this.#findLost();
  }

  /** A Redis that was restarted without what it held: jobs are put there again. */
  async #findLost(): Promise<void> {
    const waiting = [...this.#sent.values()].filter(({ isEnded }) => !isEnded);
    if (waiting.length === 0) return;
    const asked = this.#client.pipeline();
    for (const { id } of waiting) asked.exists(this.#queue.toKey(id));
    const answers = (await asked.exec()) ?? [];
    const lost = waiting.filter(({ isEnded }, index) => !isEnded && answers[index]?.[1] === 0);
    if (lost.length === 0) return;
    await this.#tellOfSweep();
    for (const sent of lost) if (!sent.isEnded) await this.#put(sent);
    this.#terms.say(`Redis had lost ${lost.length} jobs: they are given out again`);
  }

  #checkAway(): void {
    const { say, access, patienceMs = PATIENCE_MS } = this.#terms;
    if (this.#awaySince === undefined || this.#client.status === 'ready') return;
    const awayMs = this.#clock.now() - this.#awaySince;
    if (awayMs > patienceMs)
      this.#fail(redisGone(access.name, `It has not answered for ${Math.round(awayMs / 1000)} s.`));
    else if (!this.#isAwayTold) {
      this.#isAwayTold = true;
      say(`Redis at ${access.name} does not answer: waiting for it`);
    }
  }

  #back(): void {
    this.#awaySince = undefined;
    if (!this.#isAwayTold) return;
    this.#isAwayTold = false;
    this.#terms.say(`Redis at ${this.#terms.access.name} answers again`);
  }

  /** Every so often, but never twice at once. */
  #every(ms: number, work: () => Promise<void>): void {
    let isBusy = false;
    const look = (): void => {
      if (isBusy || this.#isClosing) return;
      isBusy = true;
      void this.#guard(work).finally(() => {
        isBusy = false;
      });
    };
    this.#timers.push(setInterval(look, ms)); // edge: what other machines did shows only when it is looked for
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { ref: false });
  }

  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#isClosing || isAway(error)) return;
      this.#fail(
        isFull(error) ? redisFull(this.#terms.access.name) : error instanceof Error ? error : new Error(String(error)),
      );
    }
  }

  #fail(error: Error): void {
    this.#fault ??= error;
    this.#faulted.reject(this.#fault);
    for (const sent of this.#sent.values()) sent.fail(this.#fault);
  }

  /**
   * Closes the sweep. It is over where no job is at play, and nothing of it stays in Redis; else what others are playing is kept for the
   * next process.
   */
  async #close(): Promise<void> {
    const isOver = this.#playing === 0 && this.#fault === undefined;
    this.#isClosing = true;
    this.#closing.resolve('closing');
    for (const timer of this.#timers) clearInterval(timer);
    const leaving = this.#client.status === 'ready' ? this.#leave(isOver) : Promise.resolve();
    await Promise.race([leaving.catch(() => undefined), this.#pause(CLOSE_MS_MAX)]);
    this.#stop();
  }

  async #leave(isOver: boolean): Promise<void> {
    const { sweep } = this.#terms.record;
    if (isOver) {
      await this.#queue.obliterate({ force: true });
      const workers = await this.#client.smembers(this.#keys.workers);
      const { record, bundles, workers: list } = this.#keys;
      const parts = [...this.#sent.keys()].map(this.#keys.part);
      await this.#client.del(record, bundles, list, ...workers.map(this.#keys.worker), ...parts);
      await this.#client.srem(SWEEPS, sweep);
    } else await this.#queue.drain();
    await this.#heartbeat.end();
  }

  #stop(): void {
    void this.#queue.close().catch(() => undefined);
    this.#client.disconnect();
  }
}

function isAway(error: unknown): boolean {
  return error instanceof Error && /Connection is closed|ECONN|ETIMEDOUT|LOADING|Command timed out/.test(error.message);
}

function outcomeOf({ id, returnvalue, failedReason }: Job, server: string): JobOutcome {
  const outcome = unpackOutcome(returnvalue);
  if (outcome !== undefined) return outcome;
  const error = {
    code: 'JOB_FAILED',
    what: 'A worker could not play a job.',
    where: `${server}, job ${id}`,
    why: failedReason ?? 'What it gave back cannot be read.',
    next: 'Look at what the worker printed.',
  };
  return { end: { kind: 'died', key: undefined, isStuck: false, error }, results: [] };
}
