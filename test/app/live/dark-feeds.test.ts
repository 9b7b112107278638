/** A feed goes dark while markets go in play: soon nothing of ours rests there, whatever feed it is and however it fails. */

import { writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { isLive } from '../../../src/core/order.ts';
import { budget } from '../../support/budget.ts';
import { DaemonStage, type RunningDaemon } from '../../support/daemon/daemon-stage.ts';
import { type LyingProxy, openLyingProxy, type ProxiedAnswer } from '../../support/daemon/lying-proxy.ts';
import { ordersOfWallet } from '../../support/exchange-orders.ts';
import { run } from '../fake-terminal.ts';

let stage: DaemonStage;
let proxy: LyingProxy;
beforeEach(async () => {
  stage = await DaemonStage.open();
  proxy = await openLyingProxy(stage.sandbox.url);
  writeFileSync(stage.strategy, FLAT_AT_THE_OFF);
});

/** One order in each market, which would stay in play, and is cancelled by the strategy when the market goes in play. */
const FLAT_AT_THE_OFF = `import { back, defineStrategy } from 'oddsmith';
export default defineStrategy({
  name: 'flat-at-the-off',
  decide({ market, orders }) {
    const [outcome] = market.outcomes;
    if (market.inPlay) return orders.length > 0 ? [{ kind: 'cancelAll', market: market.id }] : [];
    if (!market.tradable || outcome === undefined || orders.length > 0) return [];
    return [back(outcome, { stake: 2, price: 1000, keepWhenInPlay: true })];
  },
});
`;
const FRESHNESS = { markets: 2_500, prices: 2_000, orders: 2_000, wallets: 3_000 };
/** What the requirement allows after the threshold. */
const SOON_MS = 5_000;

const READ_BY = {
  markets: 'GET /markets',
  prices: 'GET /market-prices',
  orders: 'GET /orders',
  wallets: 'GET /wallets',
} as const;

const WAYS: Readonly<Record<string, (answer: ProxiedAnswer) => ProxiedAnswer & { readonly afterMs?: number }>> = {
  'answers 500': (answer) => ({ ...answer, status: 500, body: '{}' }),
  hangs: (answer) => ({ ...answer, afterMs: 60_000 }),
  'answers garbage': (answer) => ({ ...answer, body: '<html>it works</html>' }),
  'answers by half': (answer) => ({ ...answer, body: answer.body.slice(0, answer.body.length / 2) }),
};

const trading = (more = {}) =>
  stage.trading('start', { freshness: FRESHNESS, ...more }, { exchange: { url: proxy.url } });

/** All markets that can go in play do, in one of which an order of ours rests at least. */
function goInPlay(): void {
  const { exchange } = stage.sandbox.context.world;
  for (const market of exchange.marketIds()) {
    if (exchange.market(market)?.inPlayStatus !== 'PrePlay' || exchange.market(market)?.status !== 'Open') continue;
    stage.sandbox.context.apply({
      ...{ kind: 'command', at: stage.sandbox.context.now() },
      command: { kind: 'setInPlay', market, inPlay: true },
    });
  }
  expect(restingInPlay()).toBeGreaterThan(0);
}

/** How many orders of ours rest in markets that are in play. */
function restingInPlay(): number {
  const { exchange, registry } = stage.sandbox.context.world;
  const { wallet } = registry.walletById(stage.sandbox.walletId) ?? expect.fail('no wallet');
  const resting = ordersOfWallet(exchange, wallet).filter(({ status }) => isLive(status));
  return resting.filter(({ market }) => exchange.market(market)?.inPlayStatus === 'InPlay').length;
}

async function endsWhenTold(child: RunningDaemon): Promise<void> {
  proxy.lie = undefined;
  proxy.swallows = undefined;
  child.kill('SIGTERM');
  expect(await child.ended()).toBe(0);
}

/** Each feed and each way once; all pairs of them in the long proofs, and in simulated lives (test/vopr). */
const FEEDS = Object.keys(READ_BY) as (keyof typeof READ_BY)[];
const PAIRS = FEEDS.flatMap((feed, row) =>
  Object.keys(WAYS).map((way, column) => ({ feed, way, isFirst: row === column })),
);

describe('while markets go in play', () => {
  const pairs = budget({ each: PAIRS.filter(({ isFirst }) => isFirst), deep: PAIRS });
  test.each(pairs)('$feed: the feed $way', async ({ feed, way }) => {
    const child = await trading();
    const from = Date.now();
    proxy.lie = (answer, { act }) => (act === READ_BY[feed] ? WAYS[way]?.(answer) : undefined);
    goInPlay();
    await expect.poll(restingInPlay, { timeout: FRESHNESS[feed] + SOON_MS, interval: 20 }).toBe(0);
    expect(Date.now() - from).toBeLessThan(FRESHNESS[feed] + SOON_MS);
    // Of the others the strategy may have been told before that the market is in play.
    if (feed === 'markets') expect(child.lines().some(({ alert }) => alert === 'MARKET_DARK')).toBe(true);
    await endsWhenTold(child);
  });
});

describe('while nothing can be read, and no cancellation arrives', () => {
  const GONE = { status: 503, contentType: 'text/plain', body: 'gone' };
  const goDark = () => {
    proxy.swallows = (act) => act.startsWith('GET /market') || act.startsWith('POST /orders/cancel');
    proxy.lie = (_, { act }) =>
      act.startsWith('GET /market') || act.startsWith('POST /orders/cancel') ? GONE : undefined;
  };

  test('the heartbeat lapses, the exchange cancels, and the run trades on in the light', async () => {
    const child = await trading();
    goDark();
    goInPlay();
    await child.until('HEARTBEAT_LATE');
    await expect.poll(() => stage.held().orders).toBe(0);
    proxy.swallows = undefined;
    proxy.lie = undefined;
    await expect
      .poll(async () => JSON.parse((await run('status', '--dir', stage.dir, '--json')).out))
      .toMatchObject({ phase: 'trading', heartbeat: 'active', marketsOff: [], ordersLeft: [] });
    await endsWhenTold(child);
  });

  test('without a heartbeat the alert says that nothing protects the orders', async () => {
    const child = await trading({ heartbeat: 'none' });
    goDark();
    await child.until('Nothing protects them');
    expect(stage.held().orders).toBeGreaterThan(5);
    await endsWhenTold(child);
    expect(stage.held().orders).toBe(0);
  });
});
