/** A strategy that opens and closes positions is let out of them by small limits, in a whole run over the bundled recording. */

import { expect, it } from 'vitest';
import { backtest } from '../../src/backtest.ts';
import { closeTrade, defineStrategy, lay } from '../../src/index.ts';

/** Lays 4 once in each market on an outcome between 2.5 and 4.5, and closes it two minutes later. */
const closing = defineStrategy({
  name: 'closing',
  state: () => ({ id: '', at: 0 }),
  decide({ market, orders, position, state, now }) {
    if (!market.tradable || market.inPlay || orders.length > 0) return [];
    const held = market.outcome(state.id);
    if (held !== undefined) return now < state.at + 120_000 ? [] : closeTrade(held, position);
    const outcome = market.outcomes.find((each) => {
      const price = each.bestPrice('For') ?? 0;
      return price >= 2.5 && price <= 4.5;
    });
    if (outcome === undefined) return [];
    return {
      intents: [lay(outcome, { stake: 4, matchBehavior: 'CancelUnmatched' })],
      state: { id: outcome.id, at: now },
    };
  },
});

it('refuses no closing order, and no order at all that stays within them', async () => {
  const limits = { order: 15, outcome: 15, market: 15, event: 45, strategy: 200, wallet: 200 };
  const result = await backtest({ tape: 'backtest/sample.tape', strategies: [closing], limits, fills: 'central' });
  const { orders } = result;
  expect(orders.refused).toBe(0);
  expect(orders.sent).toBeGreaterThan(8);
});
