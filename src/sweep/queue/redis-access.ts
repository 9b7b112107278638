/** The way to a Redis or Valkey server: its packages are loaded when they are needed, and it is looked at before it is used. */

import type * as bullmq from 'bullmq';
import type { Redis } from 'ioredis';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';

export interface RedisAccess {
  readonly bullmq: ReturnType<typeof takingAnyData>;
  /** The server's address, without user and password. */
  readonly name: string;
  /** A connection of its own, which comes back after it was lost. Its user closes it. */
  connect(): Redis;
}

const CONNECT_MS = 5_000;
const RETRY_MS_MAX = 2_000;

/**
 * Loads the packages and tries the server. @throws OddsmithError QUEUE_NOT_INSTALLED, REDIS_ADDRESS, REDIS_UNREACHABLE, REDIS_NOT_AUTHORISED,
 * REDIS_UNFIT
 */
export async function openRedis(address: string): Promise<RedisAccess> {
  const name = nameOf(address);
  const { queue, client } = await loadPackages();
  const options = { maxRetriesPerRequest: null, connectTimeout: CONNECT_MS, lazyConnect: true };
  const probe = new client.Redis(address, { ...options, maxRetriesPerRequest: 0, retryStrategy: () => null });
  try {
    await tryServer(probe, name, queue);
  } finally {
    probe.disconnect();
  }
  return {
    bullmq: takingAnyData(queue),
    name,
    connect: () => {
      const retryStrategy = (times: number): number => Math.min(100 * 2 ** Math.min(times, 10), RETRY_MS_MAX);
      return new client.Redis(address, { ...options, lazyConnect: false, retryStrategy });
    },
  };
}

/** What a server answers where its memory is at its limit. */
export function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (/^OOM |OOM command not allowed/.test(error.message)) return true;
  // Of a transaction it says what was refused of it, beside that nothing of it was done.
  return 'previousErrors' in error && Array.isArray(error.previousErrors) && error.previousErrors.some(isFull);
}

export function redisFull(name: string): OddsmithError {
  return new OddsmithError({
    code: 'REDIS_FULL',
    what: 'Redis has no memory left for the next job.',
    where: name,
    why: 'Its limit (maxmemory) is reached, and it is told to remove nothing.',
    next: 'Raise maxmemory, or remove what else is kept there. The same command goes on where this one ended.',
  });
}

export function redisGone(name: string, why: string): OddsmithError {
  return new OddsmithError({
    code: 'REDIS_UNREACHABLE',
    what: 'Redis does not answer.',
    where: name,
    why,
    next: 'Look whether it runs and whether this machine reaches it. What was computed is kept: the same command goes on.',
  });
}

