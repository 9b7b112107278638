/**
 * The numbers of a segment's layout, which segment.ts describes. This file holds constants and nothing else, so that the
 * bundler puts them in place of their names (decision 97): the reader of a replay's updates is its hottest code.
 */

/** How many columns a segment has. */
export const COLUMNS = 6;

/** Codes of heads: the kind of event, with the side where it matters (2 and 3 are levels of either side). */
export const CODE_DEFINITION = 0;
export const CODE_TRADE = 1;
export const CODE_LEVEL = 2;
export const CODE_LAST_PRICE = 4;
export const CODE_STARTING_PRICE = 5;
/** The bits of a code in which both levels agree. */
export const CODE_WITHOUT_SIDE = 6;
/** Bit `code` is set where events of the code have a tick: trades, levels and last prices. */
export const CODES_WITH_TICK = 0b11110;
/** An outcome in a head that says: the rest of the outcome follows. */
export const OUTCOME_ESCAPE = 31;

/** How many predictors of ticks an outcome has: one for the levels of each side, one for trades and last prices. */
export const PREDICTORS = 3;
export const TRADE_PREDICTOR = 2;
/** Two bits for each code, which predictor its tick follows: the third for trades and last prices, else that of the side. */
export const PREDICTOR_OF_CODE = 0b10_01_00_10_00;

/** Units of amounts in 10⁻⁶: sizes come in hundredths, and half of a both-sides volume in half of that. */
export const LEVEL_UNIT = 10_000;
export const HALF_LEVEL = 5_000;
export const TRADE_UNIT = 5_000;
export const HALF_TRADE = 2_500;

/** The top bit of each of four bytes: set in every byte of a number but its last. */
export const CONTINUATION_BITS = 0x80808080;
