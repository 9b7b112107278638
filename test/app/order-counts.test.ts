/** The order counts of a result add up over a real recording. */

import { beforeAll, expect, test } from 'vitest';
import { resultTable } from '../../src/report/text/table.ts';
import { refusalsCsv } from '../../src/result/columns/csv.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { sampleStrategy } from '../support/places.ts';
import { recordedTape } from '../support/recorded-tape.ts';
import { units } from '../support/scripted-run.ts';
import { describeWithRecordings } from '../support/shared.ts';

let tape = '';
beforeAll(async () => {
  tape = await recordedTape('betfair_parser__1.185781277.bz2');
}, 120_000);

describeWithRecordings('the counts of orders', () => {
  test.each(['passive-quoter', 'favourite-scalp', 'dutch-book'])('%s', async (name) => {
    const change = { tapes: [tape], fills: 'central', limits: { market: units(200) } } as const;
    const result = await backtestOf([sampleStrategy(name)], change);
    const { intended, refused, cancellations, cancellationsRepeated, sent, accepted, rejected, unanswered, ...ends } =
      result.orders;
    expect(sent).toBeGreaterThan(0);
    expect(refused + cancellations + cancellationsRepeated + sent).toBe(intended);
    const [, ...refusalLines] = [...refusalsCsv(result.refused)].join('').trimEnd().split('\r\n');
    expect(refusalLines.reduce((sum, line) => sum + Number(line.split(',')[1]), 0)).toBe(refused);
    expect(accepted + rejected + unanswered).toBe(sent);
    expect(Object.values(ends).reduce((sum, orders) => sum + orders, 0)).toBe(accepted);
    const lines = resultTable(result).split('\n');
    for (const whole of ['intents of the strategies', 'orders sent', 'accepted']) {
      const line = lines.find((each) => each.includes(` ${whole} = `)) ?? '';
      expect(line, whole).not.toBe('');
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
