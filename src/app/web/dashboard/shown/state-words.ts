/** A market’s state in one or two words, and whether orders match in it. */

import type { InPlayStatus, MarketStatus } from '../../../../core/market.ts';
import type { Tone } from '../../../../pages/panels.ts';

interface Stated {
  readonly status: MarketStatus;
  readonly inPlayStatus: InPlayStatus;
  readonly suspended: boolean;
  readonly published: boolean;
}

export function stateWords(market: Stated): { readonly state: string; readonly tone: Tone } {
  const { status, inPlayStatus, suspended, published } = market;
  const inPlay = inPlayStatus === 'InPlay' ? ', in play' : '';
  if (status !== 'Open') return { state: status, tone: 'plain' };
  if (!published) return { state: 'Not published', tone: 'plain' };
  return suspended ? { state: `Suspended${inPlay}`, tone: 'warn' } : { state: `Open${inPlay}`, tone: 'good' };
}
