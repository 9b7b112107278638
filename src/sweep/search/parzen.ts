/** A Parzen estimator over points of a space: a mixture of one kernel around each point and a wide one around the middle. */

import { assert } from '../../core/checks/assert.ts';
import type { Random } from '../../core/number/random.ts';
import { binaryLog, halved } from '../../core/number/steady-math.ts';
import { coordinateAt, countOf, type Dimension, isOrdered, placeOf } from '../space/dimension.ts';
import type { Point, Space } from '../space/space.ts';

/** The kernel of one dimension: a normal over the places of an ordered one, cut at both ends; the chance of each value for any other. */
interface Kernel {
  readonly middle: number;
  readonly width: number;
  /** 1 ÷ (width · the share that lies between the ends). */
  readonly height: number;
}

/** Terms of the series; the 14th is below 2⁻⁵³ for exponents up to ln 2. */
const TERMS = 14;
/** 2 to the power of −k, exactly; beyond them there is nothing left. */
const HALVES = Float64Array.from({ length: 1_000 }, (_, k) => 1 / 2 ** k);
/** The part of the range that a kernel around one point covers: Optuna's multivariate estimator has the same. */
const WIDTH = 0.2;
/** The kernel around the middle, and how much it counts beside a point. */
const PRIOR: Kernel = kernelAt(0.5, 1);
const PRIOR_WEIGHT = 1;

export class Parzen {
  readonly #dimensions: readonly Dimension[];
  /** How many values a dimension without an order has. */
  readonly #words: readonly (number | undefined)[];
  /** The kernels by point, then by dimension. The last row is the prior's. */
  readonly #kernels: readonly (readonly Kernel[])[];

  constructor({ dimensions }: Space, points: readonly Point[]) {
    this.#dimensions = dimensions;
    this.#words = dimensions.map((each) => (isOrdered(each) ? undefined : countOf(each)));
    const width = widthOf(points.length, dimensions.length);
    const rows = points.map((point) =>
      dimensions.map((dimension, axis) => {
        const at = point[axis] ?? 0;
        // One step at least: between two values there is nothing to be found.
        const step = 1 / (countOf(dimension) ?? Number.POSITIVE_INFINITY);
        return isOrdered(dimension) ? kernelAt(placeOf(dimension, at), Math.max(width, step)) : kernelAt(at, 1);
      }),
    );
    this.#kernels = [...rows, dimensions.map(() => PRIOR)];
  }

  /** Draws a point from one of the kernels, each as likely as the next. */
  sample(random: Random): Point {
    const index = random.below(this.#kernels.length);
    const isPrior = index === this.#kernels.length - 1;
    return this.#dimensions.map((dimension, axis) => {
      const kernel = this.#kernels[index]?.[axis] ?? PRIOR;
      if (isOrdered(dimension)) return coordinateAt(dimension, placeWithin(kernel, random));
      const count = countOf(dimension) ?? 1;
      const isOwn = !isPrior && random.chance(ownChance(count, this.#kernels.length));
      return isOwn ? kernel.middle : random.below(count);
    });
  }

  /** How likely the point is, up to a factor that is the same for every estimator of the space. */
  densityAt(point: Point): number {
    const places = this.#dimensions.map((dimension, axis) => {
      const at = point[axis] ?? 0;
      return isOrdered(dimension) ? placeOf(dimension, at) : at;
    });
    let sum = 0;
    for (const [index, row] of this.#kernels.entries()) {
      const isPrior = index === this.#kernels.length - 1;
      // One power for all dimensions: it is most of the work.
      let factor = 1;
      let exponent = 0;
      for (const [axis, kernel] of row.entries()) {
        const count = this.#words[axis];
        const at = places[axis] ?? 0;
        if (count === undefined) {
          const z = (at - kernel.middle) / kernel.width;
          exponent += (z * z) / 2;
          factor *= kernel.height;
        } else {
          const own = isPrior ? 0 : ownChance(count, this.#kernels.length);
          factor *= (at === kernel.middle ? own : 0) + (1 - own) / count;
        }
      }
      sum += factor * decayed(exponent);
    }
    return sum / this.#kernels.length;
  }
}

/** Scott's rule: n to the power of −1 ÷ (d + 4); never so small that few points leave gaps between them. */
function widthOf(points: number, dimensions: number): number {
  const scott = WIDTH * halved(binaryLog(Math.max(1, points)) / (dimensions + 4));
  return Math.max(scott, 1 / Math.min(100, 2 + points));
}

function kernelAt(middle: number, width: number): Kernel {
  const share = normalBelow((1 - middle) / width) - normalBelow(-middle / width);
  return { middle, width, height: 1 / (width * share) };
}

/** A point's own value counts one, and the prior is shared between all values: with more points less of it falls to each. */
function ownChance(count: number, kernels: number): number {
  return 1 / (1 + (PRIOR_WEIGHT * count) / kernels);
}

function placeWithin({ middle, width }: Kernel, random: Random): number {
  for (;;) {
    const place = middle + width * random.normal();
    if (place >= 0 && place <= 1) return place;
  }
}

/** e to the power of −x, for x ≥ 0, with the same bits on every JavaScript engine. */
export function decayed(x: number): number {
  assert(x >= 0, `decayed takes numbers from 0 on, got ${x}`);
  const halvings = Math.floor(x / Math.LN2);
  const rest = x - halvings * Math.LN2;
  let sum = 1;
  for (let term = TERMS; term > 0; term -= 1) sum = 1 - (rest / term) * sum;
  return sum * (HALVES[halvings] ?? 0);
}

/** The share of a standard normal below z, with an error under 10⁻⁷: formula 7.1.26 of Abramowitz and Stegun. */
export function normalBelow(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const tail = (series * decayed(x * x)) / 2;
  return z > 0 ? 1 - tail : tail;
}
