/** Answers and stream messages of the real exchange are read without a fault, and written again as they were. */

import type { TSchema } from '@sinclair/typebox';
import { expect, test } from 'vitest';
import { CertLogin, IdentityAnswer } from '../../../src/betfair/wire/documents/account.ts';
import { OPERATIONS, type Operation } from '../../../src/betfair/wire/operations.ts';
import { MarketChangeMessage, MarketDefinition } from '../../../src/betfair/wire/stream/market-change.ts';
import { ConnectionMessage, StatusMessage } from '../../../src/betfair/wire/stream/messages.ts';
import { OrderChangeMessage } from '../../../src/betfair/wire/stream/order-change.ts';
import { documentReader } from '../../../src/codec/codec-read.ts';
import { writer } from '../../../src/codec/codec-write.ts';
import { betfairApiFile, betfairApiFiles, describeWithRecordings } from '../../support/shared.ts';

const RESULTS: Readonly<Record<string, Operation>> = {
  cancel_orders: 'cancelOrders',
  list_cleared_orders: 'listClearedOrders',
  list_competitions: 'listCompetitions',
  list_countries: 'listCountries',
  list_current_orders: 'listCurrentOrders',
  list_current_orders_description: 'listCurrentOrders',
  list_event_types: 'listEventTypes',
  list_events: 'listEvents',
  list_market_book: 'listMarketBook',
  list_market_catalogue: 'listMarketCatalogue',
  list_market_catalogue_no_ero: 'listMarketCatalogue',
  list_market_profit_and_loss: 'listMarketProfitAndLoss',
  list_market_types: 'listMarketTypes',
  list_runner_book: 'listRunnerBook',
  list_time_ranges: 'listTimeRanges',
  list_venues: 'listVenues',
  place_orders: 'placeOrders',
  replace_orders: 'replaceOrders',
  update_orders: 'updateOrders',
};

const DOCUMENTS: Readonly<Record<string, TSchema>> = {
  keep_alive_fail: IdentityAnswer,
  keep_alive_success: IdentityAnswer,
  login_fail: CertLogin,
  login_interactive_fail: IdentityAnswer,
  login_interactive_success: IdentityAnswer,
  login_success: CertLogin,
  logout_fail: IdentityAnswer,
  logout_success: IdentityAnswer,
  streaming_connection: ConnectionMessage,
  streaming_status: StatusMessage,
  streaming_503: MarketChangeMessage,
  streaming_market_definition: MarketDefinition,
  streaming_mcm_HEARTBEAT: MarketChangeMessage,
  streaming_mcm_RESUB_DELTA: MarketChangeMessage,
  streaming_mcm_SUB_IMAGE: MarketChangeMessage,
  streaming_mcm_UPDATE_md: MarketChangeMessage,
  streaming_mcm_UPDATE_tv: MarketChangeMessage,
  streaming_mcm_update: MarketChangeMessage,
  streaming_ocm_EMPTY_IMAGE: OrderChangeMessage,
  streaming_ocm_FULL_IMAGE: OrderChangeMessage,
  streaming_ocm_NEW_FULL_IMAGE: OrderChangeMessage,
  streaming_ocm_SUB_IMAGE: OrderChangeMessage,
  streaming_ocm_UPDATE: OrderChangeMessage,
};

function expectRoundTrip(schema: TSchema, value: unknown): void {
  const result = documentReader(schema)(value);
  if (result.kind === 'faults') expect(result.faults).toEqual([]);
  else expect(writer(schema)(result.value as never)).toEqual(value);
}

describeWithRecordings('answers of the real exchange', () => {
  test.each(Object.entries(RESULTS))('%s', (name, operation) => {
    // A starting price that is a text is none: it is read as absent.
    const noText = (_: string, value: unknown) => (value === 'NaN' ? undefined : value);
    const text = betfairApiFile('answers', `${name}.json`);
    const { result } = JSON.parse(text, noText);
    expect(documentReader(OPERATIONS[operation].result)(JSON.parse(text).result).kind).toBe('read');
    expectRoundTrip(OPERATIONS[operation].result, result);
  });

  test.each(Object.entries(DOCUMENTS))('%s', (name, schema) => {
    expectRoundTrip(schema, JSON.parse(betfairApiFile('answers', `${name}.json`)));
  });

  test('each file of them is read', () => {
    const files = betfairApiFiles('answers').map((name) => name.replace(/\.json$/, ''));
    const read = [...Object.keys(RESULTS), ...Object.keys(DOCUMENTS), 'order-stream__1.177596575'];
    expect(files.filter((name) => !read.includes(name))).toEqual([]);
  });

  test('a recorded order stream', () => {
    const lines = betfairApiFile('answers', 'order-stream__1.177596575')
      .split('\n')
      .filter((line) => line !== '');
    expect(lines).toHaveLength(4);
    for (const line of lines) expectRoundTrip(OrderChangeMessage, JSON.parse(line));
  });
});
