/** The daemon beside one odd wallet of two: nothing new is placed from it for as long as it cannot be read, and all else goes on. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLive } from '../../../src/core/order.ts';
import type { BotStatus } from '../../../src/engine/live/bot-status.ts';
import type { OrderView } from '../../../src/matching/state/views.ts';
import { DaemonStage, type RunningDaemon } from '../../support/daemon/daemon-stage.ts';
import { ordersOfWallet } from '../../support/exchange-orders.ts';
import { run } from '../fake-terminal.ts';

/** One order in each market, which is cancelled and placed again and again. */
const churner = (name: string) => `import { back, cancel, defineStrategy } from 'oddsmith';
export default defineStrategy({
  name: '${name}',
  decide({ market, orders }) {
    const [outcome] = market.outcomes;
    const [own] = orders;
    if (own !== undefined) return [cancel(own)];
    return market.tradable && outcome !== undefined ? [back(outcome, { stake: 2, price: 1000 })] : [];
  },
});
`;
const FRESHNESS = { wallets: 1_500 };
const MARKETS = 8;

/** Two wallets, each with a strategy of its own. */
async function stageOfTwo() {
  const stage = await DaemonStage.open();
  const { appId, walletId, context } = stage.sandbox;
  const balances = [{ currencyId: 'USDC', balance: 10_000 }];
  const { id: odd } = await stage.control.call('POST', `/apps/${appId}/wallets`, { balances });
  for (let count = 0; count < MARKETS; count += 1) await stage.control.createMarket();
  const files = ['plain', 'odd'].map((name) => {
    const file = join(stage.directory, `${name}.ts`);
    writeFileSync(file, churner(name));
    return file;
  });
  const more = {
    markets: { types: ['TESTS'] },
    freshness: FRESHNESS,
    wallets: { main: { id: walletId }, second: { id: odd } },
    strategies: files.map((file, index) => ({ file, wallet: index === 0 ? 'main' : 'second' })),
  };
  const ordersOf = (id: string): readonly OrderView[] => {
    const wallet = context.world.registry.walletById(id) ?? expect.fail('no wallet');
    return ordersOfWallet(context.world.exchange, wallet.wallet);
  };
  return {
    ...{ stage, more, odd, plain: walletId, ordersOf },
    /** Waits until so many more orders were placed from the wallet. */
    async grows(id: string, by = 3 * MARKETS): Promise<void> {
      const before = ordersOf(id).length;
      await expect.poll(() => ordersOf(id).length - before).toBeGreaterThan(by);
    },
    async makeOdd(field = 'balances', json: string | undefined = 'null'): Promise<void> {
      const fault = { kind: 'oddDocument', documents: 'wallets', documentId: odd, field, ...(json && { json }) };
      await stage.control.call('POST', '/faults', fault);
    },
  };
}

type Stage = Awaited<ReturnType<typeof stageOfTwo>>;

async function statusOf({ stage }: Stage): Promise<BotStatus> {
  return JSON.parse((await run('status', '--dir', stage.dir, '--json')).out);
}

function alertOf(daemon: RunningDaemon): boolean {
  return daemon.lines().some(({ alert, msg }) => alert === 'FEED_LATE' && msg.includes('wallet second'));
}

/** Nothing is live there, nothing new comes, and the other wallet's strategy goes on. */
async function standsStill(it: Stage): Promise<void> {
  // Nothing lives for a moment between two rounds, too; and a round that left before the alert may still be on its way.
  await it.grows(it.plain);
  await expect.poll(() => it.ordersOf(it.odd).filter(({ status }) => isLive(status))).toEqual([]);
  const before = it.ordersOf(it.odd).length;
  await it.grows(it.plain, 6 * MARKETS);
  expect(it.ordersOf(it.odd).length).toBe(before);
}

test.each<[string, string | undefined]>([
  ['balances', 'null'],
  ['balances.0.balance', '"much"'],
  ['id', undefined],
])(
  'stops new orders of that wallet alone while its %s is odd (%s), and goes on when it is read again',
  async (...odd) => {
    const it = await stageOfTwo();
    const daemon = await it.stage.trading('start', it.more);
    await it.grows(it.odd);
    await it.makeOdd(...odd);
    await expect.poll(() => alertOf(daemon)).toBe(true);
    await standsStill(it);
    const bot = await statusOf(it);
    expect(bot).toMatchObject({ phase: 'trading', wallets: [{ name: 'main' }, { name: 'second' }] });
    expect(bot.wallets[0]).not.toHaveProperty('unreadMs');
    expect(bot.wallets[1]?.unreadMs).toBeGreaterThan(FRESHNESS.wallets);
    expect(bot.feeds.filter(({ isLate }) => isLate)).toEqual([]);
    expect(daemon.lines().some(({ alert }) => alert === 'ANSWER_UNREADABLE')).toBe(true);
    await it.stage.control.call('DELETE', '/faults');
    await it.grows(it.odd);
    expect((await statusOf(it)).wallets[1]).not.toHaveProperty('unreadMs');
  },
);

test('starts beside it, and places nothing from it before it was read', async () => {
  const it = await stageOfTwo();
  await it.makeOdd();
  await it.stage.trading('start', it.more);
  await standsStill(it);
  expect(it.ordersOf(it.odd)).toEqual([]);
  await it.stage.control.call('DELETE', '/faults');
  await it.grows(it.odd);
});
