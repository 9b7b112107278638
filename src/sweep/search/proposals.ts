/** The trials of a search so far: each point once, and only points that fulfil the condition. */

import { hash } from 'node:crypto';
import { DigestSet } from '../../core/collections/digest-set.ts';
import type { Random } from '../../core/number/random.ts';
import { assignmentOf, fulfils, type Point, pointAt, type Space, sizeOf } from '../space/space.ts';
import type { Trial } from './search.ts';

/** The source of points; undefined: there are no more of them. */
export type PointSource = () => Point | undefined;

/** A space of at most so many points is counted through. */
const SMALL = 100_000;
/** After so many points in a row that were no new ones: in a small space the rest is picked from, in a large one the search ends. */
const MISSES_SMALL = 1_000;
const MISSES_LARGE = 100_000;

export class Proposals {
  readonly #space: Space;
  readonly #limit: number;
  readonly #seen = new DigestSet();
  readonly #isSmall: boolean;
  #points: Point[] | undefined;

  /** `limit` is the largest number of trials. */
  constructor(space: Space, limit: number) {
    this.#space = space;
    this.#limit = limit;
    const size = sizeOf(space);
    this.#isSmall = size !== undefined && size <= SMALL;
  }

  /** The number of the next trial. */
  get count(): number {
    return this.#seen.size;
  }

  isNew(point: Point): boolean {
    return fulfils(this.#space, point) && !this.#seen.has(this.#keyOf(point));
  }

  /** A point that is new. */
  take(point: Point): Trial {
    const number = this.#seen.size;
    this.#seen.add(this.#keyOf(point));
    return { number, assignment: assignmentOf(this.#space, point) };
  }

  /** Undefined where the limit is reached or no new point was found. */
  nextPoint(source: PointSource, random: Random): Point | undefined {
    if (this.#seen.size >= this.#limit) return undefined;
    for (let misses = 0; misses < (this.#isSmall ? MISSES_SMALL : MISSES_LARGE); misses += 1) {
      const point = source();
      if (point === undefined) return undefined;
      if (this.isNew(point)) return point;
    }
    return this.#isSmall ? this.#anyLeft(random) : undefined;
  }

  #anyLeft(random: Random): Point | undefined {
    this.#points ??= Array.from({ length: Number(sizeOf(this.#space)) }, (_, at) => pointAt(this.#space, BigInt(at)));
    this.#points = this.#points.filter((point) => this.isNew(point));
    return this.#points.length === 0 ? undefined : this.#points[random.below(this.#points.length)];
  }

  /** A key of the point's values, since two places of a range may be written as one number. */
  #keyOf(point: Point): string {
    return hash('sha256', JSON.stringify(Object.values(assignmentOf(this.#space, point))));
  }
}
