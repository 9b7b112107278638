/** The surface of a sweep: for each value of each key, how good its trials are at best and in the middle. */

import { momentsOf } from '../../research/figure/moments.ts';
import { type AssignedValue, type Assignment, type Dimension, isOrdered, numberOf } from '../space/dimension.ts';

export interface ScoredTrial {
  readonly assignment: Assignment;
  readonly value: number | undefined;
}

export interface SurfaceKey {
  /** As the user wrote it. */
  readonly key: string;
  /** The share of the differences between the trials that the value of this key explains, 0 to 1 (omega squared). */
  readonly effect: number;
  readonly values: readonly SurfaceValue[];
}

export interface SurfaceValue {
  /** One value, or the lowest and the highest of the values that were taken together. */
  readonly from: AssignedValue;
  readonly to: AssignedValue;
  /** Trials that have a value of the objective. */
  readonly trials: number;
  readonly best: number;
  readonly median: number;
}

/** More values of an ordered key than this are taken together in parts of about equally many trials. */
const VALUES_MAX = 12;
const PARTS = 8;

/** Figures are those of the objective, as they are and not turned round. */
export function surfaceOf(
  dimensions: readonly Dimension[],
  trials: readonly ScoredTrial[],
  goal: 'maximize' | 'minimize',
): readonly SurfaceKey[] {
  const valued = dimensions.map((): Valued[] => []);
  // Each trial is asked for its assignment once: that may be read from where it is kept.
  for (const { value, assignment } of trials) {
    if (value === undefined) continue;
    for (const [index, { key }] of dimensions.entries()) {
      const label = assignment[key];
      if (label !== undefined) valued[index]?.push({ label, value });
    }
  }
  return dimensions.map((dimension, index) => {
    const parts = partsOf(dimension, valued[index] ?? []);
    return {
      key: dimension.written,
      effect: effectOf(parts.map((part) => part.map(({ value }) => value))),
      values: parts.map((part) => summaryOf(part, goal)),
    };
  });
}

/** Less what chance alone would explain: a key of many values splits any trials into groups that differ. */
function effectOf(groups: readonly (readonly number[])[]): number {
  const all = momentsOf(groups.flat());
  const total = all.count < 2 ? 0 : all.deviation ** 2 * (all.count - 1);
  const between = groups.reduce((sum, group) => sum + group.length * (momentsOf(group).mean - all.mean) ** 2, 0);
  const within = all.count - groups.length;
  if (total === 0 || within <= 0) return 0;
  const noise = (total - between) / within;
  return Math.max(0, (between - (groups.length - 1) * noise) / (total + noise));
}

interface Valued {
  readonly label: AssignedValue;
  readonly value: number;
}

function partsOf(dimension: Dimension, valued: readonly Valued[]): readonly (readonly Valued[])[] {
  const place = placesOf(dimension);
  const ordered = valued.toSorted((a, b) => place(a.label) - place(b.label));
  const byLabel = Map.groupBy(ordered, ({ label }) => label);
  if (byLabel.size <= VALUES_MAX || !isOrdered(dimension)) return [...byLabel.values()];
  const parts: Valued[][] = [];
  for (const group of byLabel.values()) {
    const last = parts.at(-1);
    if (last === undefined || last.length >= ordered.length / PARTS) parts.push([...group]);
    else last.push(...group);
  }
  return parts;
}

/** The place of a value: a number is its own; words and lists have their place in the space. */
function placesOf(dimension: Dimension): (label: AssignedValue) => number {
  if (dimension.kind !== 'list') return (label) => numberOf(label) ?? 0;
  const places = new Map(dimension.values.map(({ label }, place) => [label, place]));
  return (label) => places.get(label) ?? 0;
}

function summaryOf(part: readonly Valued[], goal: 'maximize' | 'minimize'): SurfaceValue {
  const values = part.map(({ value }) => value).sort((a, b) => a - b);
  const [low = 0, high = 0] = [values[0], values.at(-1)];
  const half = values.length >> 1;
  const [below = 0, above = 0] = [values[values.length - 1 - half], values[half]];
  const [from = '', to = ''] = [part[0]?.label, part.at(-1)?.label];
  return { from, to, trials: part.length, best: goal === 'maximize' ? high : low, median: (below + above) / 2 };
}
