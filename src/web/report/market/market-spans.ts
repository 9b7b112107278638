/** Parts of a market that are looked at again and again: own orders, the time up to the off, the life of one order. In seconds UTC. */

import type { Order } from '../data/run-data.ts';
import type { MarketStory } from './market-series.ts';

export interface ShownSpan {
  readonly from: number;
  readonly to: number;
}

export interface UsualSpan {
  readonly label: string;
  readonly span: ShownSpan;
}

/** The share of a span that is shown on both sides of it. */
const MARGIN = 0.05;
/** A shorter life is shown with what was around it, in seconds. */
const AROUND = 20;

/** What is shown at first comes first: own orders up to the last match, without those that only rest until the end. */
export function usualSpans({ market, orders, fills, from, to }: MarketStory): readonly UsualSpan[] {
  const spans: UsualSpan[] = [];
  const own = [...orders.map(({ decidedAt }) => decidedAt), ...fills.map(({ at }) => at)];
  if (own.length > 0) {
    const first = own.reduce((a, b) => Math.min(a, b));
    const last = own.reduce((a, b) => Math.max(a, b));
    spans.push({ label: 'Own orders', span: within({ from: first / 1000, to: last / 1000 }, { from, to }) });
  }
  const off = (market.inPlayAt ?? market.startsAt ?? 0) / 1000;
  if (off > from && off < to) spans.push({ label: 'To the off', span: { from, to: off } });
  return spans;
}

/** The span from the decision to the end of an order. */
export function spanOf({ decidedAt, endedAt }: Order, { from, to }: MarketStory): ShownSpan {
  return within({ from: decidedAt / 1000, to: (endedAt ?? decidedAt) / 1000 }, { from, to });
}

function within({ from, to }: ShownSpan, whole: ShownSpan): ShownSpan {
  const margin = Math.max((to - from) * MARGIN, AROUND);
  return { from: Math.max(whole.from, from - margin), to: Math.min(whole.to, to + margin) };
}
