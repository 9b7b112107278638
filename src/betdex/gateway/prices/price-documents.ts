/** Prices in an answer and in the stream, read into the price books of their market. */

import { WIRE_FAULTS } from '../../../codec/fault.ts';
import { instantFromWire } from '../../../codec/instants.ts';
import { type Lenient, Unreadable } from '../../../codec/lenient.ts';
import { defined } from '../../../core/checks/assert.ts';
import { type Instant, instant, ZERO } from '../../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../../core/side.ts';
import type { ExchangeTime } from '../../../exchange-live/markets/exchange-time.ts';
import type { Asked, MarketPrices, PriceLevel } from '../../../exchange-live/markets/market-prices.ts';
import type { Untold } from '../../../exchange-live/markets/untold-levels.ts';
import type { StreamUpdate } from '../../stream/stream-event.ts';
import { partFromWire, tickFromWire } from '../../wire/codec/decimals.ts';
import type { PriceBook } from '../../wire/shapes/prices.ts';

export type PriceUpdate = Extract<StreamUpdate, { readonly type: 'MarketPriceUpdate' }>;
export type PolledBook = Lenient<typeof PriceBook>;

export const PRICE_FAULTS = {
  ...WIRE_FAULTS,
  UNKNOWN_OUTCOME: 'the market has no such outcome',
  UNKNOWN_SIDE: 'the side is neither For nor Against',
  UNKNOWN_UPDATE: 'the update is neither a snapshot nor an increment',
  IN_THE_FUTURE: 'its time is not reached yet by the exchange’s own clock',
} as const;

type FaultCode = keyof typeof PRICE_FAULTS;

/** A part of an update that was skipped; the rest of the update is applied. */
export interface PriceFault {
  readonly code: FaultCode;
  /** Such as `prices[3]`; empty for the whole update. */
  readonly path: string;
}

interface Row {
  readonly side: string;
  readonly outcomeId: string;
  readonly price: number;
}

type Dated = PriceLevel & { readonly at: Instant };

/** When an update was received, ms on our clock, and what tells how old it is. */
interface Received {
  readonly receivedAt: number;
  readonly time: ExchangeTime;
}

/** What became of a streamed update. */
export interface FoldedUpdate {
  /** Whether any of it is as new as what is known. */
  readonly isTaken: boolean;
  /** Whether the book must be read: part of the update makes no sense, or nothing says when it was made. */
  readonly needsReading: boolean;
  readonly faults: readonly PriceFault[];
}

/**
 * Applies a streamed update: a snapshot is the whole book, an increment sets the levels that it names. Nothing that is older than
 * the book which was read last is applied.
 */
export function foldUpdate(prices: MarketPrices, update: PriceUpdate, { receivedAt, time }: Received): FoldedUpdate {
  const isWhole = update.updateType === 'Snapshot';
  if (!isWhole && update.updateType !== 'Incremental') return notTaken([{ code: 'UNKNOWN_UPDATE', path: '' }]);
  const faults: PriceFault[] = [];
  const levels: Dated[] = [];
  const timeOf = timesOf({ receivedAt, time });
  for (const [index, row] of update.prices.entries()) {
    if (row instanceof Unreadable) {
      faults.push(rowFault(row, index));
      continue;
    }
    const at = timeOf(row.validAt);
    const { level, code = typeof at === 'string' ? at : undefined } = levelOf(prices, row, row.liquidity);
    if (code !== undefined) faults.push({ code, path: `prices[${index}]` });
    if (level !== undefined && typeof at === 'number') levels.push({ ...level, at });
  }
  prices.hear(levels, { isWhole: isWhole && levels.length > 0, receivedAt });
  // A snapshot without a level does not say when it was made: it may be an old one.
  if (isWhole && levels.length === 0) return notTaken(faults);
  const take = isWhole ? takeWhole : takeSome;
  return { isTaken: take(prices, levels, { receivedAt, time }), needsReading: faults.length > 0, faults };
}

function notTaken(faults: readonly PriceFault[]): FoldedUpdate {
  return { isTaken: false, needsReading: true, faults };
}

/** The exchange made the whole of it no earlier than the newest of its levels. */
function takeWhole(prices: MarketPrices, levels: readonly Dated[], received: Received): boolean {
  const at = instant(levels.reduce((newest, level) => Math.max(newest, level.at), Number.NEGATIVE_INFINITY));
  if (isOutdated(prices, at, received)) return false;
  prices.tellWhole(levels, { at, receivedAt: received.receivedAt });
  return true;
}

