/** What the exchange of a fill model is made of. */

import type { Instant } from '../../core/number/units.ts';
import type { Rules } from '../../matching/messages/rules.ts';
import type { FillRules } from '../overlay/fill-rules.ts';
import type { FillListener } from './fill-listener.ts';
import type { OrderMarket } from './request-pool.ts';

export interface FillModelParts {
  readonly fillRules: FillRules;
  readonly rules: Partial<Rules>;
  readonly listener: FillListener;
  /** Finds a market by the gateway's index. */
  readonly marketOf: (index: number) => OrderMarket;
  readonly at: Instant;
}
