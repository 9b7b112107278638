/**
 * The columns of a resting order's row in a book. Constants and nothing else, so that the bundler puts them in place of
 * their names: see records/order-columns.ts.
 */

/** Doubles in a row, and 32-bit words in a row. The first double is the remaining stake in 10⁻⁶. */
export const ROW = 3;
export const ROW_WORDS = 6;

/** Columns of 32-bit words: the neighbours in the queue (slots), and the level plus one (0: rests nowhere). */
export const NEXT = 2;
export const PREVIOUS = 3;
export const LEVEL_PLUS_ONE = 4;
