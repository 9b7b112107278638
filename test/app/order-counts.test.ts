/** The order counts of a result add up over a real recording. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBacktest } from '../../src/backtest/backtest-run.ts';
import { resultTable } from '../../src/report/text/table.ts';
import { recordedTape } from '../support/recorded-tape.ts';
import { OPTIONS, units } from '../support/scripted-run.ts';
import { describeWithRecordings } from '../support/shared.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'oddsmith-counts-'));
let tape = '';
beforeAll(async () => {
  tape = (await recordedTape(work, 'betfair_parser__1.185781277.bz2')) ?? '';
}, 120_000);
afterAll(() => rmSync(work, { recursive: true, force: true }));

describeWithRecordings('the counts of orders', () => {
  test.each(['passive-quoter.ts', 'favourite-scalp.ts', 'dutch-book.ts'])('%s', async (file) => {
    const strategies = [{ file: join(root, 'strategies', file), params: {}, wallet: 'main' }];
    const hooks = { onProgress: () => {}, signal: new AbortController().signal };
    const options = { ...OPTIONS, strategies, tapes: [tape], fills: 'central' as const };
    const result = await runBacktest({ ...options, limits: { market: units(200) } }, hooks);
    const { intended, refused, cancellations, sent, accepted, rejected, unanswered, ...ends } = result.orders;
    expect(sent).toBeGreaterThan(0);
    expect(refused + cancellations + sent).toBe(intended);
    expect(accepted + rejected + unanswered).toBe(sent);
    expect(Object.values(ends).reduce((sum, orders) => sum + orders, 0)).toBe(accepted);
    const lines = resultTable(result).split('\n');
    for (const whole of ['intended', 'sent', 'accepted']) {
      const line = lines.find((each) => each.includes(` ${whole}: `)) ?? '';
      const [first = 0, ...parts] = (line.match(/[\d,]+(?= )/g) ?? []).map((figure) =>
        Number(figure.replaceAll(',', '')),
      );
      expect(
        parts.reduce((sum, part) => sum + part, 0),
        line,
      ).toBe(first);
    }
  });
});