/** Neither user nor password may be seen in what is printed. */
function nameOf(address: string): string {
  const url = URL.parse(address);
  if (url === null || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '') throw badAddress();
  const database = url.pathname.replace(/^\//, '');
  if (!/^\d*$/.test(database)) throw badAddress();
  return `${url.hostname}:${url.port || '6379'}${database === '' ? '' : `/${database}`}`;
}

function badAddress(): OddsmithError {
  return new OddsmithError({
    code: 'REDIS_ADDRESS',
    what: 'The value of --redis is no address of a Redis server.',
    why: 'It is not shown, since it may hold a password.',
    next: 'Write it as redis://HOST:PORT, redis://USER:PASSWORD@HOST:PORT/DATABASE, or rediss:// for TLS.',
  });
}

interface Packages {
  readonly queue: typeof bullmq;
  readonly client: Pick<typeof import('ioredis'), 'Redis'>;
}

async function loadPackages(): Promise<Packages> {
  try {
    const [queue, client] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { queue, client };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw new OddsmithError({
      code: 'QUEUE_NOT_INSTALLED',
      what: 'The packages for many machines are not installed.',
      why: 'Sweeps on one machine do without them, so they do not come with oddsmith.',
      next: 'Run: npm install bullmq@6 ioredis@6',
    });
  }
}

/**
 * BullMQ throws for a job whose data is no JSON: its worker would take it again and again, and nobody would learn which job it is. Such a
 * job has no data here, which whoever takes it finds out.
 */
function takingAnyData(queue: typeof bullmq) {
  class Job<T, R, N extends string, P extends bullmq.JobProgress> extends queue.Job<T, R, N, P> {
    static override fromJSON<T, R, N extends string>(...[owner, json, id]: JobParts): bullmq.Job<T, R, N> {
      try {
        return queue.Job.fromJSON(owner, json, id);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        return queue.Job.fromJSON(owner, { ...json, data: '{}' }, id);
      }
    }
  }
  class Queue extends queue.Queue {
    protected override get Job() {
      return Job;
    }
  }
  class Worker extends queue.Worker {
    protected override get Job() {
      return Job;
    }
  }
  return { ...queue, Queue, Worker };
}

type JobParts = Parameters<typeof bullmq.Job.fromJSON>;

async function tryServer(probe: Redis, name: string, queue: typeof bullmq): Promise<void> {
  // The client goes on after some errors, such as a database that does not exist, and would use another one.
  let first: Error | undefined;
  probe.on('error', (error: Error) => {
    first ??= error;
  });
  try {
    await probe.connect();
    const info = await probe.info();
    if (first !== undefined) throw first;
    checkFit(info, name, queue);
    await probe.ping();
  } catch (error) {
    if (error instanceof OddsmithError) throw error;
    throw refused(first ?? error, name);
  }
}

function refused(error: unknown, name: string): OddsmithError {
  const why =
    error instanceof Error ? error.message || String('code' in error ? error.code : error.name) : String(error);
  if (/NOAUTH|WRONGPASS|NOPERM|invalid password|no password is set/i.test(why))
    return new OddsmithError({
      code: 'REDIS_NOT_AUTHORISED',
      what: 'Redis does not let this user in.',
      where: name,
      why: why.replace(/^(NOAUTH|WRONGPASS|NOPERM|ERR) /, ''),
      next: 'Write user and password into the address: redis://USER:PASSWORD@HOST:PORT (redis://:PASSWORD@… without a user).',
    });
  if (/DB index/i.test(why))
    return new OddsmithError({
      code: 'REDIS_UNFIT',
      what: 'Redis has no database of this number.',
      where: name,
      why: why.replace(/^ERR /, ''),
      next: 'Name another database at the end of the address, or none.',
    });
  return redisGone(name, why);
}

/** Only the policy that removes nothing keeps a queue whole. */
const POLICY = 'noeviction';

function checkFit(info: string, name: string, queue: typeof bullmq): void {
  const facts = new Map(info.split(/\r?\n/).map((line) => [line.replace(/:.*/, ''), line.replace(/^[^:]*:/, '')]));
  const version = facts.get('redis_version') ?? '0';
  const { minimumVersion } = queue.RedisConnection;
  if (isOlder(version, minimumVersion))
    throw new OddsmithError({
      code: 'REDIS_UNFIT',
      what: `Redis is version ${version}, and the queue needs ${minimumVersion} or later.`,
      where: name,
      next: 'Install a later Redis, or Valkey.',
    });
  const policy = facts.get('maxmemory_policy') ?? POLICY;
  if (policy === POLICY) return;
  throw new OddsmithError({
    code: 'REDIS_UNFIT',
    what: `Redis may remove jobs when its memory is full: its policy is ${policy}.`,
    where: name,
    why: 'A sweep would wait for ever for a job that was removed.',
    next: `Set maxmemory-policy ${POLICY} in its configuration, or: redis-cli CONFIG SET maxmemory-policy ${POLICY}`,
  });
}

function isOlder(version: string, least: string): boolean {
  const [own, needed] = [version, least].map((text) => text.split('.').map(Number));
  for (const [index, part] of (needed ?? []).entries()) {
    const mine = own?.[index] ?? 0;
    if (mine !== part) return mine < part;
  }
  return false;
}
