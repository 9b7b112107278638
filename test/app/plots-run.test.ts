/** What a strategy plots is in the result of its backtest, by run and flow, and in every form in which rows are written. */

import { backtest } from 'oddsmith/backtest';
import { describe, expect, it } from 'vitest';
import { plotsCsv } from '../../src/result/columns/csv.ts';
import { backtestJsonLine } from '../../src/result/columns/result-json.ts';
import { backtestOf, onlyMarkets } from '../support/backtest-of.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../support/places.ts';

const ids = ['99000101', '99000401'];
const of = (change: Parameters<typeof backtestOf>[1] = {}) =>
  backtestOf([sampleStrategy('back-and-green')], { markets: onlyMarkets(...ids), fills: 'central', ...change });

describe('plots of a backtest', () => {
  it('have the market, the strategy and ascending times', async () => {
    const { plots } = await of();
    const named = plots.map(({ run, flow, strategy, marketId, name }) => [run, flow, strategy, marketId, name].join());
    expect(named.toSorted()).toEqual(ids.map((id) => `1,central,back-and-green,${id},gained`));
    for (const { at, value } of plots) {
      expect(at.length).toBe(value.length);
      expect([...at]).toEqual([...at].toSorted((a, b) => a - b));
    }
  });

  it('have a run for each piece, and are those of the central world', async () => {
    const cut = await of({ isolate: 'market' });
    expect(new Set(cut.plots.map(({ run, marketId }) => `${run} ${marketId}`)).size).toBe(2);
    expect(new Set(cut.plots.map(({ run }) => run))).toEqual(new Set([1, 2]));
    expect((await of({ fills: 'bounds' })).plots).toEqual((await of({ fills: 'central' })).plots);
  });

  it('are written as CSV and as JSON columns, and read as a table', async () => {
    const result = await of();
    const points = result.plots.reduce((sum, { at }) => sum + at.length, 0);
    expect([...plotsCsv(result.plots)].join('').trimEnd().split('\r\n')).toHaveLength(points + 1);
    const { rows } = JSON.parse([...backtestJsonLine(result, { rows: true })].join(''));
    expect(rows.plots.map(({ at }: { readonly at: readonly number[] }) => at.length)).toEqual(
      result.plots.map(({ at }) => at.length),
    );
    const { plots } = await backtest({
      ...{ tape: SAMPLE_TAPE, markets: { ids }, fills: 'central' },
      strategies: [{ file: sampleStrategy('back-and-green') }],
    });
    expect(plots.columns).toEqual(['run', 'flow', 'strategy', 'marketId', 'name', 'at', 'value']);
    expect([...plots.rows]).toHaveLength(points);
  });

  it('leave a run without any as it was', async () => {
    const plain = await backtestOf([sampleStrategy('favourite-scalp')], {
      markets: onlyMarkets(...ids),
      fills: 'central',
    });
    expect(plain.plots).toEqual([]);
    expect(JSON.parse([...backtestJsonLine(plain, { rows: true })].join('')).rows).not.toHaveProperty('plots');
  });
});
