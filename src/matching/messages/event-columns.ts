/**
 * The columns of an event's row. Constants and nothing else, so that the bundler puts them in place of their names: see
 * records/order-columns.ts.
 */

/** Doubles in a row; the first is the time in ms. A power of two, so that a row fills one cache line (64 bytes). */
export const ROW = 8;
/** Rows are kept in pages, so that a log that grows copies nothing and leaves no garbage. */
export const PAGE_ROWS = 1024;
export const PAGE_LENGTH = 8192;

/** The event's own numbers, and the index of its kind in EVENT_KINDS; the last double of the row is spare. */
export const A = 1;
export const B = 2;
export const C = 3;
export const D = 4;
export const E = 5;
export const KIND = 6;

/** A `transaction`. */
export const POSTED_WALLET = 1;
export const POSTED_CURRENCY = 2;
export const POSTED_CODE = 3;
export const POSTED_AMOUNT = 4;
export const POSTED_MARKET = 5;

/** An `orderAccepted`. */
export const ACCEPTED_APP = 1;
export const ACCEPTED_ITEM = 2;
export const ACCEPTED_ORDER = 3;
export const ACCEPTED_DUE = 4;

/** An `orderMatched`. */
export const MATCHED_TRADE = 1;
export const MATCHED_ORDER = 2;
export const MATCHED_PRICE = 3;
export const MATCHED_STAKE = 4;

/** An `orderChanged`. */
export const CHANGED_ORDER = 1;
export const CHANGED_STATUS = 2;
export const CHANGED_UNMATCHED = 3;
export const CHANGED_VOIDED = 4;
export const CHANGED_REASON = 5;
