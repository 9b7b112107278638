/** Prices in an answer and in the stream, read into the price books of their market. */

import { ZERO } from '../../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../../core/side.ts';
import type { MarketPrices } from '../../../exchange-live/markets/market-prices.ts';
import type { StreamUpdate } from '../../stream/stream-event.ts';
import { partFromWire, tickFromWire } from '../../wire/codec/decimals.ts';
import { WIRE_FAULTS } from '../../wire/codec/fault.ts';
import { instantFromWire } from '../../wire/codec/instants.ts';
import type { Read } from '../../wire/codec/notation.ts';
import type { PriceBook } from '../../wire/shapes/prices.ts';

export type PriceUpdate = Extract<StreamUpdate, { readonly type: 'MarketPriceUpdate' }>;
export type PolledBook = Read<typeof PriceBook>;

export const PRICE_FAULTS = {
  ...WIRE_FAULTS,
  UNKNOWN_OUTCOME: 'the market has no such outcome',
  UNKNOWN_SIDE: 'the side is neither For nor Against',
  UNKNOWN_UPDATE: 'the update is neither a snapshot nor an increment',
  NO_SNAPSHOT: 'an increment came while there is nothing to add it to',
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

/**
 * Applies a streamed update: a snapshot replaces all levels, an increment sets the levels that it names. Returns the parts that
 * were skipped.
 */
export function foldUpdate(prices: MarketPrices, update: PriceUpdate): readonly PriceFault[] {
  const isSnapshot = update.updateType === 'Snapshot';
  if (!isSnapshot && update.updateType !== 'Incremental') return [{ code: 'UNKNOWN_UPDATE', path: '' }];
  if (!isSnapshot && !prices.isKnown) return [{ code: 'NO_SNAPSHOT', path: '' }];
  const faults: PriceFault[] = [];
  if (isSnapshot) prices.clearLevels();
  let validText = '';
  for (const [index, level] of update.prices.entries()) {
    const code = setLevel(prices, level, level.liquidity);
    if (code !== undefined) faults.push({ code, path: `prices[${index}]` });
    // The levels of an update mostly have the same time, and parsing it is the expensive part.
    if (level.validAt !== validText) notePublished(prices, level.validAt);
    validText = level.validAt;
  }
  prices.taken('stream');
  return faults;
}

/** Applies a polled book, which replaces all levels and all traded amounts. Returns the parts that were skipped. */
export function replaceBook(prices: MarketPrices, book: PolledBook): readonly PriceFault[] {
  const faults: PriceFault[] = [];
  prices.clearLevels();
  prices.clearTraded();
  for (const [index, row] of book.prices.entries()) {
    const code = setLevel(prices, row, row.amount);
    if (code !== undefined) faults.push({ code, path: `prices[${index}]` });
    const tradedCode = addTraded(prices, row, row.matched);
    if (tradedCode !== undefined) faults.push({ code: tradedCode, path: `prices[${index}].matched` });
  }
  prices.taken('poll');
  return faults;
}

/**
 * Sets one level; returns the fault, if there is one. A level whose amount makes no sense is emptied, since no stake is certain
 * to rest there.
 */
function setLevel(prices: MarketPrices, row: Row, liquidity: number): FaultCode | undefined {
  const outcome = prices.outcomeOf(row.outcomeId);
  if (outcome === undefined) return 'UNKNOWN_OUTCOME';
  const side = restingSide(row.side);
  if (side === undefined) return 'UNKNOWN_SIDE';
  const tick = tickFromWire(row.price);
  if (tick.kind === 'faults') return tick.faults[0].code;
  const amount = partFromWire(liquidity);
  prices.setLevel(outcome, side, tick.value, amount.kind === 'read' ? amount.value : ZERO);
  return amount.kind === 'read' ? undefined : amount.faults[0].code;
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

function notePublished(prices: MarketPrices, validAt: string): void {
  const at = instantFromWire(validAt);
  if (at.kind === 'read') prices.published(at.value);
}

function restingSide(side: string): SideIndex | undefined {
  if (side === 'For') return FOR;
  return side === 'Against' ? AGAINST : undefined;
}
