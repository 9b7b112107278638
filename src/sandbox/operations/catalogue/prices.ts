/** Reads of prices, answered as text that is made once for each change of a market; and the ladder. */

import { writer } from '../../../betdex/wire/codec/codec-write.ts';
import { MARKET_ENDPOINTS } from '../../../betdex/wire/endpoints.ts';
import { assert } from '../../../core/checks/assert.ts';
import { decimalOfTick, TICK_COUNT, tick } from '../../../core/number/ladder.ts';
import { priceBookText, priceRowsText } from '../../documents/prices/price-text.ts';
import { upToDate } from '../shared/advance-then-read.ts';
import type { Operations } from '../shared/operation.ts';
import { plainMeta } from '../shared/paging.ts';
import { unknownMarkets, visibleMarket } from './visible-market.ts';

export const PRICE_OPERATIONS: Operations<
  'listMarketPriceRows' | 'getMarketPriceBook' | 'listPrices' | 'getPriceLadder'
> = {
  listMarketPriceRows({ context, caller, path, query }) {
    const world = upToDate(context);
    const market = visibleMarket(world, caller, path.id);
    if (market === undefined) return unknownMarkets(path.id);
    const { count, text } = priceRowsText(world, market, query);
    return { kind: 'text', text: answerText(count, text) };
  },
  getMarketPriceBook({ context, caller, path, query }) {
    const world = upToDate(context);
    const market = visibleMarket(world, caller, path.id);
    if (market === undefined) return unknownMarkets(path.id);
    return { kind: 'text', text: answerText(1, `[${priceBookText(world, market, query)}]`) };
  },
  /**
   * An answer holds exactly one book for each market asked for, in the order asked. Where one of them is unknown there
   * is no such answer: 404 names those that are, so that the caller can ask again without them.
   */
  listPrices({ context, caller, query }) {
    const world = upToDate(context);
    const unknown: string[] = [];
    const ids = new Set(query.marketIds);
    // Added piece by piece, so that a long text is put together once, when it is sent.
    let books = '';
    for (const id of ids) {
      const market = visibleMarket(world, caller, id);
      if (market === undefined) unknown.push(id);
      else books += `${books === '' ? '' : ','}${priceBookText(world, market, query)}`;
    }
    if (unknown.length > 0) return unknownMarkets(...unknown);
    return { kind: 'text', text: answerText(ids.size, `[${books}]`) };
  },
  getPriceLadder: () => ({ kind: 'text', text: LADDER_TEXT }),
};

const writePrices = writer(MARKET_ENDPOINTS.listPrices.answer.schema);
const writeLadder = writer(MARKET_ENDPOINTS.getPriceLadder.answer.schema);

const LADDER_TEXT = JSON.stringify(
  writeLadder({
    _meta: plainMeta('priceLadders', 1),
    marketPriceLadders: [{ prices: Array.from({ length: TICK_COUNT }, (_, index) => decimalOfTick(tick(index))) }],
  }),
);

const NO_PRICES = '[]}';
/** An answer's text up to its list, by count. */
const heads = new Map<number, string>();

/** `prices` is the text of the answer's list, of rows or of books: what stands around it is the same. */
function answerText(count: number, prices: string): string {
  return `${heads.get(count) ?? newHead(count)}${prices}}`;
}

function newHead(count: number): string {
  const empty = JSON.stringify(writePrices({ _meta: plainMeta('prices', count), prices: [] }));
  assert(empty.endsWith(NO_PRICES), 'the list is the last field');
  const head = empty.slice(0, -NO_PRICES.length);
  heads.set(count, head);
  return head;
}
