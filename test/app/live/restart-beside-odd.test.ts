/** A daemon that is killed, and starts again beside the document of a market that cannot be read any more, in which it left orders. */

import { expect, test } from 'vitest';
import { isLive } from '../../../src/core/order.ts';
import type { BotStatus } from '../../../src/engine/live/bot-status.ts';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { ordersOfWallet } from '../../support/exchange-orders.ts';
import { run } from '../fake-terminal.ts';

const MARKETS = 8;
const MORE = {
  ...{ markets: { types: ['TESTS'] }, freshness: { markets: 3_000 }, heartbeat: { timeoutMs: 120_000 } },
};

test.each([
  ['status', 'null'],
  ['marketOutcomes', undefined],
])(
  'trades in the other markets, and cancels by their ids what rests in the one whose %s is odd',
  async (field, json) => {
    const stage = await DaemonStage.open();
    const { world } = stage.sandbox.context;
    const { id } = await stage.control.createMarket({ name: 'Odd' });
    for (let count = 1; count < MARKETS; count += 1) await stage.control.createMarket();
    const { wallet } = world.registry.walletById(stage.sandbox.walletId) ?? expect.fail('no wallet');
    const restingIn = (isOdd: boolean): number =>
      ordersOfWallet(world.exchange, wallet).filter(
        (order) => isLive(order.status) && (world.catalogue.markets.get(order.market)?.id === id) === isOdd,
      ).length;

    const first = await stage.trading('spawn', MORE);
    await expect.poll(() => [restingIn(true), restingIn(false)]).toEqual([1, MARKETS - 1]);
    first.kill('SIGKILL');
    await first.ended();
    const fault = { kind: 'oddDocument', documents: 'markets', documentId: id, field, ...(json && { json }) };
    await stage.control.call('POST', '/faults', fault);

    const second = stage.spawn(['run', stage.config(MORE), '--json']);
    await expect.poll(() => restingIn(true)).toBe(0);
    await second.until('"to":"trading"');
    // Those of before rest on, and a new market is traded.
    expect(restingIn(false)).toBe(MARKETS - 1);
    await stage.control.createMarket();
    await expect.poll(() => restingIn(false)).toBe(MARKETS);
    expect(
      second.lines().some(({ alert, msg }) => alert === 'MARKET_DARK' && msg.includes(`market ${id} is dark`)),
    ).toBe(true);
    const { marketsOff }: BotStatus = JSON.parse((await run('status', '--dir', stage.dir, '--json')).out);
    expect(marketsOff.map(({ market }) => market)).toEqual([id]);

    await stage.control.call('DELETE', '/faults');
    await expect.poll(() => restingIn(true)).toBe(1);
  },
);
