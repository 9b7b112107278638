/** The markets of a run: chosen from its tapes, with their updates merged by time. */

import { defined } from '../../core/checks/assert.ts';
import type { Grade } from '../../core/market.ts';
import type { Instant } from '../../core/number/units.ts';
import { goesOn, JoinedMarket } from '../../recording/live/joined-market.ts';
import type { PendingUpdate } from '../../recording/segment/update.ts';
import type { Tape } from '../../recording/tape/tape.ts';
import type { TapeCursor } from '../../recording/tape/tape-cursor.ts';
import type { TapeMarket } from '../../recording/tape/tape-schema.ts';
import type { MarketLeftOut } from '../../result/result.ts';
import type { WindowRule } from '../../simulator/replay/market-window.ts';
import type { RecordedMarket } from '../../simulator/replay/played-market.ts';
import { entrySegment } from '../../simulator/replay/window-entry.ts';
import type { MarketFilter } from '../options/backtest-options.ts';

/** A market of the run; `index` counts over all tapes. Counts and times of `market` are those of all its parts. */
export interface SourceMarket {
  readonly index: number;
  readonly tape: Tape;
  readonly market: TapeMarket;
  /** The parts of its recording on later tapes, in order; absent where it is on one tape. */
  readonly later?: readonly SourcePart[];
}

export interface SourcePart {
  readonly tape: Tape;
  readonly market: TapeMarket;
}

export interface SourceChoice {
  readonly markets: readonly SourceMarket[];
  readonly leftOut: readonly MarketLeftOut[];
  /** Names of the filter that no market of the tapes has. */
  readonly strange: readonly StrangeName[];
  /** Ids of all markets of the tapes, chosen or not. */
  readonly onTapes: ReadonlySet<string>;
}

/** The names that choose markets; a window only says when strategies are asked in them. */
type MarketNames = Omit<MarketFilter, 'window'>;

export interface StrangeName {
  readonly key: 'types' | 'ids' | 'events';
  readonly name: string;
}

/**
 * Chooses by the filter. `leftOut` has the chosen markets that cannot be replayed: those that are no plain odds markets, and those
 * that an earlier tape holds already without ending where this one begins.
 */
export function chooseMarkets(tapes: readonly Tape[], filter: MarketNames): SourceChoice {
  const markets: SourceMarket[] = [];
  const leftOut: MarketLeftOut[] = [];
  const indexById = new Map<string, number>();
  for (const tape of tapes) {
    for (const market of tape.markets) {
      const { id, name, eventId, marketTypeId } = market.facts;
      if (!allows(filter.ids, id) || !allows(filter.events, eventId) || !allows(filter.types, marketTypeId)) continue;
      const known = markets[indexById.get(id) ?? -1];
      if (market.refusal !== undefined) leftOut.push({ id, name, reason: market.refusal });
      else if (market.updates === 0) continue;
      else if (known === undefined) {
        indexById.set(id, markets.length);
        markets.push({ index: markets.length, tape, market });
      } else if (goesOn(known.market, market)) markets[known.index] = continued(known, { tape, market });
      else leftOut.push({ id, name, reason: `the market is in an earlier tape already, not read from ${tape.path}` });
    }
  }
  const onTapes = new Set(tapes.flatMap((tape) => tape.markets.map(({ facts }) => facts.id)));
  return { markets, leftOut, strange: strangeNames(tapes, filter), onTapes };
}

function strangeNames(tapes: readonly Tape[], filter: MarketNames): readonly StrangeName[] {
  const facts = tapes.flatMap((tape) => tape.markets.map((market) => market.facts));
  const known = {
    types: new Set(facts.map(({ marketTypeId }) => marketTypeId)),
    ids: new Set(facts.map(({ id }) => id)),
    events: new Set(facts.map(({ eventId }) => eventId)),
  };
  return (['types', 'ids', 'events'] as const).flatMap((key) =>
    filter[key].filter((name) => !known[key].has(name)).map((name) => ({ key, name })),
  );
}

