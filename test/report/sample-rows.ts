/** Orders and fills as rows; a test mentions only what matters to it. */

import type { FillRow, OrderRow } from '../../src/result/result.ts';

export function order(id: number, marketId = '', change: Partial<OrderRow> = {}): OrderRow {
  return {
    run: 1,
    flow: 'central',
    id,
    strategy: 'favourite-scalp',
    marketId,
    marketName: 'Handicap',
    outcomeId: '7',
    outcomeTitle: 'Seven',
    side: 'For',
    price: 2.5,
    stake: 10,
    decidedAt: Date.UTC(2026, 7, 1, 12, 0, 0, 250),
    stakeMatched: 4,
    ...change,
  };
}

export function fill(order: number, marketId = '', change: Partial<FillRow> = {}): FillRow {
  return {
    run: 1,
    flow: 'central',
    order,
    marketId,
    outcomeId: '7',
    outcomeTitle: 'Seven',
    side: 'For',
    price: 2.04,
    stake: 4,
    at: Date.UTC(2026, 7, 1, 12, 0, 0, 250),
    ...change,
  };
}
