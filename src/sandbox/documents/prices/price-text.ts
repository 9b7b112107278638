/** Price documents as JSON text, cached for each market until it changes: clients ask for prices most often. */

import { AMOUNT_MAX, amountToWire, priceToWire } from '../../../betdex/wire/codec/decimals.ts';
import { PriceBook, PriceRow } from '../../../betdex/wire/shapes/prices.ts';
import { writer } from '../../../codec/codec-write.ts';
import { list, type Written } from '../../../codec/notation.ts';
import { defined } from '../../../core/checks/assert.ts';
import { MONEY_SCALE, money } from '../../../core/number/units.ts';
import type { PriceLevel } from '../../../matching/state/visible-prices.ts';
import type { MarketRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { marketFacts } from '../markets/market-facts.ts';
import { byVersion } from '../text/by-version.ts';

const writeBook = writer(PriceBook);
const writeRows = writer(list(PriceRow));

export interface RowsText {
  readonly count: number;
  /** JSON text of a list of PriceRow. */
  readonly text: string;
}

/** Cached texts by the number of the view (see `numberOf`). */
interface Texts {
  readonly books: (string | undefined)[];
  readonly rows: (RowsText | undefined)[];
}

const textsOf = byVersion((): Texts => ({ books: [], rows: [] }));

/** JSON text of a PriceBook. */
export function priceBookText(world: World, record: MarketRecord, view: PriceView): string {
  const { books } = textsOf(world, record);
  const number = numberOf(view);
  const kept = books[number];
  if (kept !== undefined) return kept;
  const text = JSON.stringify(writeBook(priceBook(world, record, view)));
  books[number] = text;
  return text;
}

export function priceRowsText(world: World, record: MarketRecord, view: PriceView): RowsText {
  const { rows } = textsOf(world, record);
  const number = numberOf(view);
  const kept = rows[number];
  if (kept !== undefined) return kept;
  const documents = priceRows(world, record, view);
  const made = { count: documents.length, text: JSON.stringify(writeRows(documents)) };
  rows[number] = made;
  return made;
}

function numberOf({ directOnly = false, includeEmpty = false }: PriceView): number {
  return (directOnly ? 1 : 0) + (includeEmpty ? 2 : 0);
}

interface PriceView {
  /** Leaves out stake that cross matching makes available from other outcomes. */
  readonly directOnly?: boolean;
  /** Includes levels whose stake is entirely matched. */
  readonly includeEmpty?: boolean;
}

/** The prices of a market as rows by outcome, then For before Against, then best first for the taker. */
function priceRows(world: World, record: MarketRecord, view: PriceView): Written<typeof PriceRow>[] {
  const { directOnly = false, includeEmpty = false } = view;
  const levels = world.exchange.prices(record.market, { cross: !directOnly, empty: includeEmpty });
  return levels.map((level) => priceRow(record, level));
}

/**
 * `liquidity` is the stake resting in orders, each counted once: what cross matching shows is the same stake seen from
 * another outcome. `traded` is the stake matched in the market.
 */
function priceBook(world: World, record: MarketRecord, view: PriceView): Written<typeof PriceBook> {
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
    outcomeId: defined(record.outcomes[outcome], 'an outcome of the machine has a record').id,
    price: priceToWire(price),
    amount: shownAmount(amount),
    matched: shownAmount(matched),
  };
}

/** Sums over many wallets may exceed what a JSON number holds exactly: then the largest exact amount is shown. */
function shownAmount(micros: number): number {
  return amountToWire(money(Math.min(micros, AMOUNT_MAX * MONEY_SCALE)));
}
