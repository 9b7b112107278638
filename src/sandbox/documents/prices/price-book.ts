/** A market's prices as documents: the flat rows, and the book with its sums. */

import { AMOUNT_MAX, amountToWire, priceToWire } from '../../../betdex/wire/codec/decimals.ts';
import type { Written } from '../../../betdex/wire/codec/notation.ts';
import type { PriceBook, PriceRow } from '../../../betdex/wire/shapes/prices.ts';
import { present } from '../../../core/checks/assert.ts';
import { MONEY_SCALE, money } from '../../../core/number/units.ts';
import type { PriceLevel } from '../../../matching/state/visible-prices.ts';
import type { MarketRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { marketFacts } from '../markets/market-facts.ts';

export interface PriceView {
  /** Without what cross matching adds. */
  readonly directOnly?: boolean;
  /** With the levels where nothing is left of what was matched. */
  readonly includeEmpty?: boolean;
}

/** By outcome, then For before Against, then best first for the taker. */
export function priceRows(world: World, record: MarketRecord, view: PriceView): Written<typeof PriceRow>[] {
  const { directOnly = false, includeEmpty = false } = view;
  const levels = world.exchange.prices(record.market, { cross: !directOnly, empty: includeEmpty });
  return levels.map((level) => priceRow(record, level));
}

/**
 * `liquidity` is the stake that rests in orders, each once: what cross matching shows is the same stake seen from
 * another outcome. `traded` is the stake matched in the market.
 */
export function priceBook(world: World, record: MarketRecord, view: PriceView): Written<typeof PriceBook> {
  let traded = 0;
  for (const stake of marketFacts(world, record).traded) traded += stake;
  return {
    marketId: record.id,
    liquidity: shownAmount(world.exchange.liquidityOf(record.market)),
    traded: shownAmount(traded),
    prices: priceRows(world, record, view),
  };
}

function priceRow(record: MarketRecord, level: PriceLevel): Written<typeof PriceRow> {
  const { side, outcome, price, amount, matched } = level;
  return {
    side,
    outcomeId: present(record.outcomes[outcome], 'an outcome of the machine has a record').id,
    price: priceToWire(price),
    amount: shownAmount(amount),
    matched: shownAmount(matched),
  };
}

/** Sums over many wallets may exceed what a JSON number holds exactly: then that maximum is shown, which all clients read. */
function shownAmount(micros: number): number {
  return amountToWire(money(Math.min(micros, AMOUNT_MAX * MONEY_SCALE)));
}
