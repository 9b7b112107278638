/** Lines up the steps of two sides: by content and time first, the nearest before all others, then what is left between those by content alone. */

import type { Step } from './step.ts';

export interface Aligned {
  readonly run: Step | undefined;
  readonly replay: Step | undefined;
}

interface Nearness {
  readonly ms: number;
  /** Whether the strategy must have been called for the same reason. */
  readonly isSameWhy: boolean;
}

/**
 * The nearer first: a strategy that is refused decides the same at each reading and each answer, and what it decided on
 * one of them must not be taken for what it decided on another.
 */
const NEARER_FIRST: readonly Nearness[] = [
  { ms: 2, isSameWhy: true },
  { ms: 20, isSameWhy: true },
  { ms: 20, isSameWhy: false },
  { ms: 80, isSameWhy: false },
];

/**
 * Both lists are in the order of time. `toleranceMs`: how far apart in time two equal steps may be and still be the same
 * one. A step that only one side has gets no partner. Equal steps further apart in time are partners too, and differ in
 * their time.
 */
export function align(run: readonly Step[], replay: readonly Step[], toleranceMs: number): readonly Aligned[] {
  const nearer = NEARER_FIRST.filter(({ ms }) => ms < toleranceMs);
  const aligned: Aligned[] = [];
  alignWithin(run, replay, { levels: [...nearer, { ms: toleranceMs, isSameWhy: false }], into: aligned });
  return aligned;
}

interface Within {
  readonly levels: readonly Nearness[];
  readonly into: Aligned[];
}

function alignWithin(run: readonly Step[], replay: readonly Step[], { levels, into }: Within): void {
  const [level, ...wider] = levels;
  if (level === undefined || run.length === 0 || replay.length === 0) return between(run, replay, into);
  let fromRun = 0;
  let fromReplay = 0;
  for (const [at, partner] of sameAtTheSameTime(run, replay, level)) {
    const rest = [run.slice(fromRun, at), replay.slice(fromReplay, partner)] as const;
    alignWithin(...rest, { levels: wider, into });
    into.push({ run: run[at], replay: replay[partner] });
    fromRun = at + 1;
    fromReplay = partner + 1;
  }
  alignWithin(run.slice(fromRun), replay.slice(fromReplay), { levels: wider, into });
}

/** Index pairs, rising in both. */
function sameAtTheSameTime(
  run: readonly Step[],
  replay: readonly Step[],
  { ms, isSameWhy }: Nearness,
): readonly (readonly [number, number])[] {
  const partners: (readonly [number, number])[] = [];
  let next = 0;
  for (const [at, step] of run.entries()) {
    while ((replay[next]?.at ?? Number.POSITIVE_INFINITY) < step.at - ms) next += 1;
    for (let other = next; (replay[other]?.at ?? Number.POSITIVE_INFINITY) <= step.at + ms; other += 1) {
      if (replay[other]?.key !== step.key || (isSameWhy && replay[other]?.why !== step.why)) continue;
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

export function byTime(a: Aligned, b: Aligned): number {
  return timeOf(a) - timeOf(b) || sequenceOf(a) - sequenceOf(b);
}

function sequenceOf({ run, replay }: Aligned): number {
  return (run ?? replay)?.sequence ?? 0;
}

/** Whether both sides did the same, in time. */
export function isSame({ run, replay }: Aligned, stepMs: number): boolean {
  return run !== undefined && replay !== undefined && run.key === replay.key && Math.abs(run.at - replay.at) <= stepMs;
}
