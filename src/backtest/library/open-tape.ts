/** `openTape()`: reads a tape: its markets, their definitions and their updates, in plain decimals. */

import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { nearest } from '../../core/collections/nearest.ts';
import { type Money, moneyToDecimal } from '../../core/number/units.ts';
import { type PlainEvent, plainEvent } from '../../recording/plain-event.ts';
import { eventsOf, type RecordedEvent, type UpdateColumns } from '../../recording/segment/update.ts';
import type { RecordedDefinition } from '../../recording/tape/definition.ts';
import { Tape } from '../../recording/tape/tape.ts';
import type { TapeCursor } from '../../recording/tape/tape-cursor.ts';
import type { TapeGap, TapeMarket, TapeSource } from '../../recording/tape/tape-schema.ts';
import { asOddsmithError, type ErrorCode } from './error-codes.ts';

/** What a tape says of one of its markets. Times are ms UTC. */
export interface TapeMarketInfo extends Pick<TapeMarket, 'bettingType' | 'grade' | 'winnerCount'> {
  /** The source's id of the market. */
  readonly id: string;
  /** Its name, by the first definition that has one. */
  readonly name: string;
  /** Id of its event. */
  readonly eventId: string;
  /** Name of its event. */
  readonly eventName: string;
  /** The source's word for what is bet on, such as `WIN`. */
  readonly marketTypeId: string;
  /** Its outcomes in the market's order: `id`, which events and orders name, and `title`. */
  readonly outcomes: readonly { readonly id: string; readonly title: string }[];
  /** How many updates it has: what one message of the source says of it. */
  readonly updates: number;
  /** How many changes its updates hold. */
  readonly events: number;
  /** Publish time of the first update, ms UTC. */
  readonly firstAt: number;
  /** Publish time of the last update, ms UTC. */
  readonly lastAt: number;
  /** Whether a backtest can replay it; if not, `refusal` says why. */
  readonly tradable: boolean;
  /** Why it cannot be replayed: a line market, no result to settle it by, and the like. */
  readonly refusal?: string;
  /** How many levels a side the source shows, where it shows the best few. */
  readonly depth?: number;
  /** How the market was made up; absent for one that was recorded. */
  readonly generated?: string;
  /** Spans in which its recorder received nothing of the market. */
  readonly gaps?: readonly TapeGap[];
  /** What the import could not keep, by name and count. */
  readonly losses?: Readonly<Record<string, number>>;
  /** Rises of traded volume that were no trades, because the exchange valued other currencies anew: `rises` of a level in so many `messages`, of so much backer's `stake` (decimal). */
  readonly revaluations?: { readonly messages: number; readonly rises: number; readonly stake: number };
  /** The file or the exchange that it was recorded from. */
  readonly source: TapeSource;
}

/** One message of the source: what changed in a market at one instant, ms UTC. */
export interface TapeUpdate {
  /** Id of the market. */
  readonly market: string;
  /** Counts the updates of a market from 0. */
  readonly sequence: number;
  /** When the source published it, ms UTC. */
  readonly publishedAt: number;
  /** When it was received; the same as `publishedAt` where the source does not say. */
  readonly receivedAt: number;
  /** What changed, in the order in which it is applied. */
  readonly events: readonly TapeEvent[];
}

/** A level is absolute: the stake that rests at a price from then on. A definition says what the market is from then on. */
export interface TapeEvent extends PlainEvent {
  /** Of a definition: all of it. */
  readonly definition?: RecordedDefinition;
}

/** Publish times with from ≤ time < to, ms UTC. */
export interface TimeRange {
  /** The first publish time that counts, ms UTC. Left out: from the beginning. */
  readonly from?: number | undefined;
  /** The first publish time that counts no more, ms UTC. Left out: to the end. */
  readonly to?: number | undefined;
}

/**
 * Opens a tape for reading. A tape that is being recorded shows what it held when it was opened.
 *
 * @throws OddsmithError TAPE_NOT_FOUND, NOT_A_TAPE, TAPE_VERSION or TAPE_CORRUPT
 *
 * @example
 * using tape = openTape('data/august.tape');
 * for (const { id, name, grade, updates } of tape.markets) console.log(id, name, grade, updates);
 * for (const { publishedAt, events } of tape.updates(tape.markets[0]?.id)) console.log(publishedAt, events.length);
 */
export function openTape(path: string): OpenTape {
  return guarded(() => new OpenTape(path, Tape.open(path)));
}

/**
 * A tape that is read. It holds a file open until it is closed; `using` closes it.
 *
 * @example
 * const { firstAt } = tape.market('99000302');
 * for (const { events } of tape.updates('99000302', { from: firstAt, to: firstAt + 60_000 })) {
 *   for (const { kind, outcome, price } of events) if (kind === 'trade') console.log(outcome, price);
 * }
 */
