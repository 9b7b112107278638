/** All that stands around a daemon that runs for long: a sandbox with its crowd, hundreds of markets, other traders. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DaemonPlace } from '../kill/daemon-process.ts';
import { Trader } from '../kill/exchange/trader.ts';
import { Makers } from '../kill/makers.ts';
import { MarketMill } from '../kill/market-mill.ts';
import { Random } from '../random.ts';
import { ControlClient } from '../vendor/control-client.ts';
import { type SandboxProcess, startSandbox } from '../vendor/sandbox-process.ts';
import { writeSoakConfig } from './soak-config.ts';

const MARKET_TYPE = 'MILL_WINNER';
const CROWD_TYPES = ['FOOTBALL_FULL_TIME_RESULT', 'TENNIS_WINNER', 'HORSE_RACING_WIN'];
export const SOAK_BALANCE = 50_000;
const MAKERS_BALANCE = 100_000_000;
const COMMISSION_PERCENT = 2;
const MAKERS_EVERY_MS = 60;

export interface SoakStage {
  readonly sandbox: SandboxProcess;
  readonly control: ControlClient;
  readonly mill: MarketMill;
  readonly makers: Makers;
  /** The app that the daemon trades for, by the name of the wallet. */
  readonly owners: Readonly<Record<string, Trader>>;
  readonly place: DaemonPlace;
  readonly metricsUrl: string;
  close(how: { readonly keeps: boolean }): Promise<void>;
}

export async function openSoak(plan: {
  readonly seed: number;
  readonly markets: number;
  readonly lifeMs: readonly [number, number];
  readonly strategyLimit?: number;
  readonly explainMb?: number;
}): Promise<SoakStage> {
  const { seed, markets, lifeMs, strategyLimit = 20_000, explainMb = 1_000 } = plan;
  const random = new Random(seed);
  const sandbox = await startSandbox({ args: ['--crowd', '--seed', String(seed)] });
  const control = new ControlClient(sandbox);
  const app = await control.createApp(SOAK_BALANCE);
  const balances = [{ currencyId: 'USDC', balance: SOAK_BALANCE }];
  const { id: other } = await control.call('POST', `/apps/${app.appId}/wallets`, { balances });
  await control.call('POST', `/apps/${app.appId}/commission-rates`, { rate: COMMISSION_PERCENT, isDefault: true });
  const names = { marketTypeId: MARKET_TYPE, eventGroupId: 'MILL' };
  const mill = new MarketMill(control, { size: markets, lifeMs, lingerMs: [50_000, 70_000], names }, random);
  await mill.begin();
  const trader = new Trader(sandbox.url, await control.createApp(MAKERS_BALANCE));
  const makers = new Makers(trader, mill, { everyMs: MAKERS_EVERY_MS, takes: 0.25 }, random);
  makers.begin();
  const owners = { main: new Trader(sandbox.url, app), other: new Trader(sandbox.url, { ...app, walletId: other }) };
  const directory = mkdtempSync(join(tmpdir(), 'oddsmith-soak-'));
  const metricsPort = await freePort();
  const place = writeSoakConfig({
    ...{ strategyLimit, explainMb },
    ...{ ...app, directory, metricsPort, url: sandbox.url, streamUrl: sandbox.streamUrl },
    wallets: { main: app.walletId, other },
    marketTypes: [MARKET_TYPE, ...CROWD_TYPES],
  });
  return {
    ...{ sandbox, control, mill, makers, owners, place, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` },
    close: async ({ keeps }) => {
      await makers.stop();
      await mill.stop();
      for (const each of [trader, ...Object.values(owners)]) each.close();
      await sandbox.remove();
      if (!keeps) rmSync(directory, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject()));
    });
  });
}
