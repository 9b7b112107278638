/** The configuration of the daemon that trades for half an hour: two wallets, four strategies, a streamed and polled feeds. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DaemonPlace } from '../kill/daemon-process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const THREAD_HEAP = new URL('thread-heap.mjs', import.meta.url).href;

/** Milliseconds after which a reading is too old. */
export const FRESHNESS = { markets: 6_000, prices: 8_000, orders: 4_000, wallets: 8_000 } as const;
export type SoakFeed = keyof typeof FRESHNESS;
export const SOAK_FEEDS = Object.keys(FRESHNESS) as readonly SoakFeed[];

export interface SoakPlace {
  readonly directory: string;
  readonly url: string;
  readonly streamUrl: string;
  readonly appId: string;
  readonly apiKey: string;
  /** Ids by name. */
  readonly wallets: Readonly<Record<string, string>>;
  readonly marketTypes: readonly string[];
  readonly metricsPort: number;
  /** What a strategy may lose: so little that it stands at its limit, or much. */
  readonly strategyLimit: number;
  /** How much of what explains the run is kept, MB. */
  readonly explainMb: number;
}

export function writeSoakConfig(place: SoakPlace): DaemonPlace {
  const { directory, url, streamUrl, appId, apiKey, wallets, marketTypes, metricsPort, strategyLimit, explainMb } =
    place;
  const strategy = (file: string, params: string, wallet: string) =>
    `  - { file: "${join(ROOT, file)}", params: { ${params} }, wallet: ${wallet} }`;
  const text = `exchange: { url: "${url}", streamUrl: "${streamUrl}", appId: "${appId}", apiKey: "\${ODDSMITH_API_KEY}" }
strategies:
${strategy('strategies/passive-quoter.ts', 'stake: 3, outcomes: 1', 'main')}
${strategy('strategies/favourite-scalp.ts', 'stake: 5', 'main')}
${strategy('strategies/dutch-book.ts', 'stake: 6', 'other')}
${strategy('test/support/kill/strategies/nasty.ts', 'orders: 2, everyMs: 4000', 'other')}
markets: { types: [${marketTypes.join(', ')}] }
wallets: { ${Object.entries(wallets)
    .map(([name, id]) => `${name}: { id: "${id}" }`)
    .join(', ')} }
feeds:
  markets: { mode: poll, everyMs: 1000 }
  prices: { mode: stream, rereadMs: 3000 }
  orders: { mode: poll, everyMs: 500 }
  wallets: { mode: poll, everyMs: 2000 }
freshness: { ${Object.entries(FRESHNESS)
    .map(([feed, ms]) => `${feed}: ${ms}`)
    .join(', ')} }
requestsPerSecond: 60
limits: { order: 50, outcome: 100, market: 200, event: 400, strategy: ${strategyLimit}, wallet: 40000, ordersPerSecond: 50, dailyLoss: none }
heartbeat: { timeoutMs: 10000 }
reconcile: { everyMs: 5000, lastingAfter: 3 }
margins: { resultEveryMs: 2000, commissionMs: 1000 }
metrics: { port: ${metricsPort} }
journal: { explain: { keepMb: ${explainMb} } }
dir: run
`;
  const config = join(directory, 'run.yaml');
  writeFileSync(config, text);
  return {
    ...{ directory, config, dir: join(directory, 'run'), log: join(directory, 'daemon.log') },
    env: {
      ODDSMITH_API_KEY: apiKey,
      NODE_OPTIONS: [process.env.NODE_OPTIONS, `--import=${THREAD_HEAP}`].filter(Boolean).join(' '),
      ODDSMITH_THREAD_HEAP: liveHeapFile(directory),
    },
  };
}

/** Where `thread-heap.mjs` writes what the daemon's engine holds after each forced collection. */
export function liveHeapFile(directory: string): string {
  return join(directory, 'live-heap.txt');
}
