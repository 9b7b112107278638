/** The markets of a run: chosen from its tapes, and their updates merged into one line of time. */

import { present } from '../core/assert.ts';
import type { Grade } from '../core/market.ts';
import type { Instant } from '../core/units.ts';
import type { Tape } from '../recording/tape.ts';
import type { TapeCursor } from '../recording/tape-cursor.ts';
import type { TapeMarket } from '../recording/tape-schema.ts';
import type { UpdateColumns } from '../recording/update.ts';
import type { MarketLeftOut } from '../report/result.ts';
import type { RecordedMarket } from '../simulator/replay-market.ts';
import type { MarketFilter } from './backtest-options.ts';

/** A market of the run; `index` counts over all tapes. */
export interface SourceMarket {
  readonly index: number;
  readonly tape: Tape;
  readonly market: TapeMarket;
}

export interface SourceChoice {
  readonly markets: readonly SourceMarket[];
  readonly leftOut: readonly MarketLeftOut[];
}

/** Chooses by the filter; what is no plain odds market, or stands in an earlier tape already, is left out and said. */
export function chooseMarkets(tapes: readonly Tape[], filter: MarketFilter): SourceChoice {
  const markets: SourceMarket[] = [];
  const leftOut: MarketLeftOut[] = [];
  const seen = new Set<string>();
  for (const tape of tapes) {
    for (const market of tape.markets) {
      const { id, name, eventId, marketTypeId } = market.facts;
      if (!allows(filter.ids, id) || !allows(filter.events, eventId) || !allows(filter.types, marketTypeId)) continue;
      if (market.refusal !== undefined) leftOut.push({ id, name, reason: market.refusal });
      else if (seen.has(id))
        leftOut.push({ id, name, reason: `the market is in an earlier tape already, not read from ${tape.path}` });
      else if (market.updates > 0) markets.push({ index: markets.length, tape, market });
      seen.add(id);
    }
  }
  return { markets, leftOut };
}

function allows(list: readonly string[], id: string): boolean {
  return list.length === 0 || list.includes(id);
}

interface Track {
  readonly cursor: TapeCursor;
  /** Index in the run by index in the tape. */
  readonly indexes: ReadonlyMap<number, number>;
  update: UpdateColumns | undefined;
}

/** Recorded updates in one line of time; the object given is reused. */
export interface UpdateSource {
  /** When the first update is published. */
  readonly startAt: Instant;
  /** Index in the run of the market of the update given last. */
  readonly index: number;
  next(): UpdateColumns | undefined;
  /** What is recorded of a market of the run. */
  recorded(index: number): RecordedMarket;
}

/** Updates of the given markets by (publish time, tape, market); the object given is reused. */
export class MergedUpdates implements UpdateSource {
  readonly startAt: Instant;
  readonly #tracks: Track[];
  readonly #markets: ReadonlyMap<number, SourceMarket>;
  #given: Track | undefined;
  /** Index in the run of the market of the update given last. */
  index = 0;

  constructor(markets: readonly SourceMarket[]) {
    this.startAt = Math.min(...markets.map(({ market }) => market.firstAt)) as Instant;
    this.#markets = new Map(markets.map((market) => [market.index, market]));
    const byTape = new Map<Tape, SourceMarket[]>();
    for (const market of markets) byTape.set(market.tape, [...(byTape.get(market.tape) ?? []), market]);
    this.#tracks = [...byTape].map(([tape, own]) => {
      const cursor = tape.cursor({ markets: own.map(({ market }) => market.index) });
      return { cursor, indexes: new Map(own.map(({ market, index }) => [market.index, index])), update: cursor.next() };
    });
  }

  next(): UpdateColumns | undefined {
    if (this.#given !== undefined) this.#given.update = this.#given.cursor.next();
    let first: Track | undefined;
    for (const track of this.#tracks) {
      if (track.update === undefined) continue;
      if (first?.update === undefined || track.update.publishedAt < first.update.publishedAt) first = track;
    }
    this.#given = first;
    if (first?.update === undefined) return undefined;
    this.index = present(first.indexes.get(first.update.market), 'a cursor gives the markets it was asked for');
    return first.update;
  }

  recorded(index: number): RecordedMarket {
    const { tape, market } = present(this.#markets.get(index), 'the market is one of the run');
    const { facts, grade, updates } = market;
    return { facts, grade, updates, definitions: tape.definitions(market.index) };
  }
}

const WORST_FIRST: readonly Grade[] = ['C', 'B-', 'A-', 'B', 'A'];

/** The worst grade of some markets: what a result rests on. */
export function worstGrade(markets: readonly TapeMarket[]): Grade {
  return WORST_FIRST.find((grade) => markets.some((market) => market.grade === grade)) ?? 'A';
}
