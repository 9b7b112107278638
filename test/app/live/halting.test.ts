/** Halting, with real processes: it goes on until the exchange shows that every order has ended, and says which are left. */

import { writeFileSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { DaemonStage, type RunningDaemon } from '../../support/daemon/daemon-stage.ts';
import { type LyingProxy, openLyingProxy } from '../../support/daemon/lying-proxy.ts';
import { ordersOfWallet } from '../../support/exchange-orders.ts';
import { run } from '../fake-terminal.ts';

let stage: DaemonStage;
let proxy: LyingProxy;
beforeEach(async () => {
  stage = await DaemonStage.open();
  proxy = await openLyingProxy(stage.sandbox.url);
});

/** Longer than these tests: no order ends because the heartbeat lapsed. */
const CALM = { heartbeat: { timeoutMs: 120_000 } };

const trading = () => stage.trading('spawn', CALM, { exchange: { url: proxy.url } });

async function status(): Promise<{ readonly trading: string; readonly ordersLeft: readonly unknown[] }> {
  return JSON.parse((await run('status', '--dir', stage.dir, '--json')).out);
}

async function endsWhenTold(child: RunningDaemon): Promise<void> {
  child.kill('SIGTERM');
  expect(await child.ended()).toBe(0);
  expect(stage.held()).toEqual({ orders: 0, stake: 0 });
}

/** Cancellations are answered with 200, but do not reach the exchange. */
function ignoreCancellations(isOn: boolean): void {
  proxy.swallows = isOn ? (act) => act === 'POST /orders/cancel-v2' : undefined;
  const none = JSON.stringify({ _meta: { _primary_document: 'ids', _count: 0 }, ids: [] });
  proxy.lie = (answer, { act }) =>
    isOn && act === 'POST /orders/cancel-v2' ? { ...answer, status: 200, body: none } : undefined;
}

/** Rests an order in each market, and throws as soon as the exchange has six of them. */
const BREAKING = `import { back, defineStrategy } from 'oddsmith';
let markets = 0;
export default defineStrategy({
  name: 'breaking',
  decide({ market, orders, why }) {
    const [outcome] = market.outcomes;
    if (orders.some(({ status }) => status === 'Unmatched') && why === 'order') markets += 1;
    if (markets > 5) throw new Error('it is broken');
    if (!market.tradable || market.inPlay || outcome === undefined || orders.length > 0) return [];
    return [back(outcome, { stake: 2, price: 1000 })];
  },
});
`;

describe('cancellations that are answered and do nothing', () => {
  test.each([
    ['a command', async () => void (await run('halt', '--dir', stage.dir))],
    ['reduce-only', async () => void (await run('halt', '--dir', stage.dir, '--reduce-only'))],
  ])('%s is done once they do something, and names what is left until then', async (_, halt) => {
    const child = await trading();
    ignoreCancellations(true);
    await halt();
    await child.until('ORDERS_LEFT');
    const { orders } = stage.held();
    expect(orders).toBeGreaterThan(5);
    expect((await status()).ordersLeft).toHaveLength(orders);
    ignoreCancellations(false);
    await expect.poll(() => stage.held().orders).toBe(0);
    await expect.poll(async () => (await status()).ordersLeft).toEqual([]);
    await endsWhenTold(child);
  });

  test('a strategy that throws has its orders ended all the same', async () => {
    writeFileSync(stage.strategy, BREAKING);
    ignoreCancellations(true);
    const child = await trading();
    await child.until('breaking was halted');
    await child.until('ORDERS_LEFT');
    expect(stage.held().orders).toBeGreaterThan(5);
    ignoreCancellations(false);
    await expect.poll(() => stage.held().orders).toBe(0);
    await endsWhenTold(child);
  });
});

/** A market that keeps its orders when it is locked, with what it holds of ours. */
async function keepingMarket(): Promise<{ readonly id: string; held(): number }> {
  const ranges = { outcomesRange: { min: 2, max: 5 }, winnersRange: { min: 1, max: 1 } };
  await stage.control.call('POST', '/market-types', { id: 'KEEPING', ...ranges });
  const lockAt = new Date(Date.now() + 3_600_000).toISOString();
  // The crowd's first event is over by now.
  await stage.control.call('POST', '/events/1/active', { active: true });
  const terms = { eventId: '1', name: 'Keeping', marketTypeId: 'KEEPING', currencyId: 'USDC', lockAt };
  const outcomes = [{ title: 'A' }, { title: 'B' }];
  const { id } = (await stage.control.call('POST', '/markets', { ...terms, outcomes })) as { readonly id: string };
  const { catalogue, registry, exchange } = stage.sandbox.context.world;
  const made = [...catalogue.markets.values()].find((market) => market.id === id);
  const wallet = registry.walletById(stage.sandbox.walletId);
  if (made === undefined || wallet === undefined) throw new Error('a market was made, for a wallet');
  const isHeld = ({ market, status: is }: { readonly market: number; readonly status: string }) =>
    market === made.market && is === 'Unmatched';
  return { id, held: () => ordersOfWallet(exchange, wallet.wallet).filter(isHeld).length };
}

test('orders of a market that is locked when the run is halted end as soon as it opens again', async () => {
  const { id, held } = await keepingMarket();
  const child = await trading();
  await expect.poll(held).toBe(1);
  await stage.control.call('POST', `/markets/${id}/lock`, {});
  expect((await run('halt', '--dir', stage.dir)).code).toBe(0);
  await expect.poll(() => stage.held().orders).toBe(1);
  await child.until('ORDERS_LEFT');
  expect((await status()).ordersLeft).toMatchObject([{ market: id, marketStatus: 'Locked' }]);
  await pass(2_000);
  expect(held(), 'nothing ends it while its market is locked').toBe(1);
  await stage.control.call('POST', `/markets/${id}/open`, {});
  await expect.poll(() => stage.held().orders).toBe(0);
  await endsWhenTold(child);
});
