/** All that stands around a daemon that is killed: sandbox, markets in motion, other traders, an app with a wallet. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../random.ts';
import type { ControlClient } from '../vendor/control-client.ts';
import { type SandboxProcess, startSandbox } from '../vendor/sandbox-process.ts';
import type { Json } from '../vendor/vendor-client.ts';
import type { DaemonPlace } from './daemon-process.ts';
import { type ExchangeName, type KillExchange, openExchange, SANDBOX_ARGS } from './exchange/kill-exchange.ts';
import { Makers } from './makers.ts';
import { MarketMill } from './market-mill.ts';
import { writeKillConfig } from './run-config.ts';

export const MARKET_TYPE = 'MILL_WINNER';

export interface StagePlan {
  readonly exchange: ExchangeName;
  readonly seed: number;
  readonly markets: number;
  readonly lifeMs: readonly [number, number];
}

export interface KillStage {
  readonly sandbox: SandboxProcess;
  readonly exchange: KillExchange;
  readonly control: ControlClient;
  readonly mill: MarketMill;
  readonly makers: Makers;
  readonly place: DaemonPlace;
  /** Injects a fault for the daemon's account, in BetDEX's words. */
  inject(fault: Json): Promise<void>;
  /** Writes the configuration anew, with another limit that never binds. */
  rewriteConfig(version: number): void;
  /** `keeps`: the daemon's journal and log stay. */
  close(how: { readonly keeps: boolean }): Promise<void>;
}

export async function openStage({ exchange: name, seed, markets, lifeMs }: StagePlan): Promise<KillStage> {
  const random = new Random(seed);
  const sandbox = await startSandbox({ args: [...SANDBOX_ARGS[name], '--crowd', '--seed', String(seed)] });
  const exchange = await openExchange(name, sandbox);
  const { control, owner, maker, currencyId, crowdTypes } = exchange;
  const names = { marketTypeId: MARKET_TYPE, eventGroupId: 'MILL', currencyId };
  const mill = new MarketMill(control, { size: markets, lifeMs, lingerMs: [3_000, 8_000], names }, random);
  await mill.begin();
  const makers = new Makers(maker, mill, { everyMs: 60, takes: 0.3 }, random);
  makers.begin();
  const directory = mkdtempSync(join(tmpdir(), 'oddsmith-kill-'));
  const { config, env, reduces } = exchange;
  const run = { directory, config, env, reduces, marketTypes: [MARKET_TYPE, ...crowdTypes] };
  return {
    ...{ sandbox, exchange, control, mill, makers, place: writeKillConfig(run) },
    inject: async (fault) => {
      await control.call('POST', '/faults', { ...exchange.faultOf(fault), appId: owner.account });
    },
    rewriteConfig: (version) => void writeKillConfig(run, version),
    close: async ({ keeps }) => {
      await makers.stop();
      await mill.stop();
      maker.close();
      owner.close();
      await sandbox.remove();
      if (!keeps) rmSync(directory, { recursive: true, force: true });
    },
  };
}
