/** What a sweep keeps in Redis beside its queue, and under which names. */

/** Before all keys, and BullMQ's own prefix. */
export const PREFIX = 'oddsmith';
/** The ids of sweeps that are under way. */
export const SWEEPS = `${PREFIX}:sweeps`;

/** How long a worker, and a coordinator, may be silent before it counts as gone. */
export const SILENT_MS_MAX = 10_000;
/** How often both say that they are there. */
export const HEARTBEAT_EVERY_MS = 2_000;
/** What a sweep left whose coordinator never came back goes after this time. */
export const KEPT_MS = 7 * 24 * 3_600_000;

/** What a sweep says of itself, for workers that may take its jobs. */
export interface SweepRecord {
  readonly sweep: string;
  /** The name that people read: the sweep's directory or its configuration. */
  readonly label: string;
  readonly build: string;
  /** The first number of Node's version. */
  readonly node: number;
}

/** What a worker says of itself before it takes a job. */
export interface WorkerRecord {
  readonly worker: string;
  readonly host: string;
  readonly pid: number;
  /** How many jobs it plays at once. */
  readonly jobs: number;
  readonly build: string;
  readonly node: number;
  /** Why it takes no jobs of this sweep; absent where it does. */
  readonly refused?: string | undefined;
}

export interface CoordinatorRecord {
  readonly coordinator: string;
  readonly host: string;
  readonly pid: number;
}

export interface QueueKeys {
  readonly record: string;
  readonly coordinator: string;
  /** The names of its workers. */
  readonly workers: string;
  /** Strategy bundles by their SHA-256. */
  readonly bundles: string;
  worker(id: string): string;
  /** The results of a job so far, so that they outlive its worker. */
  part(jobId: string): string;
  /** What BullMQ of a worker may write once more after the queue was removed. */
  readonly rests: readonly string[];
}

export function keysOf(sweep: string): QueueKeys {
  const base = `${PREFIX}:${sweep}~`;
  return {
    record: `${base}record`,
    coordinator: `${base}coordinator`,
    workers: `${base}workers`,
    bundles: `${base}bundles`,
    worker: (id) => `${base}worker:${id}`,
    part: (jobId) => `${base}part:${jobId}`,
    rests: ['meta', 'stalled-check'].map((name) => `${PREFIX}:${sweep}:${name}`),
  };
}

/** Whether a process of this build and Node computes the same rows; where not, both are named. */
export function refusalOf(
  sweep: Pick<SweepRecord, 'build' | 'node'>,
  worker: Pick<SweepRecord, 'build' | 'node'>,
): string | undefined {
  const [wanted, own] = [sweep, worker].map(({ build, node }) => `build ${build.slice(0, 12)} on Node ${node}`);
  return wanted === own && sweep.build === worker.build
    ? undefined
    : `the sweep is of ${wanted}, and the worker of ${own}`;
}
