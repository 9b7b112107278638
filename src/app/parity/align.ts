/** Lines up the steps of two sides: by content and time first, then what is left between those by content alone. */

import type { Step } from './step-sequence.ts';

export interface Aligned {
  readonly run: Step | undefined;
  readonly replay: Step | undefined;
}

/**
 * In the order of time. `toleranceMs`: how far apart in time two equal steps may be and still be the same one. A
 * step that only one side has gets no partner. Equal steps further apart in time are partners too, and differ in their time.
 */
export function align(run: readonly Step[], replay: readonly Step[], toleranceMs: number): readonly Aligned[] {
  const partners = sameAtTheSameTime(run, replay, toleranceMs);
  const aligned: Aligned[] = [];
  let fromRun = 0;
  let fromReplay = 0;
  for (const [at, partner] of partners) {
    between(run.slice(fromRun, at), replay.slice(fromReplay, partner), aligned);
    aligned.push({ run: run[at], replay: replay[partner] });
    fromRun = at + 1;
    fromReplay = partner + 1;
  }
  between(run.slice(fromRun), replay.slice(fromReplay), aligned);
  return aligned;
}

/** Index pairs, rising in both. */
function sameAtTheSameTime(
  run: readonly Step[],
  replay: readonly Step[],
  toleranceMs: number,
): readonly (readonly [number, number])[] {
  const partners: (readonly [number, number])[] = [];
  let next = 0;
  for (const [at, step] of run.entries()) {
    while ((replay[next]?.at ?? Number.POSITIVE_INFINITY) < step.at - toleranceMs) next += 1;
    for (let other = next; (replay[other]?.at ?? Number.POSITIVE_INFINITY) <= step.at + toleranceMs; other += 1) {
      if (replay[other]?.key !== step.key) continue;
      partners.push([at, other]);
      next = other + 1;
      break;
    }
  }
  return partners;
}

/** Equal steps further apart than this are not one step that came late. */
const LATE_MAX_MS = 30_000;

/** The steps between two pairs: equal ones in their order, the rest alone, all by time. */
function between(run: readonly Step[], replay: readonly Step[], into: Aligned[]): void {
  if (run.length === 0 && replay.length === 0) return;
  const places = new Map<string, { readonly indexes: number[]; next: number }>();
  for (const [index, { key }] of replay.entries()) {
    const place = places.get(key) ?? { indexes: [], next: 0 };
    place.indexes.push(index);
    places.set(key, place);
  }
  const found: Aligned[] = [];
  const taken = new Set<number>();
  let last = -1;
  for (const step of run) {
    const place = places.get(step.key) ?? { indexes: [], next: 0 };
    while ((place.indexes[place.next] ?? Number.POSITIVE_INFINITY) <= last) place.next += 1;
    const index = place.indexes[place.next] ?? -1;
    const partner = replay[index];
    if (partner === undefined || Math.abs(partner.at - step.at) > LATE_MAX_MS) {
      found.push({ run: step, replay: undefined });
      continue;
    }
    last = index;
    taken.add(index);
    found.push({ run: step, replay: partner });
  }
  for (const [index, step] of replay.entries()) if (!taken.has(index)) found.push({ run: undefined, replay: step });
  into.push(...found.sort((a, b) => timeOf(a) - timeOf(b)));
}

export function timeOf({ run, replay }: Aligned): number {
  return Math.min(run?.at ?? Number.POSITIVE_INFINITY, replay?.at ?? Number.POSITIVE_INFINITY);
}
