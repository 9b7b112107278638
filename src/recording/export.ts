/** Writes a tape out as text, piece by piece: JSON lines or CSV, in our own terms and plain decimals. */

import { assert, defined } from '../core/checks/assert.ts';
import { decimalOfTick, tick } from '../core/number/ladder.ts';
import { MONEY_SCALE, PRICE_SCALE } from '../core/number/units.ts';
import { sideOf } from '../core/side.ts';
import { DEFINITION, LAST_PRICE, LEVEL, STARTING_PRICE, TRADE, type UpdateColumns } from './segment/update.ts';
import type { RecordedDefinition } from './tape/definition.ts';
import type { CursorRange, Tape } from './tape/tape.ts';
import type { TapeMarket } from './tape/tape-schema.ts';

/** The formats of an export. */
export type ExportFormat = 'jsonl' | 'csv';

const STARTING_PRICE_NAMES = ['near', 'far', 'reconciled'];
const CSV_HEADER = 'market,sequence,publishedAt,receivedAt,kind,outcome,side,price,stake\n';

/**
 * Pieces of text that together are the whole export; the memory used does not grow with the tape.
 *
 * JSON lines: a line `{"kind":"market",…}` for each market, then `{"kind":"update",…,"events":[…]}` by time.
 * CSV: a row for each event by time, and one with an empty kind for an update without events; a definition's row has
 * only its number, because a definition does not fit into one.
 */
export function* exportTape(tape: Tape, format: ExportFormat, range: CursorRange = {}): Generator<string> {
  const chosen = new Set(range.markets ?? tape.markets.map((market) => market.index));
  if (format === 'csv') yield CSV_HEADER;
  else
    for (const market of tape.markets)
      if (chosen.has(market.index)) yield `${JSON.stringify({ kind: 'market', ...market })}\n`;
  const definitions = new Map<number, readonly RecordedDefinition[]>();
  const cursor = tape.cursor(range);
  for (let update = cursor.next(); update !== undefined; update = cursor.next()) {
    const market = defined(tape.markets[update.market], 'a cursor gives updates of the tape');
    if (format === 'csv') yield csvOf(market, update);
    else yield jsonOf(market, update, definitionsOf(tape, definitions, update));
    // After its last update a market's definitions are not needed any more.
    if (update.sequence === market.updates - 1) definitions.delete(market.index);
  }
}

function definitionsOf(
  tape: Tape,
  known: Map<number, readonly RecordedDefinition[]>,
  update: UpdateColumns,
): readonly RecordedDefinition[] {
  if (update.count === 0 || update.kind[0] !== DEFINITION) return [];
  const own = known.get(update.market) ?? tape.definitions(update.market);
  known.set(update.market, own);
  return own;
}

/** One event as plain fields; `number` counts definitions. */
interface PlainEvent {
  readonly kind: 'definition' | 'trade' | 'level' | 'lastPrice' | 'startingPrice';
  readonly outcome?: string;
  /** The resting side of a level; or near, far or reconciled for a starting price. */
  readonly side?: string;
  readonly price?: number;
  readonly stake?: number;
  readonly number?: number;
}

function plainEvent(market: TapeMarket, update: UpdateColumns, i: number): PlainEvent {
  const kind = update.kind[i] as number;
  const amount = update.amount[i] as number;
  const side = update.side[i] as number;
  if (kind === DEFINITION) return { kind: 'definition', number: amount };
  const outcome = defined(market.facts.outcomes[update.outcome[i] as number], 'an event is of an outcome').id;
  if (kind === STARTING_PRICE) {
    const named = { kind: 'startingPrice', outcome, side: STARTING_PRICE_NAMES[side] ?? '' } as const;
    return amount === 0 ? named : { ...named, price: amount / PRICE_SCALE };
  }
  const price = priceOf(market, update.tick[i] as number);
  if (kind === TRADE) return { kind: 'trade', outcome, price, stake: amount / MONEY_SCALE };
  if (kind === LEVEL) return { kind: 'level', outcome, side: sideOf(side), price, stake: amount / MONEY_SCALE };
  assert(kind === LAST_PRICE, 'an event has one of five kinds');
  return { kind: 'lastPrice', outcome, price };
}

function priceOf(market: TapeMarket, at: number): number {
  if (market.prices === undefined) return decimalOfTick(tick(at));
  return defined(market.prices[at], 'a tick names a price of its market') / PRICE_SCALE;
}

function jsonOf(market: TapeMarket, update: UpdateColumns, definitions: readonly RecordedDefinition[]): string {
  const events = [];
  for (let i = 0; i < update.count; i += 1) {
    const event = plainEvent(market, update, i);
    events.push(event.number === undefined ? event : { ...event, definition: definitions[event.number] });
  }
  return `${JSON.stringify({
    kind: 'update',
    market: market.facts.id,
    sequence: update.sequence,
    publishedAt: isoOf(update.publishedAt),
    ...(update.receivedAt === update.publishedAt ? {} : { receivedAt: isoOf(update.receivedAt) }),
    events,
  })}\n`;
}

function csvOf(market: TapeMarket, update: UpdateColumns): string {
  const head = [market.facts.id, update.sequence, isoOf(update.publishedAt), isoOf(update.receivedAt)]
    .map(field)
    .join();
  if (update.count === 0) return `${head},,,,,\n`;
  let rows = '';
  for (let i = 0; i < update.count; i += 1) {
    const { kind, outcome, side, price, stake, number } = plainEvent(market, update, i);
    rows += `${head},${[kind, outcome, side, price, stake ?? number].map(field).join()}\n`;
  }
  return rows;
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}

function field(value: string | number | undefined): string {
  const text = String(value ?? '');
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
