/** The configuration of a daemon that is killed again and again: impatient, so that it recovers quickly. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DaemonPlace } from './daemon-process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What one strategy, one market and so on may lose. Decimals. */
export const KILL_LIMITS = {
  order: 20,
  outcome: 60,
  market: 100,
  strategy: 500,
  wallet: 800,
  ordersPerSecond: 40,
  ordersPerMarket: 12,
  liveOrders: 60,
} as const;

export interface RunPlace {
  readonly directory: string;
  /** The lines that are of its exchange. */
  readonly config: string;
  readonly env: Readonly<Record<string, string>>;
  readonly reduces: boolean;
  readonly marketTypes: readonly string[];
}

/** A strategy that does nothing and can be changed while the daemon runs: in its code, since comments change nothing. */
export function writeIdleStrategy(directory: string, version: number): string {
  const file = join(directory, 'idle.ts');
  writeFileSync(
    file,
    `import { defineStrategy } from 'oddsmith';

export default defineStrategy({ name: 'idle', state: () => ${version}, decide: () => [] });
`,
  );
  return file;
}

/** `version` changes a limit that never binds, for a reload to have something to say. */
export function writeKillConfig(place: RunPlace, version = 0): DaemonPlace {
  const { directory, config: exchange, env, reduces, marketTypes } = place;
  const idle = writeIdleStrategy(directory, 0);
  const limits = { ...KILL_LIMITS, event: 1_000 + version, dailyLoss: 'none' };
  const text = `${exchange}
strategies:
  - { file: "${join(ROOT, 'strategies/passive-quoter.ts')}", params: { stake: 3 } }
  - { file: "${join(ROOT, 'test/support/kill/strategies/nasty.ts')}", params: { reduces: ${reduces} } }
  - { file: "${idle}" }
markets: { types: [${marketTypes.join(', ')}] }
freshness: { markets: 3000, prices: 2000, orders: 1500, wallets: 3000 }
requestsPerSecond: 200
limits: { ${entriesOf(limits)} }
heartbeat: { timeoutMs: 15000 }
reconcile: { everyMs: 1000, lastingAfter: 2, foreignOrders: adopt }
end: { orders: cancel, deadlineMs: 15000 }
reload: { strategies: whenFlat }
margins: { placeTimeoutMs: 1500, absenceMs: 500, lookUpEveryMs: 300, absentEveryMs: 1000, resultEveryMs: 700, commissionMs: 500, tickMs: 50 }
dir: run
`;
  const config = join(directory, 'run.yaml');
  writeFileSync(config, text);
  return {
    ...{ directory, config, dir: join(directory, 'run'), log: join(directory, 'daemon.log') },
    env,
  };
}

function entriesOf(map: Readonly<Record<string, string | number>>): string {
  return Object.entries(map)
    .map(([key, value]) => `${key}: ${value}`)
    .join(', ');
}
