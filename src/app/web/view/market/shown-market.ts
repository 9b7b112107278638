/** A scanned market with the orders and plots that a run has in it, as the page is given it. */

import type { MarketFacts } from '../../../../core/market.ts';
import type { ViewMarket, ViewOrder, ViewPlot } from '../../../../pages/view-data.ts';
import type { OwnOrder } from '../run/viewed-run.ts';
import type { ScannedMarket } from './scan-market.ts';

interface ShownParts {
  readonly scanned: ScannedMarket;
  readonly facts: MarketFacts;
  readonly refusal: string | undefined;
  readonly orders: readonly OwnOrder[];
  readonly plots: readonly ViewPlot[];
}

/** Undefined where the run has an order on an outcome that the market on the tape does not have. */
export function shownMarket({ scanned, facts, refusal, orders, plots }: ShownParts): ViewMarket | undefined {
  const { id, startsAt, firstAt, lastAt, winners, parts, states, prices, scale } = scanned;
  const placeById = new Map(facts.outcomes.map((outcome, place) => [outcome.id, place]));
  const shown: ViewOrder[] = [];
  for (const { outcomeId, ...order } of orders) {
    const outcome = placeById.get(outcomeId);
    if (outcome === undefined) return undefined;
    shown.push({ ...order, outcome });
  }
  return {
    ...{ id, event: facts.eventName, name: facts.name, startsAt, firstAt, lastAt },
    outcomes: facts.outcomes.map((outcome) => ({ id: outcome.id, title: titleOf(outcome) })),
    ...{ winners, refusal, ownPrices: scale.own, parts, states, prices, orders: shown, plots },
  };
}

/** Betfair names the outcomes of all handicaps alike: the handicap stands behind the `@` of their id. */
function titleOf({ id, title }: MarketFacts['outcomes'][number]): string {
  const [runner = id, handicap] = id.split('@');
  if (handicap === undefined) return title;
  return `${title === id ? runner : title} ${handicap.startsWith('-') ? '−' : '+'}${handicap.replace('-', '')}`;
}
