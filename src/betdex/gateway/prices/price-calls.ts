/** The query of a call for prices, and how many markets one call can name. */

import type { CallLimits } from '../../../exchange-live/polling/price-plan.ts';
import { callText } from '../../client/call-text.ts';
import { URL_MAX } from '../../lists/id-lists.ts';

/** Books in one answer: some hundred kilobytes, so that one slow answer does not hold up all prices. */
const IDS_MAX = 200;
/** Characters kept free in the URL for scheme, host and the path of the base URL. */
const ORIGIN_ROOM = 300;

/** The query of a call for the books of these markets. */
export function pricesInput(marketIds: readonly string[]) {
  return { query: { marketIds, includeEmpty: true } };
}

/** How many market ids one call for prices can hold. */
export const PRICE_CALL_LIMITS: CallLimits = {
  idsMax: IDS_MAX,
  room: URL_MAX - ORIGIN_ROOM - callText('listPrices', pricesInput([]), '').path.length - '&marketIds='.length,
};
