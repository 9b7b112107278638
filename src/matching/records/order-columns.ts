/**
 * The columns of an order's row, and the bits of its marks. This file holds constants and nothing else: the bundler
 * puts the constants of such a file in place of their names (`minifySyntax`), so that they cost nothing. Named from a
 * file with code, V8 would read each from memory every time, and multiply by what it read.
 *
 * A row is twelve doubles. Five of them hold two 32-bit words each, which are counted apart. The fields that a match
 * or a cancellation touches lie together, because orders are far more than the processor's caches hold.
 */

/** Ends a list of slots; no slot is negative. */
export const NONE = -1;

/** Doubles in a row, and 32-bit words in a row. */
export const ROW = 12;
export const ROW_WORDS = 24;

/** Columns of doubles: the id, amounts in 10⁻⁶, times in ms. Doubles 5 to 9 hold the words below. */
export const ID = 0;
export const STAKE = 1;
export const UNMATCHED_STAKE = 2;
export const VOIDED_STAKE = 3;
export const MODIFIED_AT = 4;
export const CREATED_AT = 10;
export const DUE = 11;

/** Columns of 32-bit words: slots, the terms (see `termsOf` in orders.ts), the marks, and a commission rate's id. */
export const POSITION = 10;
export const TERMS = 11;
export const MARKS = 12;
export const LAST_TRADE = 13;
export const LIVE_NEXT = 14;
export const LIVE_PREVIOUS = 15;
export const MARKET_NEXT = 16;
export const POSITION_NEXT = 17;
export const RATE = 18;
export const FIRST_TRADE = 19;

/** The marks: the status in the lowest four bits, two flags, and from the ninth bit on the cancellation reason. */
export const STATUS_BITS = 15;
export const CANCEL_UNMATCHED_BIT = 16;
export const KEEP_WHEN_IN_PLAY_BIT = 32;
export const FLAG_BITS = 240;
export const REASON_SHIFT = 8;
