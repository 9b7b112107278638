/** A recording as it would be if all after an instant had happened differently. */

import { Random } from '../../../core/number/random.ts';
import { type Instant, instant } from '../../../core/number/units.ts';
import { eventsOf, type PendingUpdate } from '../../../recording/segment/update.ts';
import { UpdateBuffer } from '../../../recording/segment/update-buffer.ts';
import type { RecordedMarket } from '../../../simulator/replay/played-market.ts';
import type { UpdateSource } from '../../simulation/backtest-source.ts';
import type { AlteredPart } from './alteration.ts';
import { AlteredMarket } from './altered-market.ts';
import { announcedOf, type FutureParts } from './cut-source.ts';
import { factsKnown } from './known-facts.ts';

export interface AlterationParts extends FutureParts {
  readonly alters: ReadonlySet<AlteredPart>;
  readonly seed: number;
}

/**
 * The recording with another future, by a seed: each outcome gets the prices, the volume and the result of another one and stakes are
 * between half and twice as large, so that another one wins; updates are shuffled in time and between markets; markets are suspended
 * and turn in play at other times; starting prices are others; and what comes, comes sooner or later. No book is crossed that was not,
 * and times go forward, so that it could have been recorded.
 */
export class AlteredSource implements UpdateSource {
  readonly startAt: Instant;
  index = 0;
  readonly #parts: AlterationParts;
  readonly #random: Random;
  readonly #markets = new Map<number, AlteredMarket>();
  readonly #shuffled: ShuffledUpdates | undefined;
  readonly #moved = new MovedTimes();
  #isAltered = false;

  constructor(parts: AlterationParts) {
    this.#parts = parts;
    this.#random = Random.fromSeed(parts.seed);
    this.startAt = parts.source.startAt;
    if (parts.alters.has('order')) this.#shuffled = new ShuffledUpdates(parts.source, this.#random.fork());
  }

  next(): PendingUpdate | undefined {
    return this.#isAltered ? this.#nextAltered(undefined) : this.#nextRecorded();
  }

  #nextRecorded(): PendingUpdate | undefined {
    const { source, instant } = this.#parts;
    const update = source.next();
    if (update === undefined) return undefined;
    this.index = source.index;
    if (update.publishedAt > instant) {
      this.#isAltered = true;
      return this.#nextAltered(update);
    }
    const market = this.#market(source.index);
    market.note(update.columns());
    // Its memory goes with it: nothing of it is left to alter.
    if (update.sequence + 1 === market.recorded.updates) this.#markets.delete(source.index);
    return update;
  }

  /** `first` is the first update after the instant, which has been read already. */
  #nextAltered(first: PendingUpdate | undefined): PendingUpdate | undefined {
    const { source, alters, instant } = this.#parts;
    const read = this.#shuffled === undefined ? (first ?? source.next()) : this.#shuffled.next(first);
    if (read === undefined) return undefined;
    this.index = this.#shuffled?.index ?? source.index;
    const altered = this.#market(this.index).altered(read.columns());
    if (alters.has('times')) this.#moved.move(altered, { after: instant, by: 0.5 + 1.5 * this.#random.uniform() });
    return altered;
  }

  recorded(index: number): RecordedMarket {
    const whole = this.#parts.source.recorded(index);
    const announced = announcedOf(this.#parts.announced, index);
    const known = whole.definitions.slice(0, announced);
    return { ...whole, definitions: this.#market(index).definitions, facts: factsKnown(whole, known) };
  }

  #market(index: number): AlteredMarket {
    let market = this.#markets.get(index);
    if (market === undefined) {
      const { source, announced, alters } = this.#parts;
      const random = Random.fromSeed(this.#parts.seed * 65_537 + index);
      const parts = { recorded: source.recorded(index), announced: announcedOf(announced, index), alters, random };
      market = new AlteredMarket(parts);
      this.#markets.set(index, market);
    }
    return market;
  }
}

const FIRST_LATER_MS = 2_000;

/** Makes each pause between two updates shorter or longer, so that their order stays. */
class MovedTimes {
  #from: number | undefined;
  #to = 0;

  move(update: UpdateBuffer, { after, by }: { readonly after: number; readonly by: number }): void {
    const { publishedAt, receivedAt } = update;
    const gap = publishedAt - (this.#from ?? after);
    // The first one comes right after the instant in the recording, and some seconds later here.
    const [from, more] = this.#from === undefined ? [after, FIRST_LATER_MS] : [this.#to, 0];
    this.#to = from + Math.max(0, Math.round((gap + more) * by));
    this.#from = publishedAt;
    update.publishedAt = instant(this.#to);
    update.receivedAt = instant(this.#to + Math.max(0, receivedAt - publishedAt));
  }
}

/** This many updates are read ahead and shuffled among themselves: a bound for the memory. */
const WINDOW = 64;

interface Place {
  readonly index: number;
  readonly outcomes: number;
  readonly update: UpdateBuffer;
}

/**
 * Updates of prices whose contents change places among the next ones of all markets. Times, markets and definitions stay in their places;
 * outcomes that a market has not are left out of what comes from another market.
 */
class ShuffledUpdates {
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
