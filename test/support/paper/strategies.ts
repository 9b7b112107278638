/** Strategies that trade often on made markets: they quote, take, wait on timers, and cancel. */

import type { DecideInput, StrategyPlugin } from '../../../src/strategy/contract.ts';

type Decide = NonNullable<StrategyPlugin['decide']>;

/** Joins the best price of the first outcome, follows it, and gives up what has waited for two seconds. */
export function passive(name: string): StrategyPlugin {
  const decide: Decide = ({ market, orders, now, why, markets }: DecideInput) => {
    if (!market.tradable || markets.all().length === 0) return [];
    const old = orders.filter((order) => order.inFlight === undefined && now - order.placedAt > 2_000);
    if (old.length > 0) return old.map(({ id }) => ({ kind: 'cancel' as const, order: id }));
    const [outcome] = market.outcomes;
    const price = name === 'a' ? outcome?.bestFor?.price : outcome?.bestAgainst?.price;
    if (orders.length > 1 || outcome === undefined || price === undefined || why === 'order') return [];
    const side = now % 3 === 0 ? ('For' as const) : ('Against' as const);
    const intent = { kind: 'place' as const, market: market.id, outcome: outcome.id, side, price, stake: 2 };
    return { intents: [intent], wakeAt: now + 700 };
  };
  return { name, decide };
}
