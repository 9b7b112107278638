/** Numeric ids: strings of decimal digits on the wire, whole numbers here. */

import { assert } from '../../../core/checks/assert.ts';
import { faulty, read, type WireResult } from './fault.ts';

const CANONICAL = /^(0|[1-9]\d{0,15})$/;

export function idToWire(id: number): string {
  assert(Number.isSafeInteger(id) && id >= 0, `an id is a whole number, got ${id}`);
  return String(id);
}

/** Only the spelling that `idToWire` writes: `007` or `7.0` are no ids, so that an id has one name. */
export function idFromWire(value: unknown): WireResult<number> {
  if (typeof value !== 'string') return faulty('WRONG_TYPE');
  const id = CANONICAL.test(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(id) ? read(id) : faulty('BAD_ID');
}
