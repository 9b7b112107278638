/** Price documents as JSON text, kept for each market until it changes: prices are what clients ask for most. */

import { writer } from '../../../betdex/wire/codec/codec-write.ts';
import { list } from '../../../betdex/wire/codec/notation.ts';
import { PriceBook, PriceRow } from '../../../betdex/wire/shapes/prices.ts';
import type { MarketRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { byVersion } from '../text/by-version.ts';
import { type PriceView, priceBook, priceRows } from './price-book.ts';

const writeBook = writer(PriceBook);
const writeRows = writer(list(PriceRow));

export interface RowsText {
  readonly count: number;
  /** A list of PriceRow. */
  readonly text: string;
}

/** By the number of the view. */
interface Texts {
  readonly books: (string | undefined)[];
  readonly rows: (RowsText | undefined)[];
}

const textsOf = byVersion((): Texts => ({ books: [], rows: [] }));

/** A PriceBook. */
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
