/** Date-times on the wire: written in UTC with milliseconds, read in every spelling that the vendor's clients accept. */

import { assert } from '../core/checks/assert.ts';
import { type Instant, instant } from '../core/number/units.ts';
import { faulty, read, type WireResult } from './fault.ts';

/** `YYYY-MM-DDTHH:MM[:SS[.digits]]`, followed by `Z`, `±HH:MM`, `±HHMM` or nothing, which means UTC (wire-shapes, notation). */
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:Z|([+-])(\d{2}):?(\d{2}))?$/;
/** The spelling that the exchange writes, for days that exist in every month: these texts need no further check. */
const CANONICAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

const MINUTE_MS = 60_000;
/** Instants of the first and last millisecond of the years 0000 to 9999, which four digits can name. */
const FIRST = -62_167_219_200_000;
const LAST = 253_402_300_799_999;

/** Such as `2026-03-24T14:45:01.000Z`. */
export function instantToWire(at: Instant): string {
  assert(at >= FIRST && at <= LAST, `no date-time of four-digit years names ${at}`);
  return new Date(at).toISOString();
}

/** Reads a date-time. Digits below the millisecond are cut off. A day or hour that does not exist is a fault. */
export function instantFromWire(value: unknown): WireResult<Instant> {
  if (typeof value === 'string' && CANONICAL.test(value)) return read(instant(Date.parse(value)));
  const match = typeof value === 'string' ? DATE_TIME.exec(value) : undefined;
  if (match === null || match === undefined) return faulty('BAD_INSTANT');
  const [, date, minutes, seconds = '00', digits = '', sign, offsetHours = '00', offsetMinutes = '00'] = match;
  const spelt = `${date}T${minutes}:${seconds}.${digits.slice(0, 3).padEnd(3, '0')}Z`;
  const local = Date.parse(spelt);
  if (Number.isNaN(local) || (mayRollOver(spelt) && new Date(local).toISOString() !== spelt))
    return faulty('BAD_INSTANT');
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return faulty('BAD_INSTANT');
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * MINUTE_MS;
  const at = local - (sign === '-' ? -offset : offset);
  return at >= FIRST && at <= LAST ? read(instant(at)) : faulty('BAD_INSTANT');
}

/** Whether `instantFromWire` would accept the text. The exchange's own spelling is recognised without computing the instant. */
export function isInstantText(value: string): boolean {
  return CANONICAL.test(value) || instantFromWire(value).kind === 'read';
}

/** `Date.parse` refuses a 13th month or a 60th minute, but reads 30 February and 24:00 as the day after. */
function mayRollOver(spelt: string): boolean {
  return spelt.slice(8, 10) > '28' || spelt.slice(11, 13) > '23';
}

/** Or a date alone, which is its first moment in UTC. */
export function instantOrDateFromWire(value: unknown): WireResult<Instant> {
  return instantFromWire(typeof value === 'string' && DATE.test(value) ? `${value}T00:00` : value);
}
