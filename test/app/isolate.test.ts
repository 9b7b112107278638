/** Strategies of one run share what the recording has to give; under `isolate: strategy` each has it to itself. */

import { describe, expect, test } from 'vitest';
import type { BacktestOptions } from '../../src/backtest/options/backtest-options.ts';
import { resultTable } from '../../src/report/text/table.ts';
import { INTERVAL } from '../../src/result/figures/bounds.ts';
import type { BacktestResult } from '../../src/result/result.ts';
import { backtestOf, onlyMarkets } from '../support/backtest-of.ts';
import { units } from '../support/scripted-run.ts';
import { temporaryFile } from '../support/temporary-directory.ts';

/** Takes all that the favourite's best level shows, once a market and again after each level of it. */
function taker(name: string, stake: number): string {
  return temporaryFile(
    `${name}.ts`,
    `import { back, defineStrategy, favourites } from 'oddsmith';
export default defineStrategy({ name: '${name}', decide({ market, orders, position }) {
  const [favourite] = favourites(market);
  if (!market.tradable || favourite === undefined || orders.length > 0) return [];
  if (position.matched(favourite.id, 'For').stake > ${3 * stake}) return [];
  return [back(favourite, { stake: ${stake}, matchBehavior: 'CancelUnmatched' })];
} });
`,
  );
}

const files = [taker('first', 400), taker('second', 300)];

function run(chosen: readonly string[], change: Partial<BacktestOptions> = {}): Promise<BacktestResult> {
  const wallets = { main: { currency: 'USDC', balance: units(100_000) } };
  return backtestOf(chosen, { wallets, markets: onlyMarkets('99000101', '99000102'), ...change });
}

/** What became of each order, by strategy. */
function ordersOf({ orderRows }: BacktestResult) {
  const rows = [...orderRows].map(({ strategy, price, stake, decidedAt, stakeMatched, profit }) => ({
    ...{ strategy, price, stake, decidedAt, stakeMatched, profit },
  }));
  return Object.groupBy(rows, ({ strategy }) => strategy);
}

describe('two strategies that take the same stake', () => {
  test('share it in one run, and the first of the configuration is served first', async () => {
    const [one, other] = [await run(files), await run([...files].reverse())];
    expect(ordersOf(one)).not.toEqual(ordersOf(other));
    expect(one.settings).toContainEqual({
      name: 'isolate',
      value:
        'no: one timeline; strategies share wallets, limits and liquidity, and act in the order of the configuration',
    });
    expect(resultTable(one)).toContain('\nisolate: no: one timeline; strategies share');
    expect(resultTable(await run(files.slice(0, 1)))).not.toContain('\nisolate:');
  });

  test('each have all of it as runs of their own, and the result is the sum of both', async () => {
    const both = await run(files, { isolate: 'strategy' });
    const [first, second] = [await run(files.slice(0, 1)), await run(files.slice(1))];
    expect(ordersOf(both)).toEqual({ ...ordersOf(first), ...ordersOf(second) });
    for (const bound of INTERVAL) {
      for (const figure of ['stakeMatched', 'profitGross', 'commission', 'profitNet', 'markToMarket'] as const) {
        const sum = (first.total[bound][figure] ?? 0) + (second.total[bound][figure] ?? 0);
        expect(both.total[bound][figure]).toBeCloseTo(sum, 6);
      }
    }
    expect(both.byMarket.map(({ id, orders }) => [id, orders])).toEqual(
      first.byMarket.map(({ id, orders }, index) => [id, orders + (second.byMarket[index]?.orders ?? 0)]),
    );
    expect(both.updates).toBe(first.updates);
    const brought = ({ wallets }: BacktestResult) => (wallets[0]?.balanceEnd ?? 0) - 100_000;
    expect(brought(both)).toBeCloseTo(brought(first) + brought(second), 6);
    expect(both.curve.at(-1)?.central).toBeCloseTo(both.total.central.profitNet, 6);
    expect(resultTable(both)).toContain(
      '\nisolate: each strategy on its own: wallets, limits and liquidity are not shared',
    );
  });

  test('give the same in any order, and each run has the wallets whole', async () => {
    const [one, other] = [files, [...files].reverse()].map((chosen) =>
      run(chosen, { isolate: 'strategy', wallets: { main: { currency: 'USDC', balance: units(900) } } }),
    );
    expect(ordersOf(await (one ?? expect.fail()))).toEqual(ordersOf(await (other ?? expect.fail())));
  });

  test('one of them that throws is named, and leaves the other alone', async () => {
    const thrower = temporaryFile(
      'thrower.ts',
      "import { defineStrategy } from 'oddsmith';\nexport default defineStrategy({ name: 'thrower', decide: () => { throw new Error('no'); } });\n",
    );
    const both = await run([files[0] ?? '', thrower], { isolate: 'strategy' });
    expect(both.halts.map(({ strategy, where }) => [strategy, where.startsWith(thrower)])).toEqual([['thrower', true]]);
    expect(ordersOf(both)).toEqual(ordersOf(await run(files.slice(0, 1))));
    expect(both.notices).toEqual([]);
  });
});
