/**
 * Prices and statuses that a real sandbox tells through proxies which lose, delay, repeat, mix up or spoil them: no order on anything
 * older than its limits, and all is as the exchange has it soon after the fault ends.
 */

import { writeFileSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { budget } from '../../support/budget.ts';
import { DaemonStage, type RunningDaemon } from '../../support/daemon/daemon-stage.ts';
import { type Lie, type LyingProxy, openLyingProxy } from '../../support/daemon/lying-proxy.ts';
import { PriceWalk, testimoniesOf, WITNESS } from '../../support/daemon/price-walk.ts';
import { type Fate, openStreamProxy, type StreamMessage, type StreamProxy } from '../../support/stream/stream-proxy.ts';

const FRESHNESS_MS = 2_500;
/** Between a decision and the log's line about its order, on a busy machine. */
const LOGGED_MS = 100;
const FAULT_MS = 4_000;
/** Longer than prices may be old. */
const LATE_MS = 5_000;
/** A round trip of prices takes longer than the quote stands at a price. */
const ROUND_TRIP_MS = 200;
const NEVER_MS = 100_000;

let stage: DaemonStage;
let rest: LyingProxy;
let stream: StreamProxy;
let walk: PriceWalk;
beforeEach(async () => {
  stage = await DaemonStage.open({ pace: 0.1 });
  [rest, stream] = await Promise.all([openLyingProxy(stage.sandbox.url), openStreamProxy(stage.sandbox.streamUrl)]);
  rest.lie = slowPrices;
  walk = await PriceWalk.open(stage);
  writeFileSync(stage.strategy, WITNESS);
});

const slowPrices: Lie = (answer, { act }) =>
  act === 'GET /market-prices' ? { ...answer, afterMs: ROUND_TRIP_MS } : undefined;

/** A daemon that has placed an order while the quote walks. */
async function witness(mode: 'stream' | 'poll'): Promise<RunningDaemon> {
  const feed = { mode, ...(mode === 'stream' ? { rereadMs: 400 } : { everyMs: 300 }) };
  const config = stage.config(
    {
      markets: { ids: [walk.marketId] },
      feeds: { markets: feed, prices: feed, orders: { mode: 'poll', everyMs: 150 } },
      freshness: { markets: FRESHNESS_MS, prices: FRESHNESS_MS },
      heartbeat: { timeoutMs: 120_000, pollBudgetMs: 60_000 },
    },
    { url: rest.url, streamUrl: stream.url },
  );
  const daemon = stage.start(['run', config, '--json']);
  // Before the proxies close: without them it could not see to its orders.
  onTestFinished(async () => {
    walk.stand();
    daemon.kill('SIGTERM');
    await daemon.ended();
  });
  walk.walk();
  await daemon.until('"about":"sent"');
  return daemon;
}

/** All that it sent so far was seen within its freshness; and what it sends some time after the fault is seen as it is. */
async function recovers(daemon: RunningDaemon): Promise<void> {
  walk.stand();
  await pass(2 * FRESHNESS_MS);
  const since = Date.now();
  await testifies(daemon, { since, times: 3 });
  // By then the latest of what is late has come, too.
  await pass(LATE_MS - FRESHNESS_MS);
  const prices = new Set(testimoniesOf(daemon, since).map(({ price }) => price));
  expect([...prices]).toEqual([walk.price]);
  expect(walk.false(testimoniesOf(daemon), FRESHNESS_MS + LOGGED_MS)).toEqual([]);
}

/** It sends so many orders since then. Where it does not, the failure shows what it said last. */
async function testifies(daemon: RunningDaemon, { since, times }: { since: number; times: number }): Promise<void> {
  const lastWords = (): readonly string[] =>
    daemon
      .lines()
      .slice(-12)
      .map(({ time, msg }) => `${time} ${msg}`);
  await expect.poll(() => testimoniesOf(daemon, since).length >= times || lastWords()).toBe(true);
}

/**
 * Half of these are struck, by chance. Each price of the quote comes in one message and goes in another: of every second one, all that
 * come may be struck, and then no price that the bot learns of still stands.
 */
function halfOfThem(): () => boolean {
  const random = Random.fromSeed(1);
  return () => random.chance(0.5);
}

type Fault = (message: StreamMessage) => Fate;

function streamFaults(): Readonly<Record<string, Fault>> {
  const isStruck = halfOfThem();
  const kept: StreamMessage[] = [];
  return {
    late: (message) => [{ frame: message, afterMs: isStruck() ? LATE_MS : 0 }],
    'all late': (message) => [{ frame: message, afterMs: LATE_MS }],
    lost: (message) => (isStruck() ? [] : [{ frame: message }]),
    'unreadable as a frame': (message) => [{ frame: isStruck() ? JSON.stringify(message).slice(1) : message }],
    'unreadable in a row': (message) => [{ frame: isStruck() ? withRows(message, { price: 'high' }) : message }],
    'without prices': (message) => [{ frame: isStruck() ? { ...message, prices: undefined } : message }],
    'an empty snapshot': (message) => [
      { frame: isStruck() ? { ...message, updateType: 'Snapshot', prices: [] } : message },
    ],
    'from the future': (message) => [
      { frame: isStruck() ? withRows(message, { validAt: new Date(Date.now() + 60_000).toISOString() }) : message },
    ],
    duplicated: (message) => [{ frame: message }, { frame: message, afterMs: LATE_MS }],
    reordered: (message) => [{ frame: message, afterMs: isStruck() ? 350 : 0 }],
    // A fresh connection takes over: what was held on it comes at once, after newer messages of the old one.
    rotated: (message) => {
      kept.push(message);
      const held = kept.length % 60 === 0 ? kept.splice(0) : [];
      return [{ frame: message }, ...held.map((frame) => ({ frame }))];
    },
    silent: () => [],
  };
}

function withRows(message: StreamMessage, change: object): object {
  const prices = Array.isArray(message['prices']) ? message['prices'] : [];
  return { ...message, prices: prices.map((row: object) => ({ ...row, ...change })) };
}

describe('streamed prices', () => {
  test.each(budget({ each: ['late', 'lost'], deep: Object.keys(streamFaults()) }))('%s', async (name) => {
    const daemon = await witness('stream');
    const fault = streamFaults()[name]!;
    let struck = 0;
    stream.fate = (message) => {
      if (message.type !== 'MarketPriceUpdate') return [{ frame: message }];
      struck += 1;
      return fault(message);
    };
    const since = Date.now();
    await pass(FAULT_MS);
    // Readings go on, and are enough to trade on.
    await testifies(daemon, { since, times: 4 });
    stream.fate = undefined;
    expect(struck).toBeGreaterThan(10);
    await recovers(daemon);
  });
});

const POLL_FAULTS: Readonly<Record<string, Lie>> = {
  late: (answer) => ({ ...answer, afterMs: LATE_MS }),
  unreadable: (answer) => ({ ...answer, body: answer.body.slice(0, -20) }),
  'unreadable in a row': (answer) => ({ ...answer, body: answer.body.replace(/"price":[\d.]+/, '"price":"high"') }),
  failing: (answer) => ({ ...answer, status: 500, body: '{}' }),
  silent: (answer) => ({ ...answer, afterMs: NEVER_MS }),
};

describe('polled prices', () => {
  test.each(budget({ each: ['late'], deep: Object.keys(POLL_FAULTS) }))('%s', async (name) => {
    const daemon = await witness('poll');
    const lie = POLL_FAULTS[name]!;
    let struck = 0;
    rest.lie = (answer, call) => {
      if (call.act !== 'GET /market-prices') return undefined;
      struck += 1;
      return lie(answer, call);
    };
    await pass(FAULT_MS);
    rest.lie = slowPrices;
    expect(struck).toBeGreaterThan(0);
    await recovers(daemon);
  });
});

describe('an old status', () => {
  test.each(['stream', 'poll'] as const)('by %s', async (mode) => {
    const daemon = await witness(mode);
    const statuses: StreamMessage[] = [];
    stream.fate = (message) => {
      if (message.type === 'MarketStatusUpdate') statuses.push(message);
      return [{ frame: message }];
    };
    await walk.suspend(true);
    await walk.suspend(false);
    await pass(FRESHNESS_MS);
    rest.lie = (answer, { act }) => (act === 'GET /markets' ? { ...answer, afterMs: LATE_MS } : undefined);
    await walk.suspend(true);
    const since = Date.now();
    for (const until = since + FAULT_MS; Date.now() < until; await pass(100))
      for (const status of statuses.filter(({ suspended }) => suspended === false)) stream.say(status);
    rest.lie = slowPrices;
    // A stream tells of it at once; a reading does when it is made next, and none is older than its freshness.
    const knownAfterMs = mode === 'stream' ? LOGGED_MS : FRESHNESS_MS + LOGGED_MS;
    expect(testimoniesOf(daemon, since + knownAfterMs)).toEqual([]);
    await walk.suspend(false);
    await recovers(daemon);
  });
});
