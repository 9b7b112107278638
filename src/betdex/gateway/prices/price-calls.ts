/** The query of a call for prices, and how many markets one call can name. */

import type { CallLimits } from '../../../exchange-live/connection/pack-ids.ts';
import { callText } from '../../client/call-text.ts';
import { ORIGIN_ROOM, URL_MAX } from '../../lists/id-lists.ts';

/** Books in one answer: some hundred kilobytes, so that one slow answer does not hold up all prices. */
const IDS_MAX = 200;

/** The query of a call for the books of these markets. */
export function pricesInput(marketIds: readonly string[]) {
  return { query: { marketIds, includeEmpty: true } };
}

/** How many market ids one call for prices can hold. */
export const PRICE_CALL_LIMITS: CallLimits = {
  idsMax: IDS_MAX,
  room: URL_MAX - ORIGIN_ROOM - callText('listPrices', pricesInput([]), '').path.length - '&marketIds='.length,
};
