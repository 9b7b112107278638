/** What the parts of the gateway to Betfair share: its calls, clock, settings, and the outputs for messages and notices. */

import type { MarketContext } from '../../../exchange-live/markets/market-context.ts';
import type { TradingContext } from '../../../exchange-live/orders/trading-context.ts';
import type { TradingSettings, WatchSettings, WideWatch } from '../../../exchange-live/settings.ts';
import type { AnswerOf, BetfairCaller } from '../../client/call.ts';

export interface WatchContext extends MarketContext {
  readonly calls: BetfairCaller;
  readonly settings: WatchSettings & { readonly watch: WideWatch };
  /** Our clock is ahead of the exchange's by at least this many ms, as far as is known; negative if it is behind. */
  readonly skewMs: () => number | undefined;
  /** Called with what the catalogue says of a market that can be followed. */
  readonly onDescribed?: ((document: AnswerOf<'listMarketCatalogue'>[number]) => void) | undefined;
}

export interface GatewayContext extends TradingContext {
  readonly calls: BetfairCaller;
  readonly settings: TradingSettings & { readonly watch: WideWatch };
}
