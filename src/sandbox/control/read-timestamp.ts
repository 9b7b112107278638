/** Reads a date-time that the schema of a body has already accepted. */

import { instantFromWire } from '../../betdex/wire/codec/instants.ts';
import { assert } from '../../core/checks/assert.ts';
import type { Instant } from '../../core/number/units.ts';

export function readTimestamp(text: string): Instant {
  const result = instantFromWire(text);
  assert(result.kind === 'read', 'the schema passed it as a date-time');
  return result.value;
}
