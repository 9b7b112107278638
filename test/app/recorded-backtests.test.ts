/** Every sample strategy over every plain odds recording: the same transcript each time, and bounds that hold. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBacktest } from '../../src/backtest/backtest-run.ts';
import { importBetfair } from '../../src/recording/betfair/import.ts';
import type { BacktestResult } from '../../src/report/result.ts';
import { builtCommand } from '../support/built-command.ts';
import { OPTIONS } from '../support/scripted-run.ts';
import { describeWithRecordings, sharedDir } from '../support/shared.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const strategies = readdirSync(join(root, 'strategies')).filter((file) => file.endsWith('.ts'));
const hooks = { onProgress: () => {}, signal: new AbortController().signal };
let work = '';
let tape = '';

beforeAll(async () => {
  const shared = sharedDir();
  if (shared === undefined) return;
  work = mkdtempSync(join(tmpdir(), 'oddsmith-recorded-'));
  tape = join(work, 'all.tape');
  const folder = join(shared, 'data', 'betfair');
  const files = readdirSync(folder).map((file) => join(folder, file));
  await importBetfair({ files, tape, onError: 'skip' });
}, 300_000);

afterAll(() => {
  if (work !== '') rmSync(work, { recursive: true, force: true });
});

describeWithRecordings('backtests over the recordings', () => {
  test.each(strategies)(
    '%s: same transcript here and in another process, bounds in order for every order',
    async (file) => {
      const chosen = [{ file: join(root, 'strategies', file), params: {}, wallet: 'main' }];
      const options = { ...OPTIONS, strategies: chosen, tapes: [tape] };
      const first = await runBacktest(options, hooks);
      const second = await runBacktest(options, hooks);
      expect(second.transcriptSha256).toBe(first.transcriptSha256);
      expect(inAnotherProcess(file)).toBe(first.transcriptSha256);
      expect(first.orders.accepted).toBeGreaterThan(50);
      expect(boundsBreaches(first)).toEqual([]);
      expect(first.decisions).toBeGreaterThanOrEqual(first.updates);
    },
    400_000,
  );
});

/** The command line of the built package; its wallets, latency and rules are the defaults, as in OPTIONS. */
function inAnotherProcess(file: string): unknown {
  const config = join(root, 'test', 'app', 'no-limits.yaml');
  const args = [builtCommand(), 'backtest', config, '--strategy', `strategies/${file}`, '--tape', tape];
  const printed = execFileSync('node', [...args, '--out', work, '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return JSON.parse(printed).transcript.sha256;
}

function boundsBreaches({ orderRows }: BacktestResult): readonly number[] {
  return [...orderRows]
    .filter(
      ({ stakeMatched: { pessimistic = 0, central = 0, optimistic = 0 } }) =>
        pessimistic > central || central > optimistic,
    )
    .map(({ id }) => id);
}
