/** Positions as documents: what each outcome would bring a wallet in a market. */

import type { Written } from '../../../betdex/wire/codec/notation.ts';
import { referTo } from '../../../betdex/wire/shapes/references.ts';
import type { MarketPosition } from '../../../betdex/wire/shapes/wallets.ts';
import { moneyToDecimal, ZERO } from '../../../core/number/units.ts';
import type { PositionView } from '../../../matching/state/views.ts';
import type { World } from '../../world/world.ts';
import { marketRecord } from '../markets/market-facts.ts';

/** By outcome id: the matched profit or loss if that outcome alone wins (profile section 2). */
export function positionDocument(world: World, position: PositionView): Written<typeof MarketPosition> {
  const { id, outcomes } = marketRecord(world, position.market);
  const exposures: Record<string, number> = {};
  for (const [index, outcome] of outcomes.entries())
    exposures[outcome.id] = moneyToDecimal(position.exposures[index] ?? ZERO);
  return { market: referTo('markets', [id]), walletId: world.holders.wallet(position.wallet).id, exposures };
}