function takeSome(prices: MarketPrices, levels: readonly Dated[], received: Received): boolean {
  const current = levels.filter(({ at }) => !isOutdated(prices, at, received));
  for (const level of current) prices.tell(level, { at: level.at, receivedAt: received.receivedAt });
  return current.length > 0;
}

/** Whether the book that was read last is certainly newer. */
function isOutdated({ readAt }: MarketPrices, at: Instant, { receivedAt, time }: Received): boolean {
  return receivedAt < readAt || at < time.earliest(readAt);
}

/** Reads times; the rows of an update mostly have the same one. */
function timesOf({ time, receivedAt }: Received): (text: string) => Instant | FaultCode {
  const known = new Map<string, Instant | FaultCode>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const read = instantFromWire(text);
    const code = read.kind === 'faults' ? read.faults[0].code : 'IN_THE_FUTURE';
    const at = read.kind === 'read' && time.note(read.value, receivedAt) ? read.value : code;
    known.set(text, at);
    return at;
  };
}

/** What became of a book that was read. */
interface ReadBook {
  /** Whether each of its levels could be read. */
  readonly isWhole: boolean;
  /** The parts that were skipped. */
  readonly faults: readonly PriceFault[];
  /** What earlier readings corrected and the stream never told. */
  readonly untold: Untold | undefined;
}

/** Applies a book that was read, with its traded amounts. */
export function replaceBook(prices: MarketPrices, book: PolledBook, asked: Asked): ReadBook {
  const faults: PriceFault[] = [];
  const traded: PriceFault[] = [];
  const levels: PriceLevel[] = [];
  prices.clearTraded();
  for (const [index, row] of book.prices.entries()) {
    if (row instanceof Unreadable) {
      faults.push(rowFault(row, index));
      continue;
    }
    const { level, code } = levelOf(prices, row, row.amount);
    if (code !== undefined) faults.push({ code, path: `prices[${index}]` });
    if (level !== undefined) levels.push(level);
    const tradedCode = addTraded(prices, row, row.matched);
    if (tradedCode !== undefined) traded.push({ code: tradedCode, path: `prices[${index}].matched` });
  }
  const isWhole = faults.length === 0;
  const untold = prices.read(levels, { ...asked, isPartial: !isWhole });
  return { isWhole, faults: [...faults, ...traded], untold };
}

function rowFault({ faults: [first] }: Unreadable, index: number): PriceFault {
  const { code, path } = defined(first, 'what is unreadable has a fault');
  return { code, path: `prices[${index}].${path}` };
}

/**
 * A row as a level, or what is wrong with it. A level whose amount makes no sense is an empty one, since no stake is certain to
 * rest there.
 */
function levelOf(prices: MarketPrices, row: Row, liquidity: number): { level?: PriceLevel; code?: FaultCode } {
  const outcome = prices.outcomeOf(row.outcomeId);
  if (outcome === undefined) return { code: 'UNKNOWN_OUTCOME' };
  const side = restingSide(row.side);
  if (side === undefined) return { code: 'UNKNOWN_SIDE' };
  const tick = tickFromWire(row.price);
  // What was matched between ladder prices is shown there, with nothing left.
  if (tick.kind === 'faults') return liquidity === 0 ? {} : { code: tick.faults[0].code };
  const amount = partFromWire(liquidity);
  const level = { outcome, side, tick: tick.value };
  if (amount.kind === 'faults') return { level: { ...level, amount: ZERO }, code: amount.faults[0].code };
  return { level: { ...level, amount: amount.value } };
}

/**
 * Adds a traded amount; returns the fault, if there is one. Prices off the ladder count too, since a fill may lie between
 * ladder prices.
 */
function addTraded(prices: MarketPrices, row: Row, matched: number): FaultCode | undefined {
  const outcome = prices.outcomeOf(row.outcomeId);
  if (outcome === undefined) return undefined;
  const amount = partFromWire(matched);
  if (amount.kind === 'faults') return amount.faults[0].code;
  prices.addTraded(outcome, amount.value);
  const side = restingSide(row.side);
  const tick = tickFromWire(row.price);
  if (side !== undefined && tick.kind === 'read') prices.setMatched(outcome, side, tick.value, amount.value);
  return undefined;
}

function restingSide(side: string): SideIndex | undefined {
  if (side === 'For') return FOR;
  return side === 'Against' ? AGAINST : undefined;
}
