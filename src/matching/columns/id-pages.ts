/**
 * The numbers of an id table. Constants and nothing else, so that the bundler puts them in place of their names: see
 * records/order-columns.ts.
 */

/** The result of looking up an unknown id. */
export const NO_SLOT = -1;
/** Ids of one page. */
export const PAGE_IDS = 4096;
