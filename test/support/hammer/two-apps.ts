/** Two apps hammer one market from two processes; then the books of both, and of the exchange, must agree. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ControlClient } from '../vendor/control-client.ts';
import type { SandboxFacts } from '../vendor/sandbox-process.ts';
import type { HammerFindings, HammerPlan } from './hammer-client.ts';

const CLIENT = fileURLToPath(new URL('./hammer-client.ts', import.meta.url));
const BALANCE = 10_000_000;

export interface TwoAppsReport {
  readonly findings: readonly HammerFindings[];
  readonly breaches: readonly string[];
}

export async function hammerWithTwoApps(
  sandbox: SandboxFacts,
  { seconds, seed }: { readonly seconds: number; readonly seed: number },
): Promise<TwoAppsReport> {
  const control = new ControlClient(sandbox);
  const apps = [await control.createApp(BALANCE), await control.createApp(BALANCE)];
  const market = await control.createMarket();
  const plans = apps.map((app, index) => ({
    ...{ ...app, url: sandbox.url, marketId: market.id, outcomeIds: market.outcomeIds, seconds, seed: seed + index },
  }));
  const findings = await Promise.all(plans.map(runClient));
  const breaches = findings.flatMap((found) => found.breaches.map((breach) => `${found.appId}: ${breach}`));
  for (const outcomeId of market.outcomeIds) {
    const matched = (side: string) =>
      findings.reduce((sum, found) => sum + (found.matched[`${outcomeId} ${side}`] ?? 0), 0);
    // Nobody else trades there, and there is no cross matching: each match has one For and one Against.
    if (matched('For') !== matched('Against')) breaches.push(`outcome ${outcomeId}: For and Against differ`);
  }
  return { findings, breaches: [...breaches, ...(await control.troubles())] };
}

async function runClient(plan: HammerPlan): Promise<HammerFindings> {
  const args = ['--conditions=oddsmith-source', CLIENT, JSON.stringify(plan)];
  const options = { maxBuffer: 2 ** 24, cwd: fileURLToPath(new URL('../../..', import.meta.url)) };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return JSON.parse(stdout) as HammerFindings;
}
