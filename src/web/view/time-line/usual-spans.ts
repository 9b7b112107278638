/** Parts of a market that are looked at again and again: where own orders were, and up to the off. */

import type { ViewMarket } from '../../../pages/view-data.ts';
import { ownInstants } from '../play/own.ts';
import { type Span, within } from './span.ts';

export interface UsualSpan {
  readonly label: string;
  readonly span: Span;
}

/** The part of the length of the own orders that is shown on both sides of them. */
const MARGIN = 0.05;

export function usualSpans(market: ViewMarket): readonly UsualSpan[] {
  const { firstAt, lastAt, startsAt, states } = market;
  const whole = { from: firstAt, to: lastAt };
  const spans: UsualSpan[] = [];
  const own = ownInstants(market);
  const [first, last] = [own[0], own.at(-1)];
  if (first !== undefined && last !== undefined) {
    const margin = (last - first) * MARGIN;
    spans.push({ label: 'Own orders', span: within({ from: first - margin, to: last + margin }, whole) });
  }
  const off = states.find(({ inPlay }) => inPlay === 'InPlay')?.at ?? startsAt;
  if (off !== undefined && off > firstAt && off < lastAt)
    spans.push({ label: 'To the off', span: within({ from: firstAt, to: off }, whole) });
  return spans;
}
