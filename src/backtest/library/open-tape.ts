/** `openTape()`: reads a tape: its markets, their definitions and their updates, in plain decimals. */

import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { nearest } from '../../core/collections/nearest.ts';
import { type Money, moneyToDecimal } from '../../core/number/units.ts';
import { type PlainEvent, plainEvent } from '../../recording/plain-event.ts';
import { eventsOf, type RecordedEvent, type UpdateColumns } from '../../recording/segment/update.ts';
import type { RecordedDefinition } from '../../recording/tape/definition.ts';
import { Tape } from '../../recording/tape/tape.ts';
import type { TapeCursor } from '../../recording/tape/tape-cursor.ts';
import type { TapeMarket } from '../../recording/tape/tape-schema.ts';
import { asOddsmithError, type ErrorCode } from './error-codes.ts';

/** What a tape says of one of its markets. Times are ms UTC. */
export interface TapeMarketInfo extends Pick<TapeMarket, 'bettingType' | 'grade' | 'winnerCount'> {
  readonly id: string;
  readonly name: string;
  readonly eventId: string;
  readonly eventName: string;
  readonly marketTypeId: string;
  readonly outcomes: readonly { readonly id: string; readonly title: string }[];
  readonly updates: number;
  readonly events: number;
  /** Of the first and the last update. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** Whether a backtest can replay it; if not, `refusal` says why. */
  readonly tradable: boolean;
  readonly refusal?: string;
  /** How many levels a side the source shows, where it shows the best few. */
  readonly depth?: number;
  /** How the market was made up; absent for one that was recorded. */
  readonly generated?: string;
  /** Spans in which its recorder received nothing of the market. */
  readonly gaps?: TapeMarket['gaps'];
  /** What the import could not keep, by name and count. */
  readonly losses?: TapeMarket['losses'];
  /** Rises of traded volume that were no trades, because the exchange valued other currencies anew; `stake` is a decimal. */
  readonly revaluations?: { readonly messages: number; readonly rises: number; readonly stake: number };
  readonly source: TapeMarket['source'];
}

/** One message of the source: what changed in a market at one instant, ms UTC. */
export interface TapeUpdate {
  readonly market: string;
  /** Counts the updates of a market from 0. */
  readonly sequence: number;
  readonly publishedAt: number;
  /** When it was received; the same as `publishedAt` where the source does not say. */
  readonly receivedAt: number;
  readonly events: readonly TapeEvent[];
}

/** A level is absolute: the stake that rests at a price from then on. A definition says what the market is from then on. */
export interface TapeEvent extends PlainEvent {
  readonly definition?: RecordedDefinition;
}

/** Publish times with from ≤ time < to, ms UTC. */
export interface TimeRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** @throws OddsmithError TAPE_NOT_FOUND, NOT_A_TAPE, TAPE_VERSION or TAPE_CORRUPT */
export function openTape(path: string): OpenTape {
  return guarded(() => new OpenTape(path, Tape.open(path)));
}

/** A tape that is read. It holds a file open until it is closed; `using` closes it. */
export class OpenTape implements Disposable {
  readonly path: string;
  /** Identity of the content, which does not depend on the file's name. */
  readonly sha256: string;
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

  close(): void {
    if (!this.#isClosed) this.#tape.close();
    this.#isClosed = true;
  }

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
