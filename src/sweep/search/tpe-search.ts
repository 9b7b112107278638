/**
 * The tree-structured Parzen estimator, in synchronous generations: where are points that resemble the good trials and not the
 * others (J. Bergstra, R. Bardenet, Y. Bengio and B. Kégl, Algorithms for hyper-parameter optimization, NIPS 2011).
 */

import { Random } from '../../core/number/random.ts';
import { type Point, randomPoint, type Space } from '../space/space.ts';
import { Parzen } from './parzen.ts';
import { type PointSource, Proposals } from './proposals.ts';
import type { Generation, Score, Search, Trial } from './search.ts';

export interface TpeOptions {
  readonly trials: number;
  readonly generation: number;
  readonly seed: number;
  /** Trials before the first model. */
  readonly startup: number;
  /** Points drawn of which the best is proposed. */
  readonly candidates: number;
  /** The share of trials that counts as good, at most `GOOD_MOST` of them. */
  readonly good: number;
}

/** More good ones would draw the search back to what it has left behind. */
const GOOD_MOST = 25;
/** The draws for each candidate, where a condition or known points take most of them away. */
const DRAWS = 20;

export class TpeSearch implements Search {
  readonly asks = 'values';
  readonly #space: Space;
  readonly #options: TpeOptions;
  readonly #proposals: Proposals;
  readonly #random: Random;
  readonly #startup: PointSource;
  /** The points by the trial's number. */
  readonly #points: Point[] = [];

  /** `startup` gives the points before the first model. */
  constructor(space: Space, options: TpeOptions, startup: PointSource) {
    this.#space = space;
    this.#options = options;
    this.#proposals = new Proposals(space, options.trials);
    this.#random = Random.fromSeed(options.seed);
    this.#startup = startup;
  }

  next(scores: ReadonlyMap<number, Score>): Generation | undefined {
    const { generation, startup } = this.#options;
    const known = this.#points.length;
    const { good, others } = this.#split(scores);
    const isModelled = known >= startup && good.length > 0;
    const left = known < startup ? Math.min(generation, startup - known) : generation;
    const trials: Trial[] = [];
    while (trials.length < left) {
      // What is on its way counts as no success, so that a generation does not crowd around one point.
      const pending = this.#points.slice(known);
      const source = isModelled ? this.#modelled(good, [...others, ...pending]) : this.#startup;
      const point = this.#proposals.nextPoint(source, this.#random);
      if (point === undefined) break;
      trials.push(this.#proposals.take(point));
      this.#points.push(point);
    }
    return trials.length === 0 ? undefined : { trials };
  }

  /** The best first; of equals the earlier; trials without a value last. */
  #split(scores: ReadonlyMap<number, Score>): { readonly good: readonly Point[]; readonly others: readonly Point[] } {
    const valued = this.#points.map((point, number) => ({ point, number, value: scores.get(number)?.value }));
    valued.sort((a, b) => compared(b.value, a.value) || a.number - b.number);
    const some = valued.filter(({ value }) => value !== undefined).length;
    const count = Math.min(some, GOOD_MOST, Math.ceil(this.#options.good * valued.length));
    const points = valued.map(({ point }) => point);
    return { good: points.slice(0, count), others: points.slice(count) };
  }

  /** The best candidate first, and random points after it, should none be new. */
  #modelled(good: readonly Point[], others: readonly Point[]): PointSource {
    const likely = new Parzen(this.#space, good);
    const unlikely = new Parzen(this.#space, others);
    const { candidates } = this.#options;
    let best: { readonly point: Point; readonly gain: number } | undefined;
    for (let draw = 0, found = 0; found < candidates && draw < candidates * DRAWS; draw += 1) {
      const point = likely.sample(this.#random);
      if (!this.#proposals.isNew(point)) continue;
      found += 1;
      const gain = likely.densityAt(point) / unlikely.densityAt(point);
      if (best === undefined || gain > best.gain) best = { point, gain };
    }
    let first = best?.point;
    return () => {
      const point = first ?? randomPoint(this.#space, this.#random);
      first = undefined;
      return point;
    };
  }
}

function compared(a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return a - b;
}
