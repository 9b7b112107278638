/** Which trials are near each other in the space: at most a step away in each ordered key, and equal in all others. */

import { defined } from '../../core/checks/assert.ts';
import { tickOfDecimal } from '../../core/number/ladder.ts';
import type { AssignedValue, Assignment } from '../space/assignment.ts';
import { type Dimension, isOrdered, numberOf } from '../space/dimension.ts';
import { positionBetween } from '../space/log-scale.ts';
import { toNumber } from '../space/quantity.ts';

/** Neighbours of a range, which has no steps, are a tenth of it away. */
const NEAR = 0.1;
/** What is left of decimals in a place. */
const ROUNDING = 1e-9;

/** Whether one is a neighbour of the other. No trial is its own neighbour. */
export function areNeighbours(dimensions: readonly Dimension[], a: Assignment, b: Assignment): boolean {
  let isOther = false;
  for (const dimension of dimensions) {
    const [of, to] = [a[dimension.key], b[dimension.key]];
    if (of === to || of === undefined || to === undefined) continue;
    if (!isNear(dimension, of, to)) return false;
    isOther = true;
  }
  return isOther;
}

function isNear(dimension: Dimension, a: AssignedValue, b: AssignedValue): boolean {
  if (!isOrdered(dimension)) return false;
  const limit = dimension.kind === 'range' ? NEAR : 1;
  return Math.abs(placeIn(dimension, a) - placeIn(dimension, b)) <= limit + ROUNDING;
}

/** The number of a value, or its place in a range from 0 to 1. */
function placeIn(dimension: Dimension, label: AssignedValue): number {
  switch (dimension.kind) {
    case 'list':
      return dimension.values.findIndex((value) => value.label === label);
    case 'ticks':
      return defined(tickOfDecimal(Number(label)), 'a value of the space is a price') / dimension.step;
    case 'steps': {
      const { decimals, step } = dimension;
      return numberIn(label) / toNumber({ digits: step, decimals });
    }
    case 'range': {
      const { from, to, isLog } = dimension;
      const at = numberIn(label);
      if (isLog) return positionBetween(from, to, at);
      return to === from ? 0 : (at - from) / (to - from);
    }
  }
}

function numberIn(label: AssignedValue): number {
  return defined(numberOf(label), 'a value of an ordered dimension is a number');
}
