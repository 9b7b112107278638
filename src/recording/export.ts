/** Writes a tape out as text, piece by piece: JSON lines or CSV, in our own terms and plain decimals. */

import { defined } from '../core/checks/assert.ts';
import { plainEvent } from './plain-event.ts';
import { DEFINITION, eventsOf, type UpdateColumns } from './segment/update.ts';
import type { RecordedDefinition } from './tape/definition.ts';
import type { CursorRange, Tape } from './tape/tape.ts';
import type { TapeMarket } from './tape/tape-schema.ts';

/** The formats of an export. */
export type ExportFormat = 'jsonl' | 'csv';

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

function jsonOf(market: TapeMarket, update: UpdateColumns, definitions: readonly RecordedDefinition[]): string {
  const events = [];
  for (const recorded of eventsOf(update)) {
    const event = plainEvent(market, recorded);
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
  for (const event of eventsOf(update)) {
    const { kind, outcome, side, price, stake, number } = plainEvent(market, event);
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
