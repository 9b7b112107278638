/** A sandbox in this process with its dashboard beside it, as `oddsmith sandbox --dashboard` opens them. */

import { onTestFinished } from 'vitest';
import { betdexSource } from '../../../src/app/web/dashboard/sandbox/betdex-sandbox.ts';
import { openDashboard } from '../../../src/app/web/dashboard/server/dashboard.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { type CrowdedSandbox, openCrowdedSandbox } from '../crowded-sandbox.ts';
import { linkIn, type PrintedLink } from './dashboard-visit.ts';

export interface DashedSandbox {
  readonly sandbox: Sandbox;
  readonly control: CrowdedSandbox['control'];
  readonly link: PrintedLink;
}

/** For one test, at whose end a bug of either is thrown. */
export async function openDashedSandbox(): Promise<DashedSandbox> {
  const { sandbox, control, close } = await openCrowdedSandbox({ pace: 5 });
  const faults: unknown[] = [];
  const dashboard = await openDashboard({
    setting: '--port',
    ...{ port: 0, host: '127.0.0.1', hosts: [] },
    source: betdexSource(sandbox),
    now: () => sandbox.context.now(),
    onFault: (error) => faults.push(error),
  });
  onTestFinished(async () => {
    await dashboard.close();
    await close();
    if (faults.length > 0) throw faults[0];
  });
  return { sandbox, control, link: linkIn(dashboard.link()) };
}
