/** A strategy that opens and closes positions is let out of them by small limits, in a whole run over the bundled recording. */

import { expect, it } from 'vitest';
import { backtest } from '../../src/backtest.ts';
import { back, closeTrade, defineStrategy } from '../../src/index.ts';

/** Backs 10 once in each market on an outcome between 2.5 and 4.5, and lays it off two minutes later: that order's own loss is larger. */
const closing = defineStrategy({
  name: 'closing',
  state: () => ({ id: '', at: 0 }),
  decide({ market, orders, position, state, now }) {
    if (!market.tradable || market.inPlay || orders.length > 0) return [];
    const held = market.outcome(state.id);
    if (held !== undefined)
      return now < state.at + 120_000 ? { wakeAt: state.at + 120_000 } : closeTrade(held, position);
    const outcome = market.outcomes.find((each) => {
      const price = each.bestPrice('Against') ?? 0;
      return price >= 2.5 && price <= 4.5;
    });
    if (outcome === undefined) return [];
    return {
      intents: [back(outcome, { stake: 10, matchBehavior: 'CancelUnmatched' })],
      state: { id: outcome.id, at: now },
    };
  },
});

const HANG_MS = 60_000;

it(
  'refuses no closing order, and no order at all that stays within them',
  async () => {
    const limits = { order: 10, outcome: 10, market: 10, event: 40, strategy: 200, wallet: 200 };
    const { summary } = await backtest({
      tape: 'backtest/sample.tape',
      strategies: [closing],
      limits,
      fills: 'central',
    });
    expect(summary.refusals).toEqual({});
    const closed = summary.byMarket.filter(({ orders }) => orders > 1);
    expect(closed.length).toBeGreaterThan(3);
  },
  HANG_MS,
);
