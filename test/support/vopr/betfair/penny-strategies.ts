/** What the strategies of the simulation want, in stakes that Betfair takes: whole pennies, and a pound at least. */

import type { Intent } from '../../../../src/core/intent.ts';
import type { Decision, StrategyPlugin } from '../../../../src/strategy/contract.ts';

export function inPennies(plugin: StrategyPlugin): StrategyPlugin {
  return {
    ...plugin,
    decide(input): Decision | readonly Intent[] {
      const decision = plugin.decide?.(input) ?? [];
      if (isList(decision)) return decision.map(fitted);
      return decision.intents === undefined ? decision : { ...decision, intents: decision.intents.map(fitted) };
    },
  };
}

function isList(decision: Decision | readonly Intent[]): decision is readonly Intent[] {
  return Array.isArray(decision);
}

function fitted(intent: Intent): Intent {
  if (!('stake' in intent) || typeof intent.stake !== 'number') return intent;
  return { ...intent, stake: Math.max(1, Math.round(intent.stake * 100) / 100) };
}
