/** Which markets a caller may see: the published ones and those of its own app (profile section 6). */

import type { MarketView } from '../../../matching/state/views.ts';
import { marketFacts } from '../../documents/markets/market-facts.ts';
import { countOfId } from '../../world/ids.ts';
import type { MarketRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { type Caller, type Problem, problem } from '../shared/operation.ts';

export function isVisible(
  { app, published }: Pick<MarketView, 'app' | 'published'>,
  caller: Pick<Caller, 'app'>,
): boolean {
  return published || app === caller.app;
}

/** The market with an id; undefined where there is none or the caller may not see it, so that both look the same. */
export function visibleMarket(world: World, caller: Pick<Caller, 'app'>, id: string): MarketRecord | undefined {
  const market = countOfId(id);
  const record = market === undefined ? undefined : world.catalogue.markets.get(market);
  return record !== undefined && isVisible(marketFacts(world, record), caller) ? record : undefined;
}

export function unknownMarkets(...ids: readonly string[]): Problem {
  return problem(404, 'Unknown market', ...ids.map((id) => `no market ${id}`));
}
