/** Updates of prices whose contents change places among the next ones of all markets. */

import type { Random } from '../../../core/number/random.ts';
import { eventsOf, type PendingUpdate } from '../../../recording/segment/update.ts';
import { UpdateBuffer } from '../../../recording/segment/update-buffer.ts';
import type { UpdateSource } from '../../simulation/backtest-source.ts';

/** This many updates are read ahead and shuffled among themselves: a bound for the memory. */
const WINDOW = 64;

interface Place {
  readonly index: number;
  readonly outcomes: number;
  readonly update: UpdateBuffer;
}

/** Times, markets and definitions stay in their places; of what comes from another market, outcomes that this one has not are left out. */
export class ShuffledUpdates {
  /** Index in the run of the market of the last update. */
  index = 0;
  readonly #source: UpdateSource;
  readonly #random: Random;
  #places: Place[] = [];

  constructor(source: UpdateSource, random: Random) {
    this.#source = source;
    this.#random = random;
  }

  /** `first` is an update that the source has handed out already. */
  next(first: PendingUpdate | undefined): PendingUpdate | undefined {
    if (this.#places.length === 0) this.#fill(first);
    const place = this.#places.shift();
    if (place === undefined) return undefined;
    this.index = place.index;
    return place.update;
  }

  #fill(first: PendingUpdate | undefined): void {
    let update = first ?? this.#source.next();
    for (; update !== undefined; update = this.#source.next()) {
      const copy = new UpdateBuffer();
      copy.copy(update.columns());
      const { index } = this.#source;
      this.#places.push({ index, outcomes: this.#source.recorded(index).facts.outcomes.length, update: copy });
      if (this.#places.length === WINDOW) break;
    }
    const prices = this.#places.filter((place) => !place.update.isDefinition);
    const contents = prices.map((place) => {
      const content = new UpdateBuffer();
      content.copy(place.update);
      return content;
    });
    for (let i = contents.length - 1; i > 0; i -= 1) {
      const other = this.#random.below(i + 1);
      const [one, two] = [contents[i], contents[other]];
      if (one === undefined || two === undefined) continue;
      contents[i] = two;
      contents[other] = one;
    }
    for (const [at, place] of prices.entries()) fillFrom(place, contents[at]);
  }
}

function fillFrom({ update, outcomes }: Place, content: UpdateBuffer | undefined): void {
  update.start(update.publishedAt, update.receivedAt);
  if (content === undefined) return;
  for (const { kind, outcome, side, tick, amount } of eventsOf(content))
    if (outcome < outcomes) update.push(kind, outcome, side, tick, amount);
}
