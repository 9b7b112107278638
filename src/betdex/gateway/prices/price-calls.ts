/** What a call for prices is asked with, and how many markets one can name. */

import type { CallLimits } from '../../../exchange-live/polling/price-plan.ts';
import { callText } from '../../client/call-text.ts';
import { URL_MAX } from '../../lists/id-lists.ts';

/** Books in one answer: some hundred kilobytes, so that one slow answer does not hold up all prices. */
const IDS_MAX = 200;
/** Scheme, host and the base URL's path need room in the URL too. */
const ORIGIN_ROOM = 300;

/** What a call for the books of these markets is asked with. */
export function pricesInput(marketIds: readonly string[]) {
  return { query: { marketIds, includeEmpty: true } };
}

/** What a call for prices may hold. */
export const PRICE_CALL_LIMITS: CallLimits = {
  idsMax: IDS_MAX,
  room: URL_MAX - ORIGIN_ROOM - callText('listPrices', pricesInput([]), '').path.length - '&marketIds='.length,
};
