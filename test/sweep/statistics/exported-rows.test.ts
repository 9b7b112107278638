/** What `sweep export --rows markets` writes is enough to work out the settlement test elsewhere. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { run } from '../../app/fake-terminal.ts';
import { chanceStore } from '../../support/sweep/chance-store.ts';

interface ExportedOutcome {
  readonly id: string;
  readonly result: string;
  readonly startingPrice: number;
  readonly closing: number;
  readonly positions: {
    readonly central: {
      readonly profitIfWins: number;
      readonly betsIfWins: number;
      readonly preOff: { readonly ifWins: number; readonly ifLoses: number };
    };
  };
}

test('positions, closing prices and profits if an outcome wins are those that the statistics take', async () => {
  const { directory } = chanceStore(
    {
      ...{ name: 'backs at prices from 2 to 8', markets: 30, trials: 6 },
      priceOf: (random) => 2 + 6 * random.uniform(),
      betOf: (random) => (random.chance(0.6) ? { side: 'back', stake: 2 } : undefined),
    },
    7,
  );
  const parquet = join(directory, 'markets.parquet');
  const csv = join(directory, 'markets.csv');
  await run('sweep', 'export', directory, '--rows', 'markets', '--parquet', parquet, '--csv', csv);
  expect(readFileSync(csv, 'utf8').split('\n')[0]).toContain('status,outcomes,leftOut,startsAt');
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(parquet) });
  expect(rows).toHaveLength(6 * 30);
  const sums = Array.from({ length: 6 }, () => ({ profit: 0, variance: 0 }));
  for (const { trial, outcomes: text, leftOut, winnerCount } of rows) {
    if (text === null) continue;
    expect([leftOut, winnerCount]).toEqual([null, 1]);
    const outcomes: readonly ExportedOutcome[] = JSON.parse(String(text));
    const margin = outcomes.reduce((sum, { startingPrice }) => sum + 1 / startingPrice, 0);
    const profits = outcomes.map((wins) =>
      outcomes.reduce((sum, outcome) => {
        const { ifWins, ifLoses } = outcome.positions.central.preOff;
        return sum + (outcome === wins ? ifWins : ifLoses);
      }, 0),
    );
    for (const [at, { closing, startingPrice, positions }] of outcomes.entries()) {
      expect(closing).toBeCloseTo(1 / startingPrice / margin, 12);
      expect(positions.central.profitIfWins).toBeCloseTo(profits[at] ?? 0, 9);
    }
    const mean = profits.reduce((sum, profit, at) => sum + profit * (outcomes[at]?.closing ?? 0), 0);
    const variance = profits.reduce((sum, profit, at) => sum + (profit - mean) ** 2 * (outcomes[at]?.closing ?? 0), 0);
    const of = sums[Number(trial)];
    if (of === undefined) throw new Error('trials are numbered from 0');
    of.profit += profits[outcomes.findIndex(({ result }) => result === 'Winner')] ?? 0;
    of.variance += variance;
  }
  const statistics = sums.map(({ profit, variance }) => profit / Math.sqrt(variance));
  const { out } = await run('sweep', 'top', directory, '--json');
  const { settlement } = JSON.parse(out).statistics;
  expect(settlement.statistic).toBeCloseTo(Math.max(...statistics), 4);
  expect(settlement.trial).toBe(statistics.indexOf(Math.max(...statistics)));
});
