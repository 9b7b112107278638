/** The markets of tapes that a view can open: those that runs play, and those that no run can play but that are recorded all the same. */

import { chooseMarkets, type SourceMarket } from '../../../backtest/simulation/backtest-source.ts';
import type { Tape } from '../../../recording/tape/tape.ts';

/** `ids`: of these alone; all where it is empty. */
export function viewableMarkets(tapes: readonly Tape[], ids: readonly string[] = []): readonly SourceMarket[] {
  const { markets } = chooseMarkets(tapes, { types: [], events: [], ids });
  const viewable = [...markets];
  const known = new Set(markets.map(({ market }) => market.facts.id));
  for (const tape of tapes)
    for (const market of tape.markets) {
      const { id, outcomes } = market.facts;
      if (known.has(id) || market.refusal === undefined) continue;
      if (market.updates === 0 || outcomes.length === 0 || (ids.length > 0 && !ids.includes(id))) continue;
      known.add(id);
      viewable.push({ index: viewable.length, tape, market });
    }
  return viewable;
}
