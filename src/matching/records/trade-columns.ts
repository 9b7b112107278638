/**
 * The columns of a trade's row, and how rows lie in pages. Constants and nothing else, so that the bundler puts them in
 * place of their names: see order-columns.ts.
 */

/** Rows of a page, as a number, and for dividing a slot into its page and its place in the page. */
export const PAGE_ROWS = 512;
export const PAGE_SHIFT = 9;
export const PAGE_MASK = 511;

/** Doubles in a row, and 32-bit words in a row. */
export const ROW = 6;
export const ROW_WORDS = 12;

/** Columns of doubles: the id, the price in 10⁻³, amounts in 10⁻⁶, the time in ms. The last double holds the words below. */
export const ID = 0;
export const PRICE = 1;
export const STAKE = 2;
export const WINNINGS = 3;
export const CREATED_AT = 4;

/** Columns of 32-bit words: the slot of the trade's order, and the slot of that order's next trade. */
export const ORDER = 10;
export const NEXT = 11;
