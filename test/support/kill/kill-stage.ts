/** All that stands around a daemon that is killed: sandbox, markets in motion, other traders, an app with a wallet. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../random.ts';
import { ControlClient } from '../vendor/control-client.ts';
import { type SandboxProcess, startSandbox } from '../vendor/sandbox-process.ts';
import type { DaemonPlace } from './daemon-process.ts';
import { Makers } from './makers.ts';
import { MarketMill } from './market-mill.ts';
import { writeKillConfig } from './run-config.ts';
import { Trader } from './trader.ts';

export const MARKET_TYPE = 'MILL_WINNER';
const CROWD_TYPES = ['TENNIS_WINNER', 'HORSE_RACING_WIN'];
const BALANCE = 50_000;
const MAKERS_BALANCE = 100_000_000;
const COMMISSION_PERCENT = 2;

export interface StagePlan {
  readonly seed: number;
  readonly markets: number;
  readonly lifeMs: readonly [number, number];
}

export interface KillStage {
  readonly sandbox: SandboxProcess;
  readonly control: ControlClient;
  readonly mill: MarketMill;
  readonly makers: Makers;
  /** The app that the daemon trades for, used by others with the same key. */
  readonly owner: Trader;
  readonly balance: number;
  readonly place: DaemonPlace;
  /** Writes the configuration anew, with another limit that never binds. */
  rewriteConfig(version: number): void;
  /** `keeps`: the daemon's journal and log stay. */
  close(how: { readonly keeps: boolean }): Promise<void>;
}

export async function openStage({ seed, markets, lifeMs }: StagePlan): Promise<KillStage> {
  const random = new Random(seed);
  const sandbox = await startSandbox({ args: ['--crowd', '--seed', String(seed)] });
  const control = new ControlClient(sandbox);
  const app = await control.createApp(BALANCE);
  await control.call('POST', `/apps/${app.appId}/commission-rates`, { rate: COMMISSION_PERCENT, isDefault: true });
  const names = { marketTypeId: MARKET_TYPE, eventGroupId: 'MILL' };
  const mill = new MarketMill(control, { size: markets, lifeMs, lingerMs: [3_000, 8_000], names }, random);
  await mill.begin();
  const trader = new Trader(sandbox.url, await control.createApp(MAKERS_BALANCE));
  const makers = new Makers(trader, mill, { everyMs: 60, takes: 0.3 }, random);
  makers.begin();
  const owner = new Trader(sandbox.url, app);
  const directory = mkdtempSync(join(tmpdir(), 'oddsmith-kill-'));
  const marketTypes = [MARKET_TYPE, ...CROWD_TYPES];
  const config = { ...app, directory, url: sandbox.url, marketTypes };
  return {
    ...{ sandbox, control, mill, makers, owner, balance: BALANCE, place: writeKillConfig(config) },
    rewriteConfig: (version) => void writeKillConfig(config, version),
    close: async ({ keeps }) => {
      await makers.stop();
      await mill.stop();
      trader.close();
      owner.close();
      await sandbox.remove();
      if (!keeps) rmSync(directory, { recursive: true, force: true });
    },
  };
}
