/** Instants as text, faster where many documents in a row have the same instant. */

import type { Instant } from '../../../core/number/units.ts';
import { instantToWire } from '../../../wire/instants.ts';

let lastMoment: Instant | undefined;
let lastText = '';

/** `instantToWire` with its last result cached: the orders of a batch are created and modified at one instant. */
export function momentText(at: Instant): string {
  if (at !== lastMoment) {
    lastText = instantToWire(at);
    lastMoment = at;
  }
  return lastText;
}
