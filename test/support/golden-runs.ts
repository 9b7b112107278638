/** The runs whose transcripts are kept: each sample strategy over the bundled recording, as a stream and polled. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runBacktest } from '../../src/backtest/backtest-run.ts';
import { OPTIONS } from './scripted-run.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface GoldenRun {
  readonly strategy: string;
  readonly feed: 'stream' | 'poll';
  readonly orders: number;
  readonly transcript: string;
}

export async function goldenRuns(): Promise<readonly GoldenRun[]> {
  const runs: GoldenRun[] = [];
  const files = readdirSync(join(root, 'strategies')).filter((file) => file.endsWith('.ts'));
  for (const strategy of files.sort()) {
    for (const feed of [{ mode: 'stream' }, { mode: 'poll', everyMs: 1000 }] as const) {
      const strategies = [{ file: join(root, 'strategies', strategy), params: {}, wallet: 'main' }];
      const tapes = [join(root, 'backtest', 'sample.tape')];
      const options = { ...OPTIONS, strategies, tapes, feed };
      const result = await runBacktest(options, { onProgress: () => {}, signal: new AbortController().signal });
      runs.push({ strategy, feed: feed.mode, orders: result.orders.sent, transcript: result.transcriptSha256 });
    }
  }
  return runs;
}
