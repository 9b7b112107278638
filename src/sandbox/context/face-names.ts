/** By which ids a face's clients know apps, markets and outcomes. */

import type { AppRecord, MarketRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';

export interface FaceNames {
  appId(app: AppRecord, world: World): string;
  app(id: string, world: World): AppRecord | undefined;
  marketId(market: MarketRecord): string;
  market(id: string, world: World): MarketRecord | undefined;
  outcomeId(market: MarketRecord, outcome: number, world: World): string;
  /** The exchange machine's index of an outcome of the market. */
  outcome(market: MarketRecord, id: string, world: World): number | undefined;
}
