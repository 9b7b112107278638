/** A run on Betfair that ends without a word in the middle of a market, and starts again once the market is another one. */

import { expect, test } from 'vitest';
import type { RestoredOrder } from '../../../src/core/run/run-state.ts';
import type { FeedMessage, OrderReport, OrderRequest } from '../../../src/exchange/gateway.ts';
import { restored, runState } from '../../support/betdex/served-orders.ts';
import { BetfairStage } from '../../support/conformance/betfair-stage.ts';
import { order, Scene, units } from '../../support/conformance/stage.ts';

const FEEDS = [
  ['polled', { kind: 'poll', everyMs: 200 }],
  ['streamed', { kind: 'stream', rereadMs: 5_000 }],
] as const;

async function firstProcess(choice: (typeof FEEDS)[number][1]) {
  const stage = new BetfairStage(choice);
  const scene = new Scene(stage, [await stage.market({ outcomes: 3 })]);
  stage.listen();
  await stage.until(() => scene.messages('market').length > 0, 'the market');
  return { stage, scene };
}

/** An order as the journal keeps it. */
function kept(scene: Scene, request: OrderRequest, report: OrderReport | undefined): RestoredOrder {
  const { client, side, tick, stake, outcome, keepWhenInPlay, matchBehavior } = request;
  const { facts } = scene.seen;
  const { terms } = restored(0);
  return {
    terms: {
      ...{
        ...terms,
        client,
        strategy: 'case',
        wallet: 'main',
        market: facts.id,
        marketName: facts.name,
        side,
        tick,
        stake,
      },
      ...{ outcome: facts.outcomes[outcome]?.id ?? '', keepWhenInPlay, matchBehavior },
    },
    sentAt: scene.stage.clock.now(),
    ...(report === undefined ? { fate: 'open' as const } : { fate: 'known' as const, report }),
  };
}

/** What a later process says, which begins now. */
function laterProcess(stage: BetfairStage, orders: readonly RestoredOrder[]) {
  const said: FeedMessage[] = [];
  const gateway = stage.gatewayOf(runState(orders));
  gateway.feed$.subscribe((message) => said.push(message));
  const reports = (client: number) =>
    said.flatMap((each) => (each.kind === 'order' && each.order.client === client ? [each.order] : []));
  const settled = () => said.flatMap((each) => (each.kind === 'settled' ? [each.profit] : []));
  return { said, reports, settled, gateway };
}

test.each(FEEDS)('what changed meanwhile is known at the next start, %s', async (_, choice) => {
  const { stage, scene } = await firstProcess(choice);
  const { market } = scene;
  await market.rest({ outcome: 0, side: 'Against', price: 5, stake: 10 });
  const requests = [
    order(1, { price: 8 }),
    order(2, { price: 6, units: 10 }),
    order(3, { price: 5, units: 10 }),
    order(4, { outcome: 2, price: 9, units: 3 }),
    order(5, { price: 8, units: 2, keepWhenInPlay: true }),
  ];
  const placed = await scene.place(...requests);
  await market.take({ outcome: 0, side: 'For', price: 6, stake: 4 });
  await scene.reported(2, 'PartiallyMatched');
  const newest = (client: number) => scene.reports(client).at(-1) ?? placed[client - 1];
  // Two whose answers never come: one arrives, and one does not.
  const lost = [order(6, { price: 7, units: 2 }), order(7, { price: 7, units: 2 })];
  const before = stage.transport.sent.length;
  await stage.wire.fault({ kind: 'dropAfter', count: 1 });
  await scene.reply(scene.gateway.place([lost[0] as OrderRequest]));
  await stage.wire.fault({ kind: 'dropBefore', count: 1 });
  await scene.reply(scene.gateway.place([lost[1] as OrderRequest]));
  expect(stage.transport.sent.length).toBeGreaterThan(before);
  const orders = [
    ...requests.map((request) => kept(scene, request, newest(request.client))),
    ...lost.map((request) => kept(scene, request, undefined)),
  ];
  stage.line.cut();
  await market.remove?.(2, 200_000);
  await market.goInPlay();
  await market.suspend(true);
  const { said, reports, settled } = laterProcess(stage, orders);
  const has = (client: number, status: string) => () => reports(client).some((each) => each.status === status);
  for (const [client, status] of [
    [1, 'Cancelled'],
    [2, 'Matched'],
    [3, 'Matched'],
    [4, 'Cancelled'],
    [5, 'Unmatched'],
    [6, 'Cancelled'],
  ] as const)
    await stage.until(has(client, status), `order ${client} ${status}`);
  await stage.until(() => said.some((each) => each.kind === 'absent' && each.client === 7), 'the proof of order 7');
  expect(reports(1).at(-1)).toMatchObject({ reason: 'MarketInPlay', stakeVoided: units(10) });
  expect(reports(2).at(-1)).toMatchObject({ stakeMatched: units(4), stakeVoided: units(6), stakeUnmatched: 0 });
  // 5 less a fifth is 4.
  expect(reports(3).at(-1)).toMatchObject({ stakeMatched: units(10), winningsMatched: units(30) });
  expect(reports(4).at(-1)).toMatchObject({ reason: 'OutcomeRemoved', stakeVoided: units(3) });
  expect(reports(7)).toEqual([]);
  const listed = said.find((each) => each.kind === 'market');
  if (listed?.kind !== 'market') throw new Error('no market');
  expect(listed.market).toMatchObject({ inPlayStatus: 'InPlay', suspended: true });
  expect(listed.market.outcomeStatus(2)).toBe('Removed');
  await market.settle(0);
  await stage.until(() => settled().length > 0, 'the result');
  // 30 and 4 × 3.8 of order 2, less 5 %.
  expect(settled()).toEqual([units((30 + 15.2) * 0.95)]);
  await stage.close();
});

test.each(FEEDS)(
  'a market that got its result meanwhile, and then another one, is told with what it brought, %s',
  async (_, choice) => {
    const { stage, scene } = await firstProcess(choice);
    await scene.market.rest({ outcome: 0, side: 'Against', price: 3, stake: 10 });
    const requests = [order(1, { price: 3 }), order(2, { price: 6 })];
    const placed = await scene.place(...requests);
    stage.line.cut();
    await scene.market.settle(0);
    const orders = requests.map((request, index) => kept(scene, request, placed[index]));
    const { said, reports, settled } = laterProcess(stage, orders);
    await stage.until(() => settled().length > 0, 'the result');
    expect(settled()).toEqual([units(19)]);
    expect(reports(1).at(-1)).toMatchObject({ status: 'Won', stakeMatched: units(10) });
    expect(reports(2).at(-1)).toMatchObject({ status: 'Cancelled', reason: 'MarketSettled' });
    const [first] = said.filter(({ kind }) => kind === 'settled' || kind === 'order');
    expect(first?.kind).toBe('order');
    await scene.market.resettle?.(1);
    await stage.until(() => settled().length > 1, 'the other result');
    expect(settled()).toEqual([units(19), units(-29)]);
    const books = await scene.reply(stage.gateway.accountSnapshot());
    expect(books).toMatchObject({ kind: 'books', books: { orders: [], wallets: [{ balance: units(990) }] } });
    await stage.close();
  },
);
