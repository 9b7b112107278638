/** What becomes of an order whose answer was lost is told after the reply that it is not known, however long the reply takes. */

import { afterEach, expect, test } from 'vitest';
import { BetfairStage } from '../../support/conformance/betfair-stage.ts';
import { order, Scene } from '../../support/conformance/stage.ts';

/** Longer than it takes to prove that an order does not exist. */
const DELAY_MS = 40_000;

const stages: BetfairStage[] = [];

afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

test('an order that was lost beside one that waits for its in-play delay is proved absent after the reply', async () => {
  const stage = new BetfairStage({ kind: 'poll', everyMs: 200 });
  stages.push(stage);
  const slow = { inPlayDelayMs: DELAY_MS, cancelsAtStart: false };
  const scene = new Scene(stage, [await stage.market(), await stage.market(slow)]);
  stage.listen();
  await stage.until(() => scene.messages('market').length > 1, 'the markets');
  await scene.markets[1]?.goInPlay();
  await stage.until(() => scene.state(1).inPlayStatus === 'InPlay', 'the off');
  const { index: quick } = scene.state(0);
  const { index: waiting } = scene.state(1);
  await stage.wire.fault({ kind: 'dropBefore', count: 1 });
  const reply = await scene.reply(stage.gateway.place([order(1, { market: quick }), order(2, { market: waiting })]));
  expect(reply).toMatchObject({
    kind: 'placed',
    items: [
      { kind: 'unknown', client: 1 },
      { kind: 'accepted', report: { client: 2 } },
    ],
  });
  expect(scene.messages('absent')).toEqual([]);
  await stage.until(() => scene.messages('absent').length > 0, 'the proof');
  expect(scene.messages('absent')).toMatchObject([{ client: 1 }]);
});