export class OpenTape implements Disposable {
  /** The path that was opened. */
  readonly path: string;
  /** Identity of the content, which does not depend on the file's name. */
  readonly sha256: string;
  /** All its markets, in the order in which they are stored. */
  readonly markets: readonly TapeMarketInfo[];
  readonly #tape: Tape;
  #isClosed = false;

  /** Made by `openTape`. */
  constructor(path: string, tape: Tape) {
    this.path = path;
    this.#tape = tape;
    this.sha256 = tape.sha256;
    this.markets = tape.markets.map(marketInfo);
  }

  /** A market by its id. @throws OddsmithError NO_MARKETS */
  market(id: string): TapeMarketInfo {
    return this.markets[this.#indexOf(id)] as TapeMarketInfo;
  }

  /** All definitions of a market in their order, each with all of its outcomes. @throws OddsmithError NO_MARKETS, TAPE_CLOSED */
  definitions(id: string): readonly RecordedDefinition[] {
    this.#checkOpen();
    return guarded(() => this.#tape.definitions(this.#indexOf(id)));
  }

  /**
   * The updates of one market or of several, by publish time; of all markets where none is named. Each is a new object.
   * @throws OddsmithError NO_MARKETS, TAPE_CLOSED, TAPE_CORRUPT
   */
  *updates(ids?: string | readonly string[], { from, to }: TimeRange = {}): Generator<TapeUpdate, void, undefined> {
    this.#checkOpen();
    const named = typeof ids === 'string' ? [ids] : ids;
    const markets = named?.map((id) => this.#indexOf(id));
    const range = {
      ...(markets === undefined ? {} : { markets }),
      ...(from === undefined ? {} : { from: from as UpdateColumns['publishedAt'] }),
      ...(to === undefined ? {} : { to: to as UpdateColumns['publishedAt'] }),
    };
    const definitions = new Map<number, readonly RecordedDefinition[]>();
    const cursor = guarded(() => this.#tape.cursor(range));
    for (;;) {
      this.#checkOpen();
      const update = guarded(() => this.#next(cursor, definitions));
      if (update === undefined) return;
      yield update;
    }
  }

  /** Closes the file. What is read afterwards fails with TAPE_CLOSED; closing again does nothing. */
  close(): void {
    if (!this.#isClosed) this.#tape.close();
    this.#isClosed = true;
  }

  /** The same as `close`, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  #next(cursor: TapeCursor, definitions: Map<number, readonly RecordedDefinition[]>): TapeUpdate | undefined {
    const columns = cursor.next();
    if (columns === undefined) return undefined;
    const market = this.#tape.markets[columns.market] as TapeMarket;
    const known = (): readonly RecordedDefinition[] => {
      const own = definitions.get(market.index) ?? this.#tape.definitions(market.index);
      definitions.set(market.index, own);
      return own;
    };
    const { sequence, publishedAt, receivedAt } = columns;
    const events = Array.from(eventsOf(columns), (event) => eventOf(market, event, known));
    return { market: market.facts.id, sequence, publishedAt, receivedAt, events };
  }

  #indexOf(id: string): number {
    const index = this.markets.findIndex((market) => market.id === id);
    if (index >= 0) return index;
    const near = nearest(
      id,
      this.markets.map((market) => market.id),
    );
    throw new OddsmithError<ErrorCode>({
      code: 'NO_MARKETS',
      what: `No market ${id} is in the tape.`,
      where: this.path,
      next: near === undefined ? 'See `markets` of the tape for their ids.' : `Did you mean ${near}?`,
    });
  }

  #checkOpen(): void {
    if (!this.#isClosed) return;
    throw new OddsmithError<ErrorCode>({
      code: 'TAPE_CLOSED',
      what: 'The tape was closed before it was read.',
      where: this.path,
      next: 'Close it when all of it is read.',
    });
  }
}

function eventOf(
  market: TapeMarket,
  recorded: RecordedEvent,
  definitions: () => readonly RecordedDefinition[],
): TapeEvent {
  const event = plainEvent(market, recorded);
  if (event.number === undefined) return event;
  const definition = definitions()[event.number];
  return definition === undefined ? event : { ...event, definition };
}

function marketInfo(market: TapeMarket): TapeMarketInfo {
  const { facts, prices: _prices, index: _index, revaluations, ...rest } = market;
  const { id, name, eventId, eventName, marketTypeId, outcomes } = facts;
  const named = outcomes.map(({ id, title }) => ({ id, title }));
  const stake = (money: Money): number => moneyToDecimal(money);
  return {
    id,
    name,
    eventId,
    eventName,
    marketTypeId,
    outcomes: named,
    ...rest,
    ...(revaluations === undefined ? {} : { revaluations: { ...revaluations, stake: stake(revaluations.stake) } }),
  };
}

/** Failures of the tape as errors of the library. */
function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asOddsmithError(error);
  }
}