function continued(known: SourceMarket, part: SourcePart): SourceMarket {
  const { market, later = [] } = known;
  const { updates, events, lastAt } = part.market;
  const whole = { ...market, updates: market.updates + updates, events: market.events + events, lastAt };
  return { ...known, market: whole, later: [...later, part] };
}

function allows(list: readonly string[], id: string): boolean {
  return list.length === 0 || list.includes(id);
}

interface TapeTrack {
  readonly cursor: TapeCursor;
  /** The places by the market's index in the tape; undefined where a market is not one of the run. */
  readonly places: readonly (Place | undefined)[];
  update: PendingUpdate | undefined;
  /** How many updates it stands for, beside itself. */
  leftOut: number;
}

/** Which market of the run a market of a tape is, and which of its parts. */
interface Place {
  readonly index: number;
  readonly part: number;
}

/** Recorded updates of all markets in the order of time. Each update is valid until the next one is read. */
export interface UpdateSource {
  /** When the first update is published. */
  readonly startAt: Instant;
  /** Index in the run of the market of the last update. */
  readonly index: number;
  next(): PendingUpdate | undefined;
  /**
   * Like `next` for an update of prices alone that needs no merging; undefined for any other, which `next` then returns. Absent where
   * a source has only `next`.
   */
  nextPrices?(): PendingUpdate | undefined;
  /** How many updates of its market the update that `next` returned last stands for, beside itself. Absent: none ever does. */
  readonly leftOut?: number;
  /** What is recorded of a market of the run. */
  recorded(index: number): RecordedMarket;
}

/** Which updates a replay need not read: those before the window of a market, but the last `memoryMs`, where its tape has pictures. */
export interface UnseenUpdates {
  readonly rule: WindowRule;
  readonly memoryMs: number;
}

/** Updates of the given markets by (publish time, tape, market). */
export class MergedUpdates implements UpdateSource {
  readonly startAt: Instant;
  readonly #tracks: TapeTrack[];
  /** Nearly always there is one tape. */
  readonly #only: TapeTrack | undefined;
  readonly #markets: ReadonlyMap<number, SourceMarket>;
  readonly #joined: ReadonlyMap<number, JoinedMarket>;
  readonly #isJoined: boolean;
  /** The tape of the last update: it has to be advanced before the next one is chosen. */
  #given: TapeTrack | undefined;
  /** Set once the only tape has returned its first update, where no market goes on on another tape: `nextPrices` reads from it. */
  #prompt: TapeTrack | undefined;
  /** Index in the run of the market of the last update. */
  index = 0;
  leftOut = 0;
  readonly #unseen: UnseenUpdates | undefined;
  /** The market whose definitions were read last: they are asked for again at once. */
  #read: { readonly index: number; readonly recorded: RecordedMarket } | undefined;

