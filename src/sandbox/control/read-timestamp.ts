/** Reads a date-time that the schema of a body has already accepted. */

import { assert } from '../../core/checks/assert.ts';
import type { Instant } from '../../core/number/units.ts';
import { instantFromWire } from '../../wire/instants.ts';

export function readTimestamp(text: string): Instant {
  const result = instantFromWire(text);
  assert(result.kind === 'read', 'the schema passed it as a date-time');
  return result.value;
}
