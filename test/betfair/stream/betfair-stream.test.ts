/** What gateways are told: news of both feeds in their order, proofs after them, and the news of the connection. */

import { of } from 'rxjs';
import { expect, test } from 'vitest';
import { BetfairStream } from '../../../src/betfair/stream/betfair-stream.ts';
import { Random } from '../../../src/core/number/random.ts';
import { StreamRig } from '../../support/betfair/stream-rig.ts';
import { limit } from '../../support/sandbox-betfair/face-stage.ts';

test('markets, orders, proofs and news come in the order in which they happen', () => {
  const rig = new StreamRig();
  const { clock } = rig.stage.builder;
  const stream = new BetfairStream({
    ...{ openCarrier: rig.line.open, clock, random: Random.fromSeed(1), session: () => of(rig.session) },
  });
  const said: string[] = [];
  const lines: string[] = [];
  stream.markets$.subscribe((news) => said.push(`market ${news.kind} ${'isImage' in news && news.isImage}`));
  stream.orders$.subscribe((news) => said.push(news.kind === 'order' ? `order ${news.order.status}` : news.kind));
  stream.proven$.subscribe(({ feed, at }) => said.push(`proven ${feed} ${rig.stage.builder.now - at}`));
  stream.news$.subscribe(({ kind }) => said.push(kind));
  stream.refused$.subscribe(({ feed }) => said.push(`refused ${feed}`));
  stream.native$.subscribe((news) => lines.push(news.kind));
  const [marketId = ''] = rig.marketIds(1);
  stream.markets({ marketFilter: { marketIds: [marketId] } });
  stream.orders({});
  stream.start();
  rig.pass(200);
  expect(said.splice(0)).toEqual([
    ...['market market true', 'proven markets 0', 'image', 'up', 'resync', 'proven orders 0'],
  ]);
  const mary = rig.stage.login();
  const [runner] = mary.call('listMarketBook', { marketIds: [marketId] })[0]?.runners ?? [];
  mary.call('placeOrders', {
    marketId,
    instructions: [limit({ selectionId: runner?.selectionId ?? 0, price: 1000, size: 5 })],
  });
  rig.pass(100);
  expect(said.splice(0)).toEqual([
    ...['market market false', 'proven markets 0', 'order EXECUTABLE', 'proven orders 0'],
  ]);
  rig.line.edit = (line) => line.replace('"status":"E"', '"status":"X"');
  rig.line.cut();
  rig.stage.command({ kind: 'suspend', market: rig.stage.market(marketId), suspended: true });
  mary.call('cancelOrders', { marketId });
  rig.pass(2_000);
  expect(said.filter((text) => !text.startsWith('proven'))).toEqual([
    ...['down', 'market market false', 'order EXECUTION_COMPLETE', 'up', 'resync'],
  ]);
  expect(lines).toEqual(['message', 'proven', 'message', 'proven', 'gap', 'message', 'proven']);
  stream.close();
});

test('what cannot be read is trouble, and what is not taken is a refusal', () => {
  const rig = new StreamRig({ server: { marketsMax: 1 } });
  const { clock } = rig.stage.builder;
  const stream = new BetfairStream({
    ...{ openCarrier: rig.line.open, clock, random: Random.fromSeed(1), session: () => of(rig.session) },
  });
  const said: object[] = [];
  stream.news$.subscribe((news) => said.push(news));
  stream.refused$.subscribe((news) => said.push(news));
  stream.markets({ marketFilter: { marketIds: [...rig.marketIds(2)] } });
  stream.start();
  rig.pass(100);
  expect(said.splice(0)).toMatchObject([{ kind: 'refused', feed: 'markets' }, { kind: 'up' }, { kind: 'resync' }]);
  rig.line.edit = (line) => line.replaceAll('"status":"OPEN"', '"status":"AJAR"');
  stream.markets({ marketFilter: { marketIds: [...rig.marketIds(1)] } });
  rig.pass(100);
  expect(said).toMatchObject([{ kind: 'trouble', code: 'UNREADABLE', details: expect.stringContaining('AJAR') }]);
  stream.close();
});
