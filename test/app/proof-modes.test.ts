/** The proof in every way in which a run is cut, and over several tapes, strategies and signals. */

import { join } from 'node:path';
import { back, type StrategyPlugin } from 'oddsmith';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeSampleTape } from '../../backtest/sample-tape.ts';
import type { BacktestOptions } from '../../src/backtest/options/backtest-options.ts';
import { OddsmithError } from '../../src/core/checks/oddsmith-error.ts';
import { resultTable } from '../../src/report/text/table.ts';
import { backtestJson } from '../../src/result/columns/result-json.ts';
import { backtestOf, onlyMarkets } from '../support/backtest-of.ts';
import { budget } from '../support/budget.ts';
import { htmlReport } from '../support/html-report.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../support/places.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary-directory.ts';

const markets = onlyMarkets('99000501', '99000502', '99000302');
const both = [sampleStrategy('passive-quoter'), sampleStrategy('favourite-scalp')];

/** Remembers in a closure what it saw, and trades when it has seen that moment before: in another piece, or another run. */
function remembering(): StrategyPlugin {
  const seen = new Set<string>();
  return {
    name: 'remembering',
    decide: ({ market, now, orders }) => {
      const [outcome] = market.outcomes;
      const key = `${market.id} ${now}`;
      const isKnown = seen.has(key);
      seen.add(key);
      if (!isKnown || outcome === undefined || !market.tradable || orders.length > 0) return [];
      return [back(outcome, { stake: 2, price: 1.5 })];
    },
  };
}

const ways: readonly (readonly [string, Partial<BacktestOptions>])[] = [
  ['on one timeline', {}],
  ['cut by events', { isolate: 'event' }],
  ['cut by markets', { isolate: 'market' }],
  ['cut by strategies', { isolate: 'strategy' }],
  ['with all bounds', { fills: 'all' }],
];

describe.each(ways)('a run %s', (_name, change) => {
  it('is proven, at the instants that its seed draws', async () => {
    const options = { markets, prove: 9, ...change };
    const one = await backtestOf(both, options);
    const two = async (seed: number) => (await backtestOf(both, { ...options, prove: 2, seed })).proof;
    const [first, again, other] = [await two(1), await two(1), await two(2)];
    expect(first).toEqual(again);
    expect(first?.instants.map(({ at }) => at)).not.toEqual(other?.instants.map(({ at }) => at));
    expect(new Set(one.proof?.instants.map(({ market }) => market)).size).toBeGreaterThan(1);
    const kinds = Object.groupBy(one.proof?.instants ?? [], ({ kind }) => kind);
    expect([kinds.beforeInPlay?.length, kinds.beforeSettlement?.length]).toEqual([2, 2]);
    expect(one.proof?.timesRun).toBeLessThan(9);
    const plain = await backtestOf(both, { ...options, prove: false });
    expect(one.transcriptSha256).toBe(plain.transcriptSha256);
  });

  it('is not, where a strategy remembers what it saw in another piece or run', async () => {
    const strategies = [{ file: '', params: {}, wallet: 'main', plugin: remembering() }];
    const found: unknown = await backtestOf([], { markets, prove: 9, ...change, strategies }).catch((error) => error);
    if (!(found instanceof OddsmithError)) expect.fail(`it passed: ${String(found)}`);
    expect(found.code).toBe('LOOKAHEAD');
    expect(found.where).toMatch(/proof-modes\.test\.ts:\d+:\d+, strategy 'remembering', market 99000\d{3}, 2026-/);
  });
});

describe('signals', () => {
  const at = (minutes: number): string => new Date(Date.UTC(2026, 2, 14, 12, 40 + minutes)).toISOString();
  const rows = Array.from({ length: 100 }, (_, i) => `${at(i)},99000502,990005021,${(i % 10) / 10}`);
  const file = () => {
    const path = temporaryFile(
      'by-signal.ts',
      `import { back, defineStrategy } from 'oddsmith';
export default defineStrategy({
  name: 'by-signal',
  signals: [{ name: 'model', file: 'signal.csv' }],
  decide({ market, orders, signal }) {
    const [outcome] = market.outcomes;
    if (outcome === undefined || !market.tradable || orders.length > 0) return [];
    return (signal('model', outcome.id) ?? 0) > 0.5 ? [back(outcome, { stake: 2, price: 1.5 })] : [];
  },
});
`,
    );
    return path;
  };

  it('that become available later are changed, and nothing before depends on them', async () => {
    const strategy = file();
    const { writeFileSync } = await import('node:fs');
    writeFileSync(join(strategy, '..', 'signal.csv'), `availableAt,market,outcome,value\n${rows.join('\n')}\n`);
    const { proof, orders } = await backtestOf([strategy], { markets: onlyMarkets('99000502'), prove: true });
    expect(proof?.instants).toHaveLength(20);
    expect(proof?.ways).toContain('signals withheld or replaced');
    expect(proof?.notShown.join()).toContain('availableAt');
    expect(orders.sent).toBeGreaterThan(0);
  });
});

describe('generated markets', () => {
  const tapes: string[] = [];
  beforeAll(() => {
    const directory = temporaryDirectory('crowds');
    for (const seed of [5, 11]) {
      const path = join(directory, `crowd-${seed}.tape`);
      writeSampleTape(path, 'new', seed);
      tapes.push(path);
    }
  });

  it.each(budget({ each: [1], deep: [1, 2] }))(
    'of other crowds are proven with seed %i',
    async (seed) => {
      for (const tape of tapes) {
        const instants = budget({ each: 2, deep: 10 });
        const { proof } = await backtestOf(both, { tapes: [tape], seed, prove: instants, isolate: 'event' });
        expect(proof?.instants).toHaveLength(instants);
      }
    },
    120_000,
  );
});

describe('the result', () => {
  it('says what was proven, in how many instants and ways, and what was not', async () => {
    const result = await backtestOf([sampleStrategy('favourite-scalp')], { markets, prove: 4 });
    const { proof } = JSON.parse(backtestJson(result));
    expect(proof.instants).toHaveLength(4);
    expect(proof.instants[0]).toMatchObject({ at: expect.any(Number), market: expect.any(String) });
    expect(proof).toMatchObject({ replays: 8, ways: expect.arrayContaining(['another winner']) });
    expect(proof.notShown).toContain(
      'Results that a strategy holds and recognises by prices or by the names of outcomes.',
    );
    for (const text of [resultTable(result), htmlReport(result, { script: '', style: '' })]) {
      expect(text).toContain('No lookahead: with other futures after 4 instants in');
      expect(text).toContain('just before in play');
      expect(text).toContain('another winner');
      expect(text).toContain('recognises by prices');
    }
  });

  it('over two tapes is that of each instant in its market', async () => {
    const tape = join(temporaryDirectory('second'), 'second.tape');
    writeSampleTape(tape, 'new', 5);
    // The second tape holds the same markets, which are left out: the first one has them already.
    const { proof, leftOut } = await backtestOf(both, { tapes: [SAMPLE_TAPE, tape], markets, prove: 3 });
    expect(leftOut.length).toBeGreaterThan(0);
    expect(proof?.instants).toHaveLength(3);
  });
});
