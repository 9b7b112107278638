/** What the two sides of a bet are called at Betfair. */

import type { Side } from '../../core/side.ts';

export function sideWord(side: Side): 'BACK' | 'LAY' {
  return side === 'For' ? 'BACK' : 'LAY';
}
