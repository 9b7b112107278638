/** The sandbox’s page at a glance: accounts, faults in force, who is connected, and what is traded, as the exchange has it. */

import { expect, onTestFinished, test } from 'vitest';
import { betdexSource } from '../../../src/app/web/dashboard/sandbox/betdex-sandbox.ts';
import { readAsk } from '../../../src/app/web/dashboard/server/read-ask.ts';
import type { ExchangePanel } from '../../../src/pages/exchange-panel.ts';
import { openCrowdedSandbox } from '../../support/crowded-sandbox.ts';

test('accounts, faults, clients and traded volume are those of the exchange', async () => {
  const { sandbox, control, close } = await openCrowdedSandbox({ pace: 20 });
  onTestFinished(close);
  const { exchange } = sandbox.context.world;
  const source = () => betdexSource(sandbox);
  const glance = (): ExchangePanel => {
    const panel = source().panel(readAsk(new URLSearchParams('page=exchange')));
    if (panel?.page !== 'exchange') throw new Error('a sandbox has this page');
    return panel;
  };
  expect(glance()).toMatchObject({
    accounts: [{ app: sandbox.appId, cash: 10_000, atRisk: 0, free: 10_000, profit: 0, liveOrders: 0 }],
    faults: [],
    clients: [{ app: sandbox.appId, sessions: 0, streams: [], heartbeat: { text: 'none' } }],
  });

  const { walletId } = await control.createApp(250);
  const move = (kind: string, amount: number) =>
    control.call('POST', `/wallets/${walletId}/${kind}`, { currencyId: 'USDC', amount });
  await move('withdraw', 50);
  await move('adjust', -20);
  const account = () => glance().accounts.find(({ wallet }) => wallet === walletId);
  expect(account(), 'what is paid in or out is no profit').toMatchObject({ cash: 180, free: 180, profit: 0 });

  await control.call('POST', '/faults', { kind: 'status', status: 503, probability: 0.5, forMs: 60_000 });
  expect(glance().faults).toMatchObject([
    { what: 'answers with status 503', of: '50 % of all requests of all apps', until: expect.any(Number) },
  ]);

  await expect.poll(() => glance().markets[0]?.traded ?? 0).toBeGreaterThan(0);
  const [first] = glance().markets;
  const record = [...sandbox.context.world.catalogue.markets.values()].find(({ id }) => id === first?.id);
  const traded = () => Math.max(...[...exchange.marketIds()].map((id) => sumOf(exchange.market(id)?.traded ?? [])));
  expect(record).toBeDefined();
  expect(glance().markets[0]?.traded, 'the most of all comes first').toBeCloseTo(traded(), 6);
});

function sumOf(stakes: readonly number[]): number {
  return stakes.reduce((sum, stake) => sum + stake, 0) / 1e6;
}
