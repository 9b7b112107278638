/** Which feed goes dark in a simulated life, when, for how long, and how it fails. */

import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import type { Random } from '../../../src/core/number/random.ts';
import type { WireFault } from './fault-plan.ts';

export interface DarkPlan {
  readonly afterMs: number;
  readonly forMs: number;
  /** No reading of this succeeds, and it always fails in this way. */
  readonly operation: Operation;
  readonly fault: WireFault;
  /** Whether cancellations are lost as well. */
  readonly losesCancels: boolean;
}

const OPERATIONS: readonly Operation[] = ['listMarkets', 'listMarkets', 'listPrices', 'listOrders', 'listWallets'];
const WAYS: readonly WireFault[] = ['serverErrorBefore', 'silentBefore', 'garbled', 'gatewayBefore'];
/** Each feed is in the dark for longer than it takes to lapse. */
export const DARK_FRESHNESS = { markets: 6_000, prices: 5_000, orders: 5_000, wallets: 12_000 };
const BEGINS_MS = 4_000;
const FOR_MS = 46_000;
/** How long such a life lasts. */
export const DARK_LIFE_MS = BEGINS_MS + FOR_MS;

export function darkPlan(random: Random): DarkPlan {
  return {
    ...{ afterMs: BEGINS_MS + random.below(1_000), forMs: FOR_MS },
    operation: OPERATIONS[random.below(OPERATIONS.length)] ?? 'listMarkets',
    fault: WAYS[random.below(WAYS.length)] ?? 'garbled',
    losesCancels: random.chance(0.5),
  };
}
