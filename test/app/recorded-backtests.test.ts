/** The sample strategies that trade in any market, over every plain odds recording: the same transcript each time, and bounds that hold. */

import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { backtestOf } from '../support/backtest-of.ts';
import { budget } from '../support/budget.ts';
import { builtMain } from '../support/built-command.ts';
import { ROOT } from '../support/places.ts';
import { recordedTape } from '../support/recorded-tape.ts';
import { allRecordings, describeWithRecordings } from '../support/shared.ts';

/** Those of the cookbook wait for times, linked markets and signals that few of the recordings have. */
const strategies = ['dutch-book.ts', 'favourite-scalp.ts', 'passive-quoter.ts'];
let tape = '';

beforeAll(async () => {
  tape = await recordedTape(...allRecordings());
});

describeWithRecordings('backtests over the recordings', () => {
  test.each(strategies)('%s: same transcript here and in another process', async (file) => {
    const first = await backtestOf([join(ROOT, 'strategies', file)], { tapes: [tape] });
    if (file === budget({ each: strategies[0], deep: file })) {
      const second = await backtestOf([join(ROOT, 'strategies', file)], { tapes: [tape] });
      expect(second.transcriptSha256).toBe(first.transcriptSha256);
    }
    expect(inAnotherProcess(file)).toBe(first.transcriptSha256);
    expect(first.orders.accepted).toBeGreaterThan(50);
    expect(first.decisions).toBeGreaterThanOrEqual(first.updates);
  });
});

/** The command line of the built package; its wallets, latency and rules are the defaults, as in OPTIONS. */
function inAnotherProcess(file: string): unknown {
  const config = join(ROOT, 'test', 'app', 'no-limits.yaml');
  const args = [builtMain(), 'backtest', config, '--strategy', `strategies/${file}`, '--tape', tape];
  const printed = execFileSync('node', [...args, '--fills', 'central', '--out', dirname(tape), '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return JSON.parse(printed).transcript.sha256;
}
