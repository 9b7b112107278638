/** Pictures of a market's book at the beginning of its parts: of all of them, or of as many as there is room for. */

import { defined } from '../../../../core/checks/assert.ts';
import { BookPicture } from './book-picture.ts';
import type { MarketBook } from './market-book.ts';
import type { MarketScale } from './market-scale.ts';

/** The most cells of one market: 10 MB. */
const CELLS_MAX = 1_000_000;

export class PartPictures {
  readonly #scale: MarketScale;
  readonly #cellsMax: number;
  /** The pictures of part 0, and of each `#every`-th after it. */
  #kept: BookPicture[] = [];
  #every = 1;
  #cells = 0;

  constructor(scale: MarketScale, cellsMax = CELLS_MAX) {
    this.#scale = scale;
    this.#cellsMax = cellsMax;
  }

  /** Call it with each part, from the first on. */
  add(part: number, book: MarketBook): void {
    if (part % this.#every !== 0) return;
    const picture = new BookPicture(book, this.#scale);
    this.#kept.push(picture);
    this.#cells += picture.cells;
    while (this.#cells > this.#cellsMax && this.#kept.length > 1) this.#thin();
  }

  /** The nearest picture that is not after the part, and the part that it is of. */
  before(part: number): { readonly part: number; readonly picture: BookPicture } {
    const place = Math.floor(part / this.#every);
    return { part: place * this.#every, picture: defined(this.#kept[place], 'the first part has a picture') };
  }

  #thin(): void {
    this.#kept = this.#kept.filter((_, place) => place % 2 === 0);
    this.#every *= 2;
    this.#cells = this.#kept.reduce((sum, { cells }) => sum + cells, 0);
  }
}
