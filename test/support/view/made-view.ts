/** Markets as the server of a view sends them, with what a test leaves out. */

import type { ViewMarket, ViewOrder, ViewPart, ViewState } from '../../../src/pages/view-data.ts';

export function madeOrder(own: Partial<ViewOrder>): ViewOrder {
  return {
    ...{ number: 1, run: undefined, strategy: 'quoter', outcome: 0, side: 'For', price: 2.5, stake: 10, fills: [] },
    ...{ decidedAt: undefined, arrivedAt: undefined, endedAt: undefined, status: undefined, reason: undefined },
    ...{ queueAhead: undefined, profit: undefined, note: undefined },
    ...own,
  };
}

export function madeState(own: Partial<ViewState>): ViewState {
  return {
    ...{ at: 0, status: 'Open', suspended: false, inPlay: 'PrePlay', inPlayDelayMs: 0 },
    outcomes: ['Active', 'Active', 'Active'],
    ...own,
  };
}

/** From 0 to 1,000 ms, of three outcomes. */
export function madeMarket(own: Partial<ViewMarket>): ViewMarket {
  const none = { backLow: [null], backHigh: [null], layLow: [null], layHigh: [null] };
  return {
    ...{ id: 'made', event: 'Home v Away', name: 'match odds', startsAt: 500, firstAt: 0, lastAt: 1_000, parts: [0] },
    outcomes: ['Home', 'Away', 'Draw'].map((title) => ({ id: title, title })),
    ...{ winners: { min: 1, max: 1 }, refusal: undefined, ownPrices: undefined },
    states: [madeState({})],
    prices: { startAt: 0, stretchMs: 1_000, updates: [1], outcomes: [none, none, none] },
    ...{ orders: [], plots: [] },
    ...own,
  };
}

/** An update of nothing at each of these instants. */
export function madePart(part: number, times: readonly number[]): ViewPart {
  const empty = { for: [], against: [], traded: [], last: undefined };
  return {
    part,
    book: { outcomes: [empty, empty, empty] },
    updates: times.map((at) => ({ at, events: [] })),
  };
}
