/** The way in which prices are read, by its choice. */

import { present } from '../../../core/checks/assert.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import { AdaptivePrices } from '../../../exchange-live/polling/adaptive-prices.ts';
import type { PollBudget } from '../../../exchange-live/polling/poll-budget.ts';
import type { PricesChoice } from '../../../exchange-live/settings.ts';
import type { StreamFeed } from '../base/stream-feed.ts';
import type { WatchWiring } from '../base/wiring.ts';
import { PRICE_CALL_LIMITS } from './price-calls.ts';
import { PriceReading } from './price-reading.ts';
import { PricesFeed } from './prices-feed.ts';

export interface PriceWorkParts {
  readonly wiring: WatchWiring;
  readonly table: MarketTable;
  readonly budget: PollBudget | undefined;
  readonly stream: StreamFeed | undefined;
  /** Whether something of ours is at stake there that may change at any moment. */
  isBusy(marketId: string): boolean;
}

export function priceWork(choice: PricesChoice, parts: PriceWorkParts): PricesFeed | AdaptivePrices {
  const { wiring, table, stream, isBusy } = parts;
  if (choice.kind !== 'adaptive') return new PricesFeed(wiring, table, choice, stream);
  const budget = present(parts.budget, 'adaptive polling needs a budget');
  const reading = new PriceReading(wiring, table);
  return new AdaptivePrices({ wiring, table, reading, limits: PRICE_CALL_LIMITS, choice, budget, isBusy });
}
