/** A stream that stops telling of an outcome: the run says so, its tape has a gap, and parity names it as the cause of a difference. */

import { writeFileSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { SandboxWorld } from '../../support/conformance/sandbox-world.ts';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { openStreamProxy } from '../../support/stream/stream-proxy.ts';

/** Backs the first outcome once, as soon as the second one is offered at 5. */
const WAITER = `import { back, defineStrategy } from 'oddsmith';
export default defineStrategy({
  name: 'waiter',
  decide({ market, orders, position }) {
    const [first, second] = market.outcomes;
    const best = first?.bestAgainst?.price;
    if (second?.bestAgainst?.price !== 5 || first === undefined || best === undefined) return [];
    if (orders.length > 0 || position.matched(first.id, 'For').stake > 0) return [];
    return [back(first, { stake: 2, price: best })];
  },
});
`;

test('what a stalled stream missed is a gap, which parity names', async () => {
  const stage = await DaemonStage.open({ pace: 0.1 });
  const stream = await openStreamProxy(stage.sandbox.streamUrl);
  const terms = { number: 1, balance: 1_000, commission: 5, currency: 'USDC' };
  const market = await new SandboxWorld(stage.sandbox, terms).market({});
  await market.rest({ outcome: 0, side: 'Against', price: 3, stake: 50 });
  await market.rest({ outcome: 1, side: 'Against', price: 4, stake: 50 });
  writeFileSync(stage.strategy, WAITER);
  const prices = { mode: 'stream', rereadMs: 4_000 };
  const config = stage.config(
    {
      markets: { ids: [market.id] },
      feeds: { markets: { mode: 'stream', rereadMs: 1_000 }, prices, orders: { mode: 'poll', everyMs: 150 } },
      // A connection that a busy machine answers late is not taken for dead: a new one would tell all.
      freshness: { markets: 120_000, prices: 120_000 },
      record: true,
    },
    { streamUrl: stream.url },
  );
  let [told, struck, isStalled] = [0, 0, false];
  stream.fate = (message) => {
    const rows = Array.isArray(message['prices']) ? message['prices'] : [];
    told += rows.length;
    if (!isStalled) return [{ frame: message }];
    const left = rows.filter(({ price }: { price: number }) => price !== 3);
    struck += rows.length - left.length;
    return left.length === rows.length ? [{ frame: message }] : [{ frame: { ...message, prices: left } }];
  };
  const daemon = stage.start(['run', config, '--json']);
  onTestFinished(async () => {
    daemon.kill('SIGTERM');
    await daemon.ended();
  });
  await daemon.until('"to":"trading"');
  await daemon.until(/stream connection \d+ is up/);
  // The stream tells of this market from here on.
  await market.rest({ outcome: 1, side: 'Against', price: 3.5, stake: 50 });
  await expect.poll(() => told).toBeGreaterThan(0);
  // A reading that comes before the order would show that there is nothing to back.
  await stage.control.call('POST', '/faults', { kind: 'status', status: 503, operations: ['listPrices'] });
  isStalled = true;
  await market.clear({ outcome: 0, side: 'Against', price: 3 });
  await market.rest({ outcome: 1, side: 'Against', price: 5, stake: 50 });
  await expect.poll(() => stage.live()).toBe(1);
  await stage.control.call('DELETE', '/faults');
  await daemon.until('"alert":"STREAM_GAP"');
  expect(struck).toBeGreaterThan(0);
  daemon.kill('SIGTERM');
  expect(await daemon.ended()).toBe(0);
  const parity = stage.start(['parity', stage.dir, '--json']);
  await parity.ended();
  const { differences } = JSON.parse(parity.said.out);
  expect(differences).toMatchObject([
    {
      ...{ step: 'fill', run: '0 of 2 matched', replay: expect.stringContaining('2 of 2 matched') },
      cause: 'missedPoll',
      details: expect.stringContaining('the stream did not tell'),
    },
  ]);
});

test('a connection that is dead without a word is noticed before what it brought is too old', async () => {
  const stage = await DaemonStage.open({ pace: 5 });
  const stream = await openStreamProxy(stage.sandbox.streamUrl);
  const streamed = { mode: 'stream', rereadMs: 3_000 };
  const feeds = { markets: streamed, prices: streamed, orders: { mode: 'poll', everyMs: 300 } };
  const config = stage.config({ feeds, freshness: { markets: 8_000, prices: 8_000 } }, { streamUrl: stream.url });
  const daemon = stage.start(['run', config, '--json']);
  await daemon.until('"to":"trading"');
  await daemon.until(/stream connection \d+ is up/);
  stream.lives = false;
  const diedAt = performance.now();
  await expect.poll(() => daemon.lines().some(({ msg }) => msg.includes('NO_PONG'))).toBe(true);
  // Pings as far apart as the stream's own notice it after 66 s. Until then, the time is for a busy machine.
  expect(performance.now() - diedAt).toBeLessThan(40_000);
  daemon.kill('SIGTERM');
  await daemon.ended();
});

test('a stream that tells all has no gap, however busy the markets', async () => {
  const stage = await DaemonStage.open({ pace: 20 });
  const streamed = { mode: 'stream', rereadMs: 1_000 };
  const feeds = { markets: streamed, prices: streamed, orders: { mode: 'poll', everyMs: 300 } };
  const config = stage.config({ feeds, freshness: { markets: 20_000, prices: 20_000 }, record: true });
  const daemon = stage.start(['run', config, '--json']);
  await daemon.until('"to":"trading"');
  // Some readings of busy markets.
  await pass(8_000);
  daemon.kill('SIGTERM');
  expect(await daemon.ended()).toBe(0);
  expect(daemon.said.note).not.toContain('STREAM_GAP');
  expect(daemon.said.out).not.toContain('STREAM_GAP');
});