  constructor(markets: readonly SourceMarket[], unseen?: UnseenUpdates) {
    this.#unseen = unseen;
    this.startAt = Math.min(...markets.map(({ market }) => market.firstAt)) as Instant;
    this.#markets = new Map(markets.map((market) => [market.index, market]));
    this.#joined = new Map(
      markets.flatMap((market) => (market.later === undefined ? [] : [[market.index, joinedOf(market)]])),
    );
    const placesByTape = new Map<Tape, (Place | undefined)[]>();
    for (const { index, tape, market, later = [] } of markets) {
      for (const [part, on] of [{ tape, market }, ...later].entries()) {
        const places = placesByTape.get(on.tape) ?? on.tape.markets.map(() => undefined);
        places[on.market.index] = { index, part };
        placesByTape.set(on.tape, places);
      }
    }
    this.#tracks = [...placesByTape].map(([tape, places]) => {
      const pictureOf = unseen && ((market: number) => this.#pictureOf(tape, market, places[market]));
      const cursor = tape.cursor({
        markets: places.flatMap((place, at) => (place === undefined ? [] : [at])),
        pictureOf,
      });
      return { cursor, places, update: cursor.nextPending(), leftOut: 0 };
    });
    if (this.#tracks.length === 1) this.#only = this.#tracks[0];
    this.#isJoined = this.#joined.size > 0;
  }

  next(): PendingUpdate | undefined {
    if (this.#given !== undefined) advance(this.#given);
    const first = this.#only ?? this.#earliest();
    this.#given = first;
    if (!this.#isJoined) this.#prompt = this.#only;
    const update = first?.update;
    if (first === undefined || update === undefined) return undefined;
    const { index, part } = defined(first.places[update.market], NOT_ASKED_FOR);
    this.index = index;
    this.leftOut = first.leftOut;
    return this.#isJoined ? (this.#joined.get(index)?.joinUpdate(part, update.columns()) ?? update) : update;
  }

  nextPrices(): PendingUpdate | undefined {
    const prompt = this.#prompt;
    if (prompt === undefined) return undefined;
    const update = prompt.cursor.nextPrices();
    if (update !== undefined) this.index = defined(prompt.places[update.market], NOT_ASKED_FOR).index;
    return update;
  }

  #earliest(): TapeTrack | undefined {
    let first: TapeTrack | undefined;
    for (const track of this.#tracks) {
      if (track.update === undefined) continue;
      if (first?.update === undefined || track.update.publishedAt < first.update.publishedAt) first = track;
    }
    return first;
  }

  /** The picture with which a market begins that is on one tape. */
  #pictureOf(tape: Tape, market: number, place: Place | undefined): number | undefined {
    const outline = place === undefined || this.#joined.has(place.index) ? undefined : tape.outline(market);
    if (place === undefined || outline === undefined || this.#unseen === undefined) return undefined;
    const recorded = this.#recorded(place.index);
    this.#read = { index: place.index, recorded };
    const { definitions, depth } = recorded;
    const { rule, memoryMs } = this.#unseen;
    return entrySegment({ outline, definitions, rule, memoryMs: depth === undefined ? 0 : memoryMs });
  }

  recorded(index: number): RecordedMarket {
    const read = this.#read;
    this.#read = undefined;
    return read?.index === index ? read.recorded : this.#recorded(index);
  }

  #recorded(index: number): RecordedMarket {
    const { tape, market } = defined(this.#markets.get(index), 'the market is one of the run');
    const { facts, grade, updates, depth, minimumStake } = market;
    const definitions = this.#joined.get(index)?.definitions ?? tape.definitions(market.index);
    const told = { ...(depth === undefined ? {} : { depth }), ...(minimumStake && { minimumStake }) };
    const recorded = { facts, grade, updates, definitions, ...told };
    return isBetfairs(market) ? { ...recorded, exchange: 'betfair' } : recorded;
  }
}

function advance(track: TapeTrack): void {
  track.update = track.cursor.nextPending();
  track.leftOut = track.cursor.leftOut;
}

/** Whether it was imported from a file of Betfair's. What is recorded live, or generated, comes from the API's own exchange. */
function isBetfairs({ source, generated }: TapeMarket): boolean {
  return source.sha256 !== '' && generated === undefined;
}

const NOT_ASKED_FOR = 'a cursor gives the markets it was asked for';

function joinedOf({ tape, market, later = [] }: SourceMarket): JoinedMarket {
  const parts = [{ tape, market }, ...later].map((part) => ({
    definitions: part.tape.definitions(part.market.index),
    updates: part.market.updates,
  }));
  const after = later.reduce((sum, part) => sum + part.market.updates, 0);
  const [first] = parts;
  if (first !== undefined) parts[0] = { ...first, updates: first.updates - after };
  return new JoinedMarket(market.facts.outcomes.length, parts);
}

const WORST_FIRST: readonly Grade[] = ['C', 'B-', 'A-', 'B', 'A'];

/** The worst grade of some markets. */
export function worstGrade(markets: readonly TapeMarket[]): Grade {
  return WORST_FIRST.find((grade) => markets.some((market) => market.grade === grade)) ?? 'A';
}
