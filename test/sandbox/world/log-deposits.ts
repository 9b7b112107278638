/** A small world whose changes can be counted from outside: one wallet, one unit deposited at a time. */

import { instant, MONEY_SCALE } from '../../../src/core/number/units.ts';
import type { World } from '../../../src/sandbox/world/world.ts';

export const KILL_START = instant(Date.UTC(2026, 0, 1));

/** Creates what is still missing. */
export function setUp(world: World): void {
  const at = world.at(KILL_START);
  if (!world.catalogue.currencies.has('USDC')) world.apply({ at, kind: 'createCurrency', id: 'USDC' });
  if (world.registry.apps.length === 1) world.apply({ at, kind: 'createApp', id: 'a', name: 'A' });
  if (!world.registry.wallets.has(2)) world.apply({ at, kind: 'createWallet', app: 1 });
}

export function depositsOf(world: World): number {
  return (world.exchange.account(2, 0)?.balance ?? 0) / MONEY_SCALE;
}
