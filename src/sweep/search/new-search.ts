/** Makes the search of a configuration's block `search`, with the defaults of each method. */

import { assert } from '../../core/checks/assert.ts';
import type { SearchConfig } from '../space/read/sweep-schema.ts';
import { assignmentOf, fulfils, nextToTry, pointAt, type Space, sizeOf } from '../space/space.ts';
import { type PairedTest, RaceSearch } from './race-search.ts';
import { latinHypercube, randomPoints, SampledSearch } from './sampled-search.ts';
import type { Generation, Search, Trial } from './search.ts';
import { sobolPoints } from './sobol.ts';
import { TpeSearch } from './tpe-search.ts';

/** What only a race asks for. */
export interface RaceGround {
  /** How many event groups there are to play. */
  readonly events: number;
  readonly test: PairedTest;
}

const TRIALS = 200;
/** Enough for any number of jobs, and few enough to be held. */
const GENERATION = 1_000;
const SEED = 1;

/** The options of every method. What is left out has the method's default. */
interface Options {
  readonly method: 'grid' | 'random' | 'sobol' | 'latin-hypercube' | 'tpe' | 'race';
  readonly trials?: number;
  readonly generation?: number;
  readonly seed?: number;
  readonly scramble?: boolean;
  readonly startup?: number;
  readonly candidates?: number;
  readonly good?: number;
  readonly start?: 'grid' | 'random' | 'sobol' | 'latin-hypercube';
  readonly events?: number;
  readonly factor?: number;
  readonly alpha?: number;
}

export function newSearch(space: Space, config: SearchConfig, ground: RaceGround): Search {
  return searchOf(space, typeof config === 'string' ? { method: config } : config, ground);
}

function searchOf(space: Space, options: Options, ground: RaceGround): Search {
  const { method, trials = TRIALS, generation = GENERATION, seed = SEED, scramble = true } = options;
  const sample = { trials, generation, seed };
  switch (method) {
    case 'grid':
      return new GridSearch(space, { trials: options.trials, generation });
    case 'random':
      return new SampledSearch(space, sample, randomPoints(space, seed));
    case 'sobol':
      return new SampledSearch(space, sample, sobolPoints(space, scramble ? seed : undefined));
    case 'latin-hypercube':
      return new SampledSearch(space, sample, latinHypercube(space, sample));
    case 'tpe':
      return tpe(space, options);
    case 'race': {
      const { start = 'sobol', events, factor = 2, alpha = 0.05 } = options;
      const candidates = searchOf(space, { method: start, trials, seed }, ground);
      return new RaceSearch(candidates, { events, factor, alpha, eventsInAll: ground.events, test: ground.test });
    }
  }
}

function tpe(space: Space, options: Options): Search {
  const { trials = TRIALS, seed = SEED, generation = 16, startup = 16, candidates = 24, good = 0.1 } = options;
  return new TpeSearch(space, { trials, seed, generation, startup, candidates, good }, sobolPoints(space, seed));
}

interface GridOptions {
  /** The largest number of trials; undefined: all points. */
  readonly trials: number | undefined;
  readonly generation: number;
}

/** After so many points in a row that do not fulfil the condition it is worth finding out how far that goes. */
const PATIENCE = 16;

/** Every point of a finite space in the order of its number, none of them made before it is asked for. */
class GridSearch implements Search {
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
