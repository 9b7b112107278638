/** Operations that read prices, answered with cached text, and the price ladder. */

import { MARKET_ENDPOINTS } from '../../../betdex/wire/endpoints.ts';
import { writer } from '../../../codec/codec-write.ts';
import { assert } from '../../../core/checks/assert.ts';
import { decimalOfTick, TICK_COUNT, tick } from '../../../core/number/ladder.ts';
import { priceBookText, priceRowsText } from '../../documents/prices/price-text.ts';
import type { Operations } from '../shared/operation.ts';
import { plainMeta } from '../shared/paging.ts';
import { unknownMarkets, visibleMarket } from './visible-market.ts';

export const PRICE_OPERATIONS: Operations<
  'listMarketPriceRows' | 'getMarketPriceBook' | 'listPrices' | 'getPriceLadder'
> = {
  listMarketPriceRows({ world, caller, path, query }) {
    const market = visibleMarket(world, caller, path.id);
    if (market === undefined) return unknownMarkets(path.id);
    const { count, text } = priceRowsText(world, market, query);
    return { kind: 'text', text: answerText(count, text) };
  },
  getMarketPriceBook({ world, caller, path, query }) {
    const market = visibleMarket(world, caller, path.id);
    if (market === undefined) return unknownMarkets(path.id);
    return { kind: 'text', text: answerText(1, `[${priceBookText(world, market, query)}]`) };
  },
  /**
   * The answer holds exactly one book for each market, in the order of the query. If a market is unknown there is no
   * such answer: 404 names the unknown ones, so that the caller can ask again without them.
   */
  listPrices({ world, caller, query }) {
    const unknown: string[] = [];
    const ids = new Set(query.marketIds);
    // Appended piece by piece: the engine joins the pieces of a long text only once, when it is sent.
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
/** The text of an answer up to its list, by the value of `_count`. */
const heads = new Map<number, string>();

/** The whole answer. `prices` is the JSON text of its list, of rows or of books; the rest is the same for both. */
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
