/** Every point of a finite space in the order of its number, none of them made before it is asked for. */

import { assert } from '../../core/checks/assert.ts';
import { assignmentOf, fulfils, nextToTry, pointAt, type Space, sizeOf } from '../space/space.ts';
import type { Generation, Search, Trial } from './search.ts';

export interface GridOptions {
  /** The largest number of trials; undefined: all points. */
  readonly trials: number | undefined;
  readonly generation: number;
}

/** After so many points in a row that do not fulfil the condition it is worth finding out how far that goes. */
const PATIENCE = 16;

export class GridSearch implements Search {
  readonly asks = 'nothing';
  readonly #space: Space;
  readonly #options: GridOptions;
  readonly #size: bigint;
  #at = 0n;
  #count = 0;

  constructor(space: Space, options: GridOptions) {
    const size = sizeOf(space);
    assert(size !== undefined, 'a grid over a range is refused when the space is read');
    this.#space = space;
    this.#options = options;
    this.#size = size;
  }

  next(): Generation | undefined {
    const { trials = Number.POSITIVE_INFINITY, generation } = this.#options;
    const wanted = Math.min(generation, trials - this.#count);
    const found: Trial[] = [];
    let misses = 0;
    while (found.length < wanted && this.#at < this.#size) {
      const point = pointAt(this.#space, this.#at);
      if (!fulfils(this.#space, point)) {
        misses += 1;
        this.#at = misses < PATIENCE ? this.#at + 1n : nextToTry(this.#space, this.#at);
        continue;
      }
      misses = 0;
      found.push({ number: this.#count, assignment: assignmentOf(this.#space, point) });
      this.#count += 1;
      this.#at += 1n;
    }
    return found.length === 0 ? undefined : { trials: found };
  }
}
