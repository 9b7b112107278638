/** Lets an animal behave like any strategy for a while, with an order in the market that will not be matched, and then act. */

import { back, type DecideInput, defineStrategy, type StrategyPlugin } from 'oddsmith';

/** Calls before it acts: its order rests by then. */
const CALM_CALLS = 12;

/** What an animal returns may be anything. */
export function animal(name: string, act: (input: DecideInput) => unknown): StrategyPlugin {
  let calls = 0;
  const decide = (input: DecideInput): unknown => {
    calls += 1;
    return calls > CALM_CALLS ? act(input) : calmly(input);
  };
  return defineStrategy({ name, decide: decide as NonNullable<StrategyPlugin['decide']> });
}

/** One order that rests for ever. */
export function calmly({ market, orders }: DecideInput) {
  const [outcome] = market.outcomes;
  return outcome === undefined || !market.tradable || orders.length > 0
    ? []
    : [back(outcome, { stake: 2, price: 1000 })];
}
