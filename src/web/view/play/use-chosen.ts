/** Which outcomes of a market are shown as ladders, and which of them in the time line. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ViewMarket } from '../../../pages/view-data.ts';
import type { Address } from './address.ts';

export interface Choice {
  /** The one of the time line. */
  readonly focus: number;
  /** The most recently chosen first; as many of them are shown as there is room for. */
  readonly order: readonly number[];
  /** What the address says of it: nothing, until somebody chose. */
  readonly asked: readonly string[];
  /** Those whose ladders are shown, by their place in the market. */
  readonly shown: readonly number[];
  /** How many ladders there is room for. */
  setRoom(room: number): void;
  choose(outcome: number): void;
  /** Shows its ladder beside the others, or takes it away. */
  toggle(outcome: number): void;
}

export function useChosen(market: ViewMarket, address: Address): Choice {
  const asked = useMemo(() => placesOf(market, address.outcomes), [market, address.outcomes]);
  const [chosen, setChosen] = useState(asked);
  useEffect(() => setChosen(asked), [asked]);
  const [room, setRoom] = useState(1);
  const usual = useMemo(() => weightiest(market), [market]);
  return useMemo((): Choice => {
    const order = chosen.length === 0 ? usual : chosen;
    const shown = order.slice(0, room);
    return {
      focus: order[0] ?? 0,
      order,
      asked: chosen.flatMap((place) => market.outcomes[place]?.id ?? []),
      shown: shown.toSorted((a, b) => a - b),
      setRoom,
      choose: (outcome) => setChosen([outcome, ...order.filter((each) => each !== outcome)]),
      toggle: (outcome) => {
        const rest = shown.filter((each) => each !== outcome);
        const isShown = rest.length < shown.length;
        // The ladder of the time line’s outcome stays the first, also after another was added.
        const [focus = outcome] = rest;
        if (!isShown) setChosen([...new Set([focus, outcome, ...rest])]);
        else if (rest.length > 0) setChosen(rest);
      },
    };
  }, [market, chosen, usual, room]);
}

function placesOf({ outcomes }: ViewMarket, ids: readonly string[]): readonly number[] {
  return ids.map((id) => outcomes.findIndex((outcome) => outcome.id === id)).filter((place) => place >= 0);
}

/** Those with own orders first, then by their price before the off, the favourite first. */
function weightiest({ outcomes, orders, prices, startsAt }: ViewMarket): readonly number[] {
  const orderCounts = outcomes.map(() => 0);
  for (const { outcome } of orders) orderCounts[outcome] = (orderCounts[outcome] ?? 0) + 1;
  const before = Math.max(0, Math.floor(((startsAt ?? prices.startAt) - prices.startAt) / prices.stretchMs) - 1);
  const priceOf = (outcome: number): number => {
    const column = prices.outcomes[outcome]?.backHigh ?? [];
    return column[Math.min(before, column.length - 1)] ?? Number.POSITIVE_INFINITY;
  };
  return [...outcomes.keys()].sort(
    (a, b) => (orderCounts[b] ?? 0) - (orderCounts[a] ?? 0) || compare(priceOf(a), priceOf(b)) || a - b,
  );
}

/** Two that are infinite are equal. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
