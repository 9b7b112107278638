/** A search whose points do not depend on scores: random, Sobol, Latin hypercube. */

import { Random } from '../../core/number/random.ts';
import { coordinateAt } from '../space/dimension.ts';
import { type Point, pointAt, randomPoint, type Space, sizeOf } from '../space/space.ts';
import { type PointSource, Proposals } from './proposals.ts';
import type { Generation, Search, Trial } from './search.ts';

export interface SampleOptions {
  readonly trials: number;
  readonly generation: number;
  readonly seed: number;
}

export class SampledSearch implements Search {
  readonly asks = 'nothing';
  readonly #options: SampleOptions;
  readonly #source: PointSource;
  readonly #random: Random;
  readonly #proposals: Proposals;

  constructor(space: Space, options: SampleOptions, source: PointSource) {
    this.#options = options;
    this.#source = source;
    this.#random = Random.fromSeed(options.seed).fork();
    this.#proposals = new Proposals(space, options.trials);
  }

  next(): Generation | undefined {
    const trials: Trial[] = [];
    while (trials.length < this.#options.generation) {
      const point = this.#proposals.nextPoint(this.#source, this.#random);
      if (point === undefined) break;
      trials.push(this.#proposals.take(point));
    }
    return trials.length === 0 ? undefined : { trials };
  }
}

/** Points by chance. A finite space gives each point once, until there are no more. */
export function randomPoints(space: Space, seed: number): PointSource {
  const random = Random.fromSeed(seed);
  const size = sizeOf(space);
  if (size === undefined || size > LazyShuffle.most) return () => randomPoint(space, random);
  const shuffle = new LazyShuffle(Number(size), random);
  return () => {
    const number = shuffle.next();
    return number === undefined ? undefined : pointAt(space, BigInt(number));
  };
}

/**
 * A Latin hypercube of so many points: each dimension is cut into as many parts of equal width, and each part is hit once
 * (McKay, Beckman and Conover 1979). Random points follow in place of those that the condition or a finite space takes away.
 */
export function latinHypercube(space: Space, { trials, seed }: SampleOptions): PointSource {
  const random = Random.fromSeed(seed);
  const parts = space.dimensions.map(() => {
    const shuffle = new LazyShuffle(trials, random);
    return Uint32Array.from({ length: trials }, () => shuffle.next() ?? 0);
  });
  let at = 0;
  return (): Point => {
    if (at >= trials) return randomPoint(space, random);
    const index = at;
    at += 1;
    return space.dimensions.map((dimension, axis) =>
      coordinateAt(dimension, ((parts[axis]?.[index] ?? 0) + random.uniform()) / trials),
    );
  };
}

/** The numbers from 0 to n − 1 in random order, each once, without a list of them: a Fisher–Yates shuffle that keeps what it moved. */
class LazyShuffle {
  static readonly most = 2 ** 32;
  readonly #random: Random;
  readonly #moved = new Map<number, number>();
  #left: number;

  constructor(count: number, random: Random) {
    this.#left = count;
    this.#random = random;
  }

  /** Undefined when all have been. */
  next(): number | undefined {
    if (this.#left === 0) return undefined;
    const at = this.#random.below(this.#left);
    this.#left -= 1;
    const drawn = this.#moved.get(at) ?? at;
    this.#moved.set(at, this.#moved.get(this.#left) ?? this.#left);
    this.#moved.delete(this.#left);
    return drawn;
  }
}
