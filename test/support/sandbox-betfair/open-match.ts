/** A client with an open match before it: the first soccer market that has not begun, and the prices of its home side. */

import { expect } from 'vitest';
import { FaceStage } from './face-stage.ts';

/** All that a catalogue can say of a market. */
export const PROJECTIONS = [
  'COMPETITION',
  'EVENT',
  'EVENT_TYPE',
  'MARKET_START_TIME',
  'MARKET_DESCRIPTION',
  'RUNNER_DESCRIPTION',
  'RUNNER_METADATA',
];

export type OpenMatch = ReturnType<typeof openMatch>;

export function openMatch() {
  const stage = new FaceStage();
  const client = stage.login();
  const filter = { eventTypeIds: ['1'], marketTypeCodes: ['MATCH_ODDS'], inPlayOnly: false };
  const query = { filter, marketProjection: PROJECTIONS, sort: 'FIRST_TO_START', maxResults: 1 };
  const [found] = client.call('listMarketCatalogue', query);
  const marketId = found?.marketId ?? '';
  const [home, draw] = found?.runners ?? [];
  expect(draw?.runnerName).toBe('The Draw');
  const book = () =>
    client.call('listMarketBook', {
      ...{ marketIds: [marketId], orderProjection: 'ALL', matchProjection: 'ROLLED_UP_BY_AVG_PRICE' },
      priceProjection: { priceData: ['EX_BEST_OFFERS', 'EX_TRADED'] },
    })[0];
  const { availableToBack = [], availableToLay = [] } = book()?.runners?.[0]?.ex ?? {};
  const [bestBack, bestLay] = [availableToBack[0]?.price ?? 0, availableToLay[0]?.price ?? 0];
  expect(bestBack).toBeLessThan(bestLay);
  /** What is offered at the best price to back. */
  const offered = availableToBack[0]?.size ?? 0;
  const selectionId = home?.selectionId ?? 0;
  return { stage, client, marketId, market: stage.market(marketId), selectionId, book, bestBack, bestLay, offered };
}
