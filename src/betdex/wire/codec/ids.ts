/** Numeric ids: strings of decimal digits on the wire, integers in this program. */

import { faulty, read, type WireResult } from '../../../codec/fault.ts';
import { assert } from '../../../core/checks/assert.ts';

const CANONICAL = /^(0|[1-9]\d{0,15})$/;

export function idToWire(id: number): string {
  assert(Number.isSafeInteger(id) && id >= 0, `an id is a whole number, got ${id}`);
  return String(id);
}

/** Accepts only the spelling that `idToWire` writes: `007` and `7.0` are refused, so that each id has one spelling. */
export function idFromWire(value: unknown): WireResult<number> {
  if (typeof value !== 'string') return faulty('WRONG_TYPE');
  const id = CANONICAL.test(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(id) ? read(id) : faulty('BAD_ID');
}
