/** Instants as text, where many documents in a row bear the same one. */

import { instantToWire } from '../../../betdex/wire/codec/instants.ts';
import type { Instant } from '../../../core/number/units.ts';

let lastMoment: Instant | undefined;
let lastText = '';

/** `instantToWire`, remembering its last answer: the orders of a batch are made and changed at one instant. */
export function momentText(at: Instant): string {
  if (at !== lastMoment) {
    lastText = instantToWire(at);
    lastMoment = at;
  }
  return lastText;
}
