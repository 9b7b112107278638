/** A worker's service to one sweep: it takes jobs from its queue, plays them here, and gives back what became of them. */

import type { Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { describeThrown } from '../../core/checks/thrown.ts';
import type { StrategyBundle } from '../../loader/strategy-loader-bundle.ts';
import type { JobEnd, SweepJob, UnitResult } from '../engine/engine.ts';
import { type JobOutcome, packOutcome, type QueuedJob, unpackBundle, unpackJob } from './job-message.ts';
import { JobPart, workerDied } from './job-part.ts';
import type { LocalPlayer } from './local-player.ts';
import { HEARTBEAT_EVERY_MS, keysOf, PREFIX, type QueueKeys, SILENT_MS_MAX, type WorkerRecord } from './queue-keys.ts';
import type { RedisAccess } from './redis-access.ts';

export interface ServiceTerms {
  readonly access: RedisAccess;
  readonly client: Redis;
  readonly sweep: string;
  readonly worker: WorkerRecord;
  readonly player: LocalPlayer;
  readonly say: (line: string) => void;
  /** This machine cannot play its jobs: it should take no more. */
  readonly onFault: (error: unknown) => void;
  readonly onUnit: () => void;
}

/** Main threads renew the locks while threads play. A lock that was not renewed for this long is another worker's. */
const LOCK_MS = 4_000;
const STALLED_EVERY_MS = 2_000;
/** Deaths are counted by the coordinator, for each unit. */
const STALLED_MAX = 1_000_000;

export class SweepService {
  readonly #terms: ServiceTerms;
  readonly #keys: QueueKeys;
  readonly #worker: Worker | undefined;
  /** Its own: a connection that it was given the worker does not close. */
  readonly #connection: Redis | undefined;
  readonly #bundles = new Map<string, StrategyBundle>();
  #isClosing = false;
  #playing = 0;
  #heartbeatAt = Number.NEGATIVE_INFINITY;

  constructor(terms: ServiceTerms) {
    this.#terms = terms;
    this.#keys = keysOf(terms.sweep);
    if (terms.worker.refused !== undefined) return;
    this.#connection = terms.access.connect();
    this.#worker = this.#start(this.#connection);
  }

  get isServing(): boolean {
    return this.#worker !== undefined;
  }

  get isPlaying(): boolean {
    return this.#playing > 0;
  }

  /** Says that this worker is there; now and then is enough. */
  async heartbeat(now: number): Promise<void> {
    if (this.#isClosing || now - this.#heartbeatAt < HEARTBEAT_EVERY_MS) return;
    this.#heartbeatAt = now;
    const { client, worker } = this.#terms;
    const { workers } = this.#keys;
    const own = this.#keys.worker(worker.worker);
    await client.multi().set(own, JSON.stringify(worker), 'PX', SILENT_MS_MAX).sadd(workers, worker.worker).exec();
  }

  /** Whether the sweep's coordinator is gone and nothing is left to play. */
  async isAbandoned(): Promise<boolean> {
    const { client, sweep } = this.#terms;
    if (this.isPlaying || (await client.exists(this.#keys.coordinator)) === 1) return false;
    const [waiting, active] = await Promise.all(
      ['wait', 'active'].map((state) => client.llen(`${PREFIX}:${sweep}:${state}`)),
    );
    return waiting === 0 && active === 0;
  }

  /** What is at play is given back by the player, which is closed before; no job is taken any more. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const { client, worker } = this.#terms;
    // Where Redis is away nothing can be said any more, and nothing is waited for.
    const isAway = client.status !== 'ready';
    const closed = this.#worker?.close(isAway);
    if (isAway) closed?.catch(() => undefined);
    else await closed;
    this.#connection?.disconnect();
    if (client.status !== 'ready') return;
    // The list too: its coordinator may have removed it before this worker's last heartbeat put it there again.
    await client.multi().del(this.#keys.worker(worker.worker)).srem(this.#keys.workers, worker.worker).exec();
  }

  /** The sweep is over and the service was closed: nothing of its queue stays in Redis. */
  async forget(): Promise<void> {
    await this.#terms.client.del(...this.#keys.rests);
  }

  /** No job is taken from now on. */
  stopTaking(): void {
    this.#isClosing = true;
    void this.#worker?.pause(true);
  }

  #start(connection: Redis): Worker {
    const { access, sweep, worker, say } = this.#terms;
    const service = new access.bullmq.Worker(sweep, (job, token) => this.#process(job, token ?? ''), {
      connection,
      prefix: PREFIX,
      concurrency: worker.jobs,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_EVERY_MS,
      maxStalledCount: STALLED_MAX,
    });
    let told = '';
    service.on('error', (error) => {
      // Each loss of the connection is reported many times.
      if (error.message === told || this.#isClosing) return;
      told = error.message;
      say(`queue of ${sweep}: ${error.message}`);
    });
    return service;
  }

  /** @returns what the coordinator reads */
  async #process(job: Job, token: string): Promise<string> {
    const { client, worker, access, sweep, say } = this.#terms;
    const queued = unpackJob(Object(job.data).text);
    if (queued === undefined) {
      say(`job ${job.id} of ${sweep} is set aside: its message is none of this build`);
      throw new access.bullmq.UnrecoverableError('Its message is none of the build of the worker that took it.');
    }
    const part = new JobPart(client, this.#keys.part(job.id ?? ''));
    this.#playing += 1;
    try {
      const found = await part.take(worker);
      const whole = await this.#withBundles(queued);
      const known = new Set(found.results.map(({ key }) => key));
      const units = whole.units.filter(({ key }) => !known.has(key));
      if (found.lost !== undefined) {
        const end = { kind: 'died', key: units[0]?.key, isStuck: false, error: workerDied(found.lost) } as const;
        return packOutcome({ end, results: found.results });
      }
      const outcome = await this.#play({ ...whole, units }, part, found.results);
      if (outcome !== undefined) return packOutcome(outcome);
    } catch (error) {
      // This machine lacks what the job needs, or Redis is away: another one may play it.
      this.#terms.onFault(error);
    } finally {
      this.#playing -= 1;
    }
    await part.giveBack();
    await job.moveToWait(token);
    throw new access.bullmq.WaitingError();
  }

  /** Undefined where the worker is about to end: then the job is given back with what there is. */
  async #play(job: SweepJob, part: JobPart, before: readonly UnitResult[]): Promise<JobOutcome | undefined> {
    const { player, onUnit } = this.#terms;
    const results = [...before];
    const writing: Promise<void>[] = [];
    const end = await player
      .play(job, async (result) => {
        results.push(result);
        onUnit();
        writing.push(part.add(result));
      })
      .catch((error: unknown): JobEnd => {
        if (error instanceof OddsmithError) throw error;
        return this.#ownFault(error, job, results);
      });
    await Promise.all(writing);
    return end.kind === 'aborted' ? undefined : { end, results };
  }

  /** A fault of ours is told here, and counts as a death of the unit: the sweep goes on without it. */
  #ownFault(error: unknown, { units }: SweepJob, results: readonly UnitResult[]): JobEnd {
    const { text, stack } = describeThrown(error);
    this.#terms.say(stack ?? text);
    const done = new Set(results.map(({ key }) => key));
    const parts = {
      code: 'INTERNAL_BUG',
      what: `This is a fault of oddsmith itself: ${text}`,
      next: 'Please report it with what the worker printed.',
    };
    return { kind: 'died', key: units.find(({ key }) => !done.has(key))?.key, isStuck: false, error: parts };
  }

  async #withBundles({ bundles, ...rest }: QueuedJob): Promise<SweepJob> {
    const loaded: StrategyBundle[] = [];
    for (const sha256 of bundles) loaded.push(await this.#bundle(sha256));
    return { ...rest, bundles: loaded };
  }

  /** @throws OddsmithError BUNDLE_DAMAGED */
  async #bundle(sha256: string): Promise<StrategyBundle> {
    const known = this.#bundles.get(sha256);
    if (known !== undefined) return known;
    const { client, access, sweep } = this.#terms;
    const text = await client.hget(this.#keys.bundles, sha256);
    const bundle = text === null ? undefined : unpackBundle(text, sha256);
    if (bundle === undefined)
      throw new OddsmithError({
        code: 'BUNDLE_DAMAGED',
        what: 'A strategy of the sweep is not in Redis as the sweep has put it there.',
        where: `${access.name}, sweep ${sweep}`,
        why: text === null ? 'It is missing.' : `Its SHA-256 is not ${sha256}.`,
        next: 'Run the sweep again: it goes on where it ended.',
      });
    this.#bundles.set(sha256, bundle);
    return bundle;
  }
}
