/** Instants as text, faster where many documents in a row have the same instant. */

import { instantToWire } from '../../../codec/instants.ts';
import type { Instant } from '../../../core/number/units.ts';

let lastInstant: Instant | undefined;
let lastText = '';

/** `instantToWire` with its last result cached: the orders of a batch are created and modified at one instant. */
export function timestampText(at: Instant): string {
  if (at !== lastInstant) {
    lastText = instantToWire(at);
    lastInstant = at;
  }
  return lastText;
}
