/** Which model fills most like the run did, and which others chance alone may have put behind it. */

import { assert } from '../../../core/checks/assert.ts';
import { Random } from '../../../core/number/random.ts';

interface JudgeParts {
  /** The error of each order, for each model. */
  readonly errors: readonly Float64Array[];
  /** The unit with which each order is drawn: orders whose errors depend on the same cancellations are one unit. */
  readonly unitOf: Int32Array;
  readonly seed: number;
}

interface JudgedModel {
  /** The mean over all orders. */
  readonly error: number;
  /** How much that exceeds the best model's: the middle 99 % over the draws of the units. */
  readonly worseBy: { readonly low: number; readonly high: number };
  /** Whether chance alone may have put it behind the best one. */
  readonly isLike: boolean;
}

export interface Judgement {
  readonly models: readonly JudgedModel[];
  /** Index of the model with the least error; the first of those. */
  readonly best: number;
  /** How many units have an order that the models fill differently. */
  readonly deciding: number;
}

export const DRAWS = 2000;
/** The best is the best of nineteen, so that 95 % would rule out the true one too often. */
const TAIL = 0.005;

/** A bootstrap: units are drawn with replacement, as many as there are, and each draw gives each model another mean error. */
export function judgeModels({ errors, unitOf, seed }: JudgeParts): Judgement {
  const orders = unitOf.length;
  assert(orders > 0, 'there is an order to judge by');
  const means = errors.map((of) => sumOf(of) / orders);
  const best = means.indexOf(Math.min(...means));
  const units = 1 + unitOf.reduce((most, unit) => Math.max(most, unit), 0);
  const counts = sumsByUnit(new Float64Array(orders).fill(1), unitOf, units);
  const draws = drawUnits(units, Random.fromSeed(seed));
  const models = errors.map((of, model) => {
    const more = of.map((error, order) => error - (errors[best]?.[order] ?? 0));
    const worse = drawnMeans(sumsByUnit(more, unitOf, units), counts, draws);
    const [low, high] = [quantile(worse, TAIL), quantile(worse, 1 - TAIL)];
    return { error: means[model] ?? 0, worseBy: { low, high }, isLike: model === best || low <= 0 };
  });
  return { models, best, deciding: decidingUnits(errors, unitOf) };
}

function drawUnits(units: number, random: Random): readonly Int32Array[] {
  return Array.from({ length: DRAWS }, () => new Int32Array(units).map(() => random.below(units)));
}

function sumsByUnit(of: Float64Array, unitOf: Int32Array, units: number): Float64Array {
  const sums = new Float64Array(units);
  for (let order = 0; order < of.length; order += 1) {
    const unit = unitOf[order] ?? 0;
    sums[unit] = (sums[unit] ?? 0) + (of[order] ?? 0);
  }
  return sums;
}

/** The mean of each draw, rising. */
function drawnMeans(sums: Float64Array, counts: Float64Array, draws: readonly Int32Array[]): Float64Array {
  const means = new Float64Array(draws.length);
  for (const [index, draw] of draws.entries()) {
    let sum = 0;
    let count = 0;
    for (const unit of draw) {
      sum += sums[unit] ?? 0;
      count += counts[unit] ?? 0;
    }
    means[index] = sum / count;
  }
  return means.sort();
}

function quantile(rising: Float64Array, share: number): number {
  return rising[Math.min(rising.length - 1, Math.floor(share * rising.length))] ?? 0;
}

function sumOf(of: Float64Array): number {
  return of.reduce((sum, each) => sum + each, 0);
}

function decidingUnits(errors: readonly Float64Array[], unitOf: Int32Array): number {
  const deciding = new Set<number>();
  for (let order = 0; order < unitOf.length; order += 1) {
    const first = errors[0]?.[order];
    if (errors.some((of) => of[order] !== first)) deciding.add(unitOf[order] ?? 0);
  }
  return deciding.size;
}
