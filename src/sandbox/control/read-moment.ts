/** The instant of a date-time that a body's schema has passed. */

import { instantFromWire } from '../../betdex/wire/codec/instants.ts';
import { assert } from '../../core/checks/assert.ts';
import type { Instant } from '../../core/number/units.ts';

export function readMoment(text: string): Instant {
  const result = instantFromWire(text);
  assert(result.kind === 'read', 'the schema passed it as a date-time');
  return result.value;
}
