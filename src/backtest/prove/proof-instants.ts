/** Draws the instants of a proof by a seed: spread over markets and time, some just before a market turns in play or is settled. */

import { Random } from '../../core/number/random.ts';
import { DEFINITION, type PendingUpdate } from '../../recording/segment/update.ts';
import type { RecordedDefinition } from '../../recording/tape/definition.ts';
import type { ProofInstant } from '../../result/result.ts';
import type { SourceMarket, UpdateSource } from '../simulation/backtest-source.ts';

/** `market` is the index of the market whose update comes right after the instant. */
export interface DrawnInstant {
  readonly at: number;
  readonly kind: ProofInstant['kind'];
  readonly market: number;
}

/**
 * The instants in order of time, no two at one. A quarter of them (at least one of three) are just before markets turn
 * in play and a quarter just before they are settled, as far as there are such moments. Each of the others is drawn
 * from a span of its own, and all spans have equally many updates.
 */
export function drawInstants(
  source: UpdateSource,
  markets: readonly SourceMarket[],
  choice: { readonly count: number; readonly seed: number },
): readonly DrawnInstant[] {
  const random = Random.fromSeed(choice.seed);
  const total = markets.reduce((sum, { market }) => sum + market.updates, 0);
  const { spread, inPlay, settlements } = new Moments(source, placesOf(2 * choice.count, total, random)).read();
  const quarter = choice.count < 3 ? 0 : Math.max(1, Math.floor(choice.count / 4));
  const drawn = new Map<number, DrawnInstant>();
  for (const moments of [inPlay, settlements])
    for (const each of some(moments, quarter, random)) drawn.set(each.at, each);
  const others = new Map(spread.filter(({ at }) => !drawn.has(at)).map((each) => [each.at, each]));
  for (const each of some([...others.values()], choice.count - drawn.size, random)) drawn.set(each.at, each);
  return [...drawn.values()].sort((a, b) => a.at - b.at);
}

/** One place in each of so many spans of equally many updates. */
function placesOf(count: number, total: number, random: Random): readonly number[] {
  return Array.from({ length: count }, (_, span) => Math.floor(((span + random.uniform()) * total) / count));
}

/** Some members of the list, spread over it: one from each of `count` spans. */
function some<T>(list: readonly T[], count: number, random: Random): readonly T[] {
  if (list.length <= count) return list;
  return Array.from({ length: count }, (_, span) => {
    const from = Math.floor((span * list.length) / count);
    const to = Math.floor(((span + 1) * list.length) / count);
    return list[from + random.below(to - from)];
  }).filter((each) => each !== undefined);
}

/** Reads a run's updates once, for the moments of which instants may be drawn. */
class Moments {
  readonly #source: UpdateSource;
  readonly #places: readonly number[];
  readonly #spread: DrawnInstant[] = [];
  readonly #inPlay: DrawnInstant[] = [];
  readonly #settlements: DrawnInstant[] = [];
  /** For each market, the definition in force, and when the market last stopped to trade. */
  readonly #defined = new Map<number, RecordedDefinition>();
  readonly #stopped = new Map<number, DrawnInstant>();

  constructor(source: UpdateSource, places: readonly number[]) {
    this.#source = source;
    this.#places = places;
  }

  read() {
    let [count, next] = [0, 0];
    for (let update = this.#source.next(); update !== undefined; update = this.#source.next()) {
      const at = update.publishedAt - 1;
      if (update.isDefinition) this.#define(update, at);
      // Before a market's first update nobody is asked about it; and some updates of all come before.
      if (
        count >= (this.#places[next] ?? Number.POSITIVE_INFINITY) &&
        update.sequence > 0 &&
        at >= this.#source.startAt
      ) {
        this.#spread.push({ at, kind: 'random', market: this.#source.index });
        next += 1;
      }
      count += 1;
    }
    return { spread: this.#spread, inPlay: this.#inPlay, settlements: this.#settlements };
  }

  #define(update: PendingUpdate, at: number): void {
    const { index: market } = this.#source;
    const { count, kind, amount } = update.columns();
    for (let i = 0; i < count && kind[i] === DEFINITION; i += 1) {
      const before = this.#defined.get(market);
      const after = this.#source.recorded(market).definitions[amount[i] ?? 0];
      if (after === undefined) continue;
      this.#defined.set(market, after);
      if (before === undefined || at < this.#source.startAt) continue;
      if (before.inPlayStatus === 'PrePlay' && after.inPlayStatus === 'InPlay')
        this.#inPlay.push({ at, kind: 'beforeInPlay', market });
      if (isOpen(before) && !isOpen(after)) this.#stopped.set(market, { at, kind: 'beforeSettlement', market });
      if (hasEnded(after) && !hasEnded(before)) this.#settled(market, at);
    }
  }

  /** The last moment at which orders were taken, in one market, and the last one before the result, in the next. */
  #settled(market: number, at: number): void {
    const settled = { at, kind: 'beforeSettlement', market } as const;
    const isLastTrade = this.#settlements.length % 2 === 0;
    this.#settlements.push((isLastTrade ? this.#stopped.get(market) : undefined) ?? settled);
    this.#stopped.delete(market);
  }
}

function isOpen({ status, suspended }: RecordedDefinition): boolean {
  return status === 'Open' && !suspended;
}

function hasEnded({ status }: RecordedDefinition): boolean {
  return status === 'Settled' || status === 'Voided';
}
