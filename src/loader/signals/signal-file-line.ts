/** Reads one line of a signal file: JSON, or CSV under its header. */

import type { Instant } from '../../core/number/units.ts';
import type { SignalRow } from '../../strategy/signals.ts';

export type SignalLine =
  | { readonly kind: 'row'; readonly row: SignalRow }
  /** The line is a header or empty. */
  | { readonly kind: 'none' }
  | { readonly kind: 'bad'; readonly why: string };

/** Reads the lines of one file, which must come in order. */
export type LineReader = (text: string) => SignalLine;

const FIELDS = ['availableAt', 'market', 'outcome', 'value'] as const;
type Fields = Readonly<Record<(typeof FIELDS)[number], unknown>>;

/** The reader for a file, by its name: `.csv` is CSV, everything else JSON lines. */
export function createLineReader(file: string): LineReader {
  const read = /\.csv$/i.test(file) ? createCsvReader() : readJson;
  return (text) => (text.trim() === '' ? { kind: 'none' } : read(text));
}

function readJson(text: string): SignalLine {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (failure) {
    return bad(`it is not JSON: ${failure instanceof Error ? failure.message : String(failure)}`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return bad('it is not a JSON object');
  return readFields(parsed as Fields);
}

function createCsvReader(): LineReader {
  let columns: Readonly<Record<string, number>> | undefined;
  return (text) => {
    const cells = splitCsv(text);
    if (cells === undefined) return bad('a quote is not closed');
    if (columns === undefined) {
      columns = Object.fromEntries(cells.map((cell, at) => [cell.replace(/^\uFEFF/, '').trim(), at]));
      const missing = FIELDS.filter((field) => columns?.[field] === undefined);
      return missing.length === 0 ? { kind: 'none' } : bad(`the header lacks ${missing.join(', ')}`);
    }
    const cell = (field: string) => cells[columns?.[field] ?? -1]?.trim();
    return readFields({
      availableAt: cell('availableAt'),
      market: cell('market'),
      outcome: cell('outcome'),
      value: numberOf(cell('value')),
    });
  };
}

/** Quotes as in RFC 4180, but for line breaks within them. */
function splitCsv(text: string): readonly string[] | undefined {
  const line = text.replace(/\r$/, '');
  if (!line.includes('"')) return line.split(',');
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at];
    if (character === '"' && isQuoted && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (character === ',' && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  return isQuoted ? undefined : [...cells, cell];
}

function readFields({ availableAt, market, outcome, value }: Fields): SignalLine {
  const at = instantOf(availableAt);
  if (typeof at === 'string') return bad(at);
  const marketId = idOf(market);
  if (marketId === undefined) return bad('market is missing');
  const outcomeId = idOf(outcome);
  if (outcomeId === undefined) return bad('outcome is missing');
  if (typeof value !== 'number' || !Number.isFinite(value)) return bad('value is not a number');
  return { kind: 'row', row: { availableAt: at, market: marketId, outcome: outcomeId, value } };
}

const ISO_WITH_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;
/** This number of milliseconds is a time in 1973: a smaller one was meant as seconds. */
const EARLIEST_MS = 1e11;

/** The time, ms UTC, or a sentence that says why it is none. */
function instantOf(raw: unknown): Instant | string {
  const text = typeof raw === 'string' ? raw : undefined;
  const ms = typeof raw === 'number' ? raw : /^\d+$/.test(text ?? '') ? Number(text) : isoOf(text);
  if (ms === undefined) return `availableAt is ${JSON.stringify(raw) ?? 'missing'}, which is no time with its zone`;
  if (!Number.isSafeInteger(ms)) return `availableAt is ${ms}, which is not whole milliseconds`;
  return ms < EARLIEST_MS ? `availableAt is ${ms}, which looks like seconds: milliseconds are wanted` : (ms as Instant);
}

function isoOf(text: string | undefined): number | undefined {
  if (text === undefined || !ISO_WITH_ZONE.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

function numberOf(cell: string | undefined): number | undefined {
  return cell === undefined || cell === '' ? undefined : Number(cell);
}

/** Ids are strings of digits, which some writers write as numbers. */
function idOf(raw: unknown): string | undefined {
  if (typeof raw === 'number' && Number.isSafeInteger(raw)) return String(raw);
  return typeof raw === 'string' && raw !== '' ? raw : undefined;
}

function bad(why: string): SignalLine {
  return { kind: 'bad', why };
}
