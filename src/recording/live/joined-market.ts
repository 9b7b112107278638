/**
 * Joins a market that its recorder wrote onto several tapes: each part begins with a whole picture, of which only the
 * changes count.
 */

import { TICK_COUNT } from '../../core/number/ladder.ts';
import { DEFINITION, eventsOf, LEVEL, TRADE, type UpdateColumns } from '../segment/update.ts';
import { UpdateBuffer } from '../segment/update-buffer.ts';
import type { RecordedDefinition } from '../tape/definition.ts';
import type { TapeMarket } from '../tape/tape-schema.ts';

/** Whether the second market is the continuation of the first one's recording; two imports of one file are not. */
export function goesOn(first: TapeMarket, second: TapeMarket): boolean {
  const isLive = first.source.sha256 === '' && second.source.sha256 === '';
  const isSame = first.facts.id === second.facts.id && first.source.file === second.source.file;
  return isLive && isSame && outcomesOf(first) === outcomesOf(second) && second.firstAt >= first.lastAt;
}

function outcomesOf({ facts }: TapeMarket): string {
  return facts.outcomes.map(({ id }) => id).join();
}

/** The parts' updates, read as those of one market. */
export class JoinedMarket {
  /** The definitions of all parts; an update's definition is given by its index in this list. */
  readonly definitions: readonly RecordedDefinition[];
  readonly #firsts: readonly { readonly definition: number; readonly sequence: number }[];
  readonly #update = new UpdateBuffer();
  /** The level of each outcome, side and tick as last recorded, and the level in the current picture. */
  readonly #levels: Float64Array;
  readonly #picture: Float64Array;
  #definition = '';

  constructor(
    outcomes: number,
    parts: readonly { readonly definitions: readonly RecordedDefinition[]; readonly updates: number }[],
  ) {
    let definition = 0;
    let sequence = 0;
    this.#firsts = parts.map((part) => {
      const first = { definition, sequence };
      definition += part.definitions.length;
      sequence += part.updates;
      return first;
    });
    this.definitions = parts.flatMap((part) => part.definitions);
    this.#levels = new Float64Array(outcomes * 2 * TICK_COUNT);
    this.#picture = new Float64Array(outcomes * 2 * TICK_COUNT);
  }

  /**
   * Turns an update of a part into one of the joined market. Call it in the order of the updates; the result is valid
   * until the next call.
   */
  joinUpdate(part: number, update: UpdateColumns): UpdateBuffer {
    const first = this.#firsts[part] ?? { definition: 0, sequence: 0 };
    const joined = this.#update;
    if (part > 0 && update.sequence === 0) this.#join(update, first.definition);
    else {
      joined.copy(update);
      if (joined.isDefinition) joined.amount[0] = (joined.amount[0] ?? 0) + first.definition;
    }
    joined.sequence = first.sequence + update.sequence;
    this.#note(joined);
    return joined;
  }

  #note(update: UpdateColumns): void {
    for (let i = 0; i < update.count; i += 1) {
      if (update.kind[i] === LEVEL) this.#levels[cellOf(update, i)] = update.amount[i] ?? 0;
      else if (update.kind[i] === DEFINITION)
        this.#definition = JSON.stringify(this.definitions[update.amount[i] ?? 0]);
    }
  }

  /** Appends what the picture says that was not known, in the order in which a recorder writes it. */
  #join(update: UpdateColumns, firstDefinition: number): void {
    const joined = this.#update;
    joined.start(update.publishedAt, update.receivedAt);
    this.#picture.fill(0);
    for (const { kind, outcome, side, tick, amount } of eventsOf(update)) {
      if (kind === LEVEL) this.#picture[(outcome * 2 + side) * TICK_COUNT + tick] = amount;
      else if (kind === DEFINITION) {
        const number = amount + firstDefinition;
        if (JSON.stringify(this.definitions[number]) !== this.#definition) joined.definition(number);
      } else if (kind === TRADE) joined.trade(outcome, tick, amount);
    }
    this.#appendLevels((now, before) => now < before);
    this.#appendLevels((now, before) => now > before);
  }

  #appendLevels(isIncluded: (now: number, before: number) => boolean): void {
    for (let cell = 0; cell < this.#picture.length; cell += 1) {
      const now = this.#picture[cell] ?? 0;
      if (!isIncluded(now, this.#levels[cell] ?? 0)) continue;
      const row = Math.floor(cell / TICK_COUNT);
      this.#update.level(row >> 1, row % 2, cell % TICK_COUNT, now);
    }
  }
}

function cellOf(update: UpdateColumns, i: number): number {
  return ((update.outcome[i] ?? 0) * 2 + (update.side[i] ?? 0)) * TICK_COUNT + (update.tick[i] ?? 0);
}
