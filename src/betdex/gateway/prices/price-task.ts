/** Makes the task that reads prices in the way that the settings choose. */

import { defined } from '../../../core/checks/assert.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import { AdaptivePrices } from '../../../exchange-live/polling/adaptive-prices.ts';
import type { PollBudget } from '../../../exchange-live/polling/poll-budget.ts';
import type { PricesChoice } from '../../../exchange-live/settings.ts';
import type { WatchContext } from '../base/gateway-context.ts';
import type { StreamFeed } from '../base/stream-feed.ts';
import { PRICE_CALL_LIMITS } from './price-calls.ts';
import { PriceReading } from './price-reading.ts';
import { PricesFeed } from './prices-feed.ts';

export interface PriceTaskParts {
  readonly context: WatchContext;
  readonly table: MarketTable;
  readonly budget: PollBudget | undefined;
  readonly stream: StreamFeed | undefined;
  /** Whether orders of this run in the market are live, being placed or of unknown fate, so that prices are read more often. */
  isBusy(marketId: string): boolean;
}

/** `adaptive` needs a budget; the other choices read all markets together. */
export function priceTask(choice: PricesChoice, parts: PriceTaskParts): PricesFeed | AdaptivePrices {
  const { context, table, stream, isBusy } = parts;
  if (choice.kind !== 'adaptive') return new PricesFeed(context, table, choice, stream);
  const budget = defined(parts.budget, 'adaptive polling needs a budget');
  const reading = new PriceReading(context, table);
  return new AdaptivePrices({ context, table, reading, limits: PRICE_CALL_LIMITS, choice, budget, isBusy });
}
