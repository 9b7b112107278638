/** The runs whose transcripts are kept: each sample strategy over the bundled recording, as a stream and polled. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { backtestOf } from './backtest-of.ts';
import { ROOT } from './places.ts';

export interface GoldenRun {
  readonly strategy: string;
  readonly feed: 'stream' | 'poll';
  readonly orders: number;
  readonly transcript: string;
}

export async function goldenRuns(): Promise<readonly GoldenRun[]> {
  const runs: GoldenRun[] = [];
  const files = readdirSync(join(ROOT, 'strategies')).filter((file) => file.endsWith('.ts'));
  for (const strategy of files.sort()) {
    for (const feed of [{ mode: 'stream' }, { mode: 'poll', everyMs: 1000 }] as const) {
      const result = await backtestOf([join(ROOT, 'strategies', strategy)], { feed, fills: 'bounds' });
      runs.push({ strategy, feed: feed.mode, orders: result.orders.sent, transcript: result.transcriptSha256 });
    }
  }
  return runs;
}
