/** What stands in Redis: anyone who reaches the server may have written it, so each text is looked at before it is used. */

import type { CoordinatorRecord, SweepRecord, WorkerRecord } from './queue-keys.ts';

/** What a map says, as far as it is one. */
export type Fields<T> = { readonly [K in keyof T]?: unknown };

/** No fields at all for what is no JSON, or no map. */
export function fieldsOf<T>(text: unknown): Fields<T> {
  if (typeof text !== 'string') return {};
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Undefined for what is no record of the sweep of this id. */
export function readSweep(text: string, id: string): SweepRecord | undefined {
  const { sweep, label, build, node } = fieldsOf<SweepRecord>(text);
  if (sweep !== id || !isText(label) || !isText(build) || !isCount(node)) return undefined;
  return { sweep: id, label, build, node };
}

export function readWorker(text: string): WorkerRecord | undefined {
  const { worker, host, pid, jobs, build, node, refused } = fieldsOf<WorkerRecord>(text);
  if (!isText(worker) || !isText(host) || !isText(build) || !isCount(pid) || !isCount(jobs) || !isCount(node))
    return undefined;
  return { worker, host, pid, jobs, build, node, refused: isText(refused) ? refused : undefined };
}

export function readCoordinator(text: string): CoordinatorRecord | undefined {
  const { coordinator, host, pid } = fieldsOf<CoordinatorRecord>(text);
  return isText(coordinator) && isText(host) && isCount(pid) ? { coordinator, host, pid } : undefined;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

export function areAll<T>(values: unknown, is: (value: unknown) => value is T): values is readonly T[] {
  return Array.isArray(values) && values.every(is);
}
