/** A market's recording read from its tapes into Maps, update by update: slow, obvious, and the judge of what the view shows. */

import { decimalOfTick, type Tick } from '../../../src/core/number/ladder.ts';
import { AGAINST } from '../../../src/core/side.ts';
import type { ViewBook, ViewPart } from '../../../src/pages/view-data.ts';
import {
  DEFINITION,
  eventsOf,
  LAST_PRICE,
  LEVEL,
  type RecordedEvent,
  TRADE,
} from '../../../src/recording/segment/update.ts';
import type { RecordedDefinition } from '../../../src/recording/tape/definition.ts';
import type { Tape } from '../../../src/recording/tape/tape.ts';

/** Stakes in millionths by price. */
interface OutcomeLadders {
  readonly for: Map<number, number>;
  readonly against: Map<number, number>;
  readonly traded: Map<number, number>;
  last: number | undefined;
}

/** A ladder as text: whole numbers, by price, so that equal ones are equal. */
export type LadderText = string;

interface Reading {
  readonly definitions: readonly RecordedDefinition[];
  readonly isPicture: boolean;
  /** In thousandths. */
  readonly priceOf: (tick: number) => number;
}

export class NaiveLadders {
  readonly outcomes: readonly OutcomeLadders[];
  definition: RecordedDefinition | undefined;
  /** Publish times of the instants that were read. */
  readonly instants: number[] = [];
  updates = 0;
  readonly #reading: Generator<{ readonly at: number; readonly apply: () => void }>;
  #held: { readonly at: number; readonly apply: () => void } | undefined;

  constructor(tapes: readonly Tape[], id: string) {
    const market = tapes.flatMap(({ markets }) => markets).find(({ facts }) => facts.id === id);
    this.outcomes = Array.from({ length: market?.facts.outcomes.length ?? 0 }, () => ({
      ...{ for: new Map(), against: new Map(), traded: new Map() },
      last: undefined,
    }));
    this.#reading = this.#read(tapes, id);
    this.#held = this.#reading.next().value;
  }

  /** When the next update is published. */
  get nextAt(): number | undefined {
    return this.#held?.at;
  }

  /** All that was published up to this instant. */
  to(at: number): this {
    while (this.#held !== undefined && this.#held.at <= at) {
      if (this.instants.at(-1) !== this.#held.at) this.instants.push(this.#held.at);
      this.updates += 1;
      this.#held.apply();
      this.#held = this.#reading.next().value;
    }
    return this;
  }

  text(): LadderText {
    return textOf(this.outcomes);
  }

  *#read(tapes: readonly Tape[], id: string) {
    let isFirst = true;
    for (const tape of tapes) {
      const market = tape.markets.find(({ facts }) => facts.id === id);
      if (market === undefined || market.updates === 0) continue;
      const definitions = tape.definitions(market.index);
      const { prices } = market;
      const priceOf = (tick: number): number => prices?.[tick] ?? Math.round(decimalOfTick(tick as Tick) * 1000);
      const cursor = tape.cursor({ markets: [market.index] });
      for (let update = cursor.next(); update !== undefined; update = cursor.next()) {
        const events = [...eventsOf(update)];
        // A later tape begins with a picture: all that rests, whatever was known before.
        const isPicture = !isFirst && update.sequence === 0;
        yield { at: update.publishedAt, apply: () => this.#apply(events, { definitions, isPicture, priceOf }) };
      }
      isFirst = false;
    }
  }

  #apply(events: readonly RecordedEvent[], { definitions, isPicture, priceOf }: Reading): void {
    if (isPicture)
      for (const ladders of this.outcomes) {
        ladders.for.clear();
        ladders.against.clear();
      }
    for (const { kind, outcome, side, tick, amount } of events) {
      const ladders = this.outcomes[outcome];
      if (kind === DEFINITION) this.definition = definitions[amount];
      if (kind === DEFINITION || ladders === undefined) continue;
      const price = priceOf(tick);
      if (kind === LEVEL) put(side === AGAINST ? ladders.against : ladders.for, price, amount);
      else if (kind === TRADE) ladders.traded.set(price, (ladders.traded.get(price) ?? 0) + amount);
      else if (kind === LAST_PRICE && !isPicture) ladders.last = price;
    }
  }
}

/** The book of a part and its updates up to an instant, without any memory of other parts. */
export function ladderOfPart({ book, updates }: ViewPart, at: number): LadderText {
  const outcomes = book.outcomes.map(laddersOf);
  for (const update of updates) {
    if (update.at > at) break;
    for (const [kind, outcome, price, stake] of update.events) {
      const ladders = outcomes[outcome];
      if (ladders === undefined) throw new Error(`an event is of outcome ${outcome}, which the market does not have`);
      const [key, amount] = [Math.round(price * 1000), Math.round(stake * 1e6)];
      if (kind === 'trade') ladders.traded.set(key, (ladders.traded.get(key) ?? 0) + amount);
      else if (kind === 'last') ladders.last = key;
      else put(ladders[kind], key, amount);
    }
  }
  return textOf(outcomes);
}

/** Also says where a ladder does not stand best first. */
export function bookFault({ outcomes }: ViewBook): string | undefined {
  for (const [outcome, ladders] of outcomes.entries())
    for (const [name, sign] of [
      ['for', 1],
      ['against', -1],
      ['traded', 1],
    ] as const) {
      const prices = ladders[name].map(([price]) => sign * price);
      if (prices.some((price, at) => at > 0 && price <= (prices[at - 1] ?? 0))) return `outcome ${outcome}, ${name}`;
    }
  return undefined;
}

function laddersOf({ last, ...ladders }: ViewBook['outcomes'][number]): OutcomeLadders {
  const map = (pairs: readonly (readonly [number, number])[]): Map<number, number> =>
    new Map(pairs.map(([price, stake]) => [Math.round(price * 1000), Math.round(stake * 1e6)]));
  return {
    ...{ for: map(ladders.for), against: map(ladders.against), traded: map(ladders.traded) },
    last: last === undefined ? undefined : Math.round(last * 1000),
  };
}

function put(levels: Map<number, number>, price: number, stake: number): void {
  if (stake === 0) levels.delete(price);
  else levels.set(price, stake);
}

export function textOf(outcomes: readonly OutcomeLadders[]): LadderText {
  const text = (levels: ReadonlyMap<number, number>): string =>
    [...levels]
      .sort(([a], [b]) => a - b)
      .map(([price, stake]) => `${price}:${stake}`)
      .join(' ');
  return outcomes
    .map(
      (ladders) =>
        `for ${text(ladders.for)} / against ${text(ladders.against)} / traded ${text(ladders.traded)} / last ${ladders.last}`,
    )
    .join('\n');
}
