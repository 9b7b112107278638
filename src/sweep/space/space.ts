/** A space: its dimensions and the condition that its points fulfil. */

import { defined } from '../../core/checks/assert.ts';
import type { Random } from '../../core/number/random.ts';
import { isFulfilled } from './constraint.ts';
import { canHold, type Reach } from './constraint-range.ts';
import type { Rule } from './constraint-tree.ts';
import {
  type AssignedValue,
  type Assignment,
  coordinateAt,
  countOf,
  type Dimension,
  labelAt,
  operandOf,
  spanOf,
} from './dimension.ts';

export interface Space {
  readonly dimensions: readonly Dimension[];
  /** Absent: every point is a trial. */
  readonly condition?: Rule | undefined;
}

/** A coordinate for each dimension: the number of a value, or the place in a range from 0 to 1. */
export type Point = readonly number[];

/** How many points there are, whether they fulfil the condition or not; undefined where a dimension is a range. */
export function sizeOf({ dimensions }: Space): bigint | undefined {
  let size = 1n;
  for (const dimension of dimensions) {
    const count = countOf(dimension);
    if (count === undefined) return undefined;
    size *= BigInt(count);
  }
  return size;
}

/** The point of a number, of a space without ranges: the last dimension changes fastest. */
export function pointAt({ dimensions }: Space, number: bigint): Point {
  const point: number[] = [];
  let rest = number;
  for (const dimension of dimensions.toReversed()) {
    const count = BigInt(defined(countOf(dimension), 'a grid has no ranges'));
    point.push(Number(rest % count));
    rest /= count;
  }
  return point.reverse();
}

export function randomPoint({ dimensions }: Space, random: Random): Point {
  return dimensions.map((dimension) => coordinateAt(dimension, random.uniform()));
}

export function assignmentOf({ dimensions }: Space, point: Point): Assignment {
  return Object.fromEntries(dimensions.map((dimension, index) => [dimension.key, label(dimension, point, index)]));
}

export function fulfils(space: Space, point: Point): boolean {
  if (space.condition === undefined) return true;
  const operands = space.dimensions.map((dimension, index): [string, AssignedValue] => [
    dimension.key,
    operandOf(dimension, label(dimension, point, index)),
  ]);
  return isFulfilled(space.condition, Object.fromEntries(operands));
}

/**
 * The number of the next point that may fulfil the condition, after one that does not. Where no point with the same
 * first coordinates can, all of them are passed over at once.
 */
export function nextToTry(space: Space, number: bigint): bigint {
  const { dimensions, condition } = space;
  if (condition === undefined) return number + 1n;
  const point = pointAt(space, number);
  const reaches = new Map<string, Reach>(dimensions.map((each) => [each.key, spanOf(each)]));
  let block = sizeOf(space) ?? 1n;
  for (const [index, dimension] of dimensions.entries()) {
    block /= BigInt(countOf(dimension) ?? 1);
    reaches.set(dimension.key, { only: operandOf(dimension, label(dimension, point, index)) });
    if (!canHold(condition, reaches)) return (number / block + 1n) * block;
  }
  return number + 1n;
}

function label(dimension: Dimension, point: Point, index: number): AssignedValue {
  return labelAt(dimension, defined(point[index], 'a point has a coordinate for each dimension'));
}
