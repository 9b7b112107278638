/** A client that subscribes to orders again with its clocks: what it knows of a runner is not told, and what it cannot know is told whole. */

import { expect, test } from 'vitest';
import { limit } from '../../support/sandbox-betfair/face-stage.ts';
import { StreamStage } from '../../support/sandbox-betfair/stream-stage.ts';

test('a runner is told whole if all that stood on it was hidden from the client', () => {
  const stage = new StreamStage();
  const mary = stage.login();
  const query = { filter: {}, marketProjection: ['RUNNER_DESCRIPTION'], sort: 'LAST_TO_START', maxResults: 1 };
  const [{ marketId = '', runners = [] } = {}] = mary.call('listMarketCatalogue', query);
  const selectionId = runners[0]?.selectionId ?? 0;
  const place = (customerStrategyRef: string) => {
    const instructions = [limit({ selectionId, price: 1000, size: 5 })];
    mary.call('placeOrders', { marketId, customerStrategyRef, instructions });
    stage.builder.pass(1);
  };
  const orderFilter = { customerStrategyRefs: ['one'], includeOverallPosition: false };
  const request = { op: 'orderSubscription', id: 3, orderFilter };
  const client = stage.open(mary);
  client.send(request);
  place('two');
  client.leave();
  const { initialClk, clk } = client.reader;
  const back = stage.open(mary, client.reader);
  back.send({ ...request, initialClk, clk });
  place('one');
  expect(back.reader.faults).toEqual([]);
  expect(back.reader.messages.at(-1)).toMatchObject({ oc: [{ orc: [{ fullImage: true, uo: [{ rfs: 'one' }] }] }] });
});
