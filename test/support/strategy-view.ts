/** A view of a market with a gate of its own, which a test opens and closes. */

import type { MarketState } from '../../src/core/market-state.ts';
import { createMarketView } from '../../src/strategy/views/market-view.ts';
import { ViewGate } from '../../src/strategy/views/view-gate.ts';

export function gatedView(state: MarketState) {
  const gate = new ViewGate();
  return { view: createMarketView(state, gate), open: () => gate.open(), close: () => gate.close() };
}
