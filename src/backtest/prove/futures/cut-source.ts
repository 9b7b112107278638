/** A recording as it would be if all after an instant had not been recorded yet. */

import type { Instant } from '../../../core/number/units.ts';
import { DEFINITION, type PendingUpdate } from '../../../recording/segment/update.ts';
import { UpdateBuffer } from '../../../recording/segment/update-buffer.ts';
import type { RecordedMarket } from '../../../simulator/replay/played-market.ts';
import type { UpdateSource } from '../../simulation/backtest-source.ts';
import { factsKnown } from './known-facts.ts';

/** How many definitions of each market were published up to an instant, by the market's index in the run. */
export type AnnouncedDefinitions = ReadonlyMap<number, number>;

export function announcedUpTo(source: UpdateSource, instant: number): AnnouncedDefinitions {
  const announced = new Map<number, number>();
  for (let update = source.next(); update !== undefined; update = source.next()) {
    if (update.publishedAt > instant) break;
    if (!update.isDefinition) continue;
    const { count, kind, amount } = update.columns();
    for (let i = 0; i < count && kind[i] === DEFINITION; i += 1) {
      // An event of a definition holds its index.
      const known = announced.get(source.index) ?? 0;
      announced.set(source.index, Math.max(known, (amount[i] ?? 0) + 1));
    }
  }
  return announced;
}

export interface FutureParts {
  readonly source: UpdateSource;
  /** The last moment that stays as it was. */
  readonly instant: number;
  readonly announced: AnnouncedDefinitions;
}

/**
 * The number of definitions that were announced, and at least one: a market cannot be opened without a definition, though its recording may
 * begin without.
 */
export function announcedOf(announced: AnnouncedDefinitions, index: number): number {
  return Math.max(1, announced.get(index) ?? 0);
}

/**
 * The recording up to an instant and nothing after it: no update, no definition, no winner, no name. An update without content moves
 * the clock past the instant, so that all that was due until then still happens. A strategy that knows the very next update is found
 * out by that: at its last decision before the instant there is none.
 */
export class CutSource implements UpdateSource {
  readonly startAt: Instant;
  readonly #parts: FutureParts;
  readonly #emptied = new UpdateBuffer();
  #isOver = false;

  constructor(parts: FutureParts) {
    this.#parts = parts;
    this.startAt = parts.source.startAt;
  }

  get index(): number {
    return this.#parts.source.index;
  }

  next(): PendingUpdate | undefined {
    if (this.#isOver) return undefined;
    const { source, instant } = this.#parts;
    let update = source.next();
    if (update !== undefined && update.publishedAt <= instant) return update;
    this.#isOver = true;
    // A market's first update without its content would open a market of which nothing is known.
    while (update?.sequence === 0) update = source.next();
    return update === undefined ? undefined : this.#emptiedOf(update);
  }

  recorded(index: number): RecordedMarket {
    const { source, announced } = this.#parts;
    const whole = source.recorded(index);
    const definitions = whole.definitions.slice(0, announcedOf(announced, index));
    return { ...whole, definitions, facts: factsKnown(whole, definitions) };
  }

  #emptiedOf({ market, sequence, publishedAt }: PendingUpdate): PendingUpdate {
    const emptied = this.#emptied;
    emptied.start(publishedAt);
    emptied.market = market;
    emptied.sequence = sequence;
    return emptied;
  }
}
