/** Law 1 and 5: the bot knows at least of what it could lose by the exchange's own orders, and of each of its live orders. */

import { isLive } from '../../../src/core/order.ts';
import { lossInMarket } from '../risk/held-losses.ts';
import type { BotLife } from './bot-life.ts';
import type { ExchangeWorld } from './exchange-world.ts';
import type { Holding } from './limit-law.ts';
import { DUST } from './true-exposure.ts';

export interface HeldInMarket {
  readonly exchange: ExchangeWorld;
  readonly market: number;
  readonly known: readonly Holding[];
  /** What they can lose. */
  readonly truth: number;
  /** The living process took these for its own, by the machine's numbers. */
  readonly adopted: ReadonlySet<number>;
}

/** What it does not know, each with the law that this breaks. */
export function unknownTo(
  { ledger }: BotLife,
  { exchange, market, known, truth, adopted }: HeldInMarket,
): readonly (readonly [law: string, what: string])[] {
  const id = exchange.marketIdOf(market);
  const entry = ledger.entryById(id);
  if (entry === undefined || !ledger.exposure.isOpen(entry.state.index))
    return truth > DUST ? [['exposure known', `market ${id} is not on the ledger, and can lose ${truth}`]] : [];
  const found: [string, string][] = [];
  const counted = lossInMarket(ledger.exposure, entry.state.index);
  if (truth > counted + DUST + exchange.winningsStep * known.length)
    found.push(['exposure known', `market ${id} can lose ${truth}, and risk knows of ${counted}`]);
  for (const { placed, order } of known) {
    if (placed.client === 0 || adopted.has(placed.order) || !isLive(order.status)) continue;
    const own = ledger.order(placed.client);
    if (own === undefined || !(own.isLive || own.isAbsent))
      found.push(['none forgotten', `order ${placed.client} is live at the exchange, and not on the ledger`]);
  }
  return found;
}
