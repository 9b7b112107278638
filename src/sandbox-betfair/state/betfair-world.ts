/** What a world needs to act as Betfair does: its rules, what it keeps of cleared markets, and their commission. */

import { assert, defined } from '../../core/checks/assert.ts';
import { RECORDED_RULES } from '../../matching/messages/rules.ts';
import type { SandboxContext } from '../../sandbox/context/sandbox-context.ts';
import type { WorldOptions } from '../../sandbox/world/world.ts';

export const MILLION = 1_000_000;

/**
 * Beside the rules of recordings: 200 orders in a request, and a lapse of the heartbeat blocks nothing. Prices, sizes
 * and minimum stakes are judged before orders come here.
 */
export const BETFAIR_WORLD: Required<WorldOptions> = {
  rules: { ...RECORDED_RULES, batchMax: 200, lapseBlocks: false },
  clearedOrdersMax: 100_000,
};

export interface MarketRateParts {
  readonly app: number;
  /** The market's base rate and the account's discount on it, both in parts per million. */
  readonly basePpm: number;
  readonly discountPpm: number;
}

/**
 * The app's rate of the market's base rate less the discount, made where it has none yet. An order that is placed with it
 * pays this share of the market's net winnings, as long as all of the wallet's orders there do.
 */
export function marketRate(
  context: Pick<SandboxContext, 'world' | 'now' | 'apply'>,
  { app, basePpm, discountPpm }: MarketRateParts,
): number {
  const ratePpm = Math.round((basePpm * (MILLION - discountPpm)) / MILLION);
  const { rates } = context.world.registry;
  const known = () => rates.findIndex((rate) => rate.app === app && rate.ratePpm === ratePpm);
  if (known() >= 0) return known();
  const changed = context.apply({ at: context.now(), kind: 'createCommissionRate', app, ratePpm, isDefault: false });
  assert(changed.kind === 'done', 'a rate between nothing and all is made');
  return defined(rates[known()], 'the rate was made').rate;
}
