/** Laws 3, 6 and 7 over whole runs on recordings of each grade: the pipeline, the exchanges and their money. */

import { expect, test } from 'vitest';
import { simulate } from '../../src/backtest/simulation/backtest-simulation.ts';
import { chooseMarkets, MergedUpdates } from '../../src/backtest/simulation/backtest-source.ts';
import { defined } from '../../src/core/checks/assert.ts';
import { newInstance, type StrategyInstance } from '../../src/engine/ledger/strategy-in-market.ts';
import { Transcript } from '../../src/engine/log/transcript.ts';
import { loadStrategy } from '../../src/loader/strategy-loader.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import { INTERVAL } from '../../src/result/figures/bounds.ts';
import type { ReplayExchange } from '../../src/simulator/replay/replay-exchange.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { budget } from '../support/budget.ts';
import { sampleStrategy } from '../support/places.ts';
import { recordedTape } from '../support/recorded-tape.ts';
import { OPTIONS } from '../support/scripted-run.ts';
import { describeWithRecordings } from '../support/shared.ts';

const strategy = sampleStrategy('passive-quoter');
const RECORDINGS = [
  { grade: 'A', file: 'nautilus__1-206064380.bz2' },
  { grade: 'B', file: 'profitbox__ADVANCED__1.231242812.bz2' },
] as const;
const CHECK_EVERY = 100;
const INSTANTS = budget({ each: 8, deep: 20 });

async function quoter(): Promise<StrategyInstance> {
  const loaded = await loadStrategy(strategy);
  if (loaded.kind === 'fault') throw new Error(loaded.fault.what);
  return newInstance({ index: 0, plugin: loaded.plugin, params: loaded.params, wallet: 0, signals: new Map() });
}

describeWithRecordings('runs over recordings', () => {
  test.each(RECORDINGS.flatMap((each) => INTERVAL.map((bound) => ({ ...each, bound }))))(
    'conserve money (law 3, grade $grade, $bound)',
    async ({ file, bound }) => {
      const tape = Tape.open(await recordedTape(file));
      const { markets } = chooseMarkets([tape], OPTIONS.markets);
      let updates = 0;
      const broken: string[] = [];
      const end = await simulate({
        options: OPTIONS,
        source: new MergedUpdates(markets),
        instances: [await quoter()],
        bound,
        transcript: new Transcript(file),
        afterUpdate: (replay: ReplayExchange) => {
          updates += 1;
          if (updates % CHECK_EVERY !== 0 && updates !== markets[0]?.market.updates) return;
          broken.push(...replay.exchange.brokenLaws());
        },
        onSlice: () => broken.length > 0,
      });
      tape.close();
      expect(broken).toEqual([]);
      expect(end.collector.tally.matchedFully + end.collector.tally.matchedPartly).toBeGreaterThanOrEqual(100);
      const { profit } = defined(end.collector.markets[0], 'the market was played');
      expect(end.balances).toEqual([10_000e6 + profit.profitGross - profit.commission]);
    },
  );

  test.each(RECORDINGS)('do not look ahead, and differ between the worlds (law 6, grade $grade)', async ({ file }) => {
    const tapes = [await recordedTape(file)];
    const result = await backtestOf([strategy], { tapes, prove: INSTANTS, fills: 'bounds' });
    expect(result.proof?.instants).toHaveLength(INSTANTS);
    expect(result.proof?.instants.slice(5).every(({ steps }) => steps > 0)).toBe(true);
    expect(new Set(INTERVAL.map((bound) => result.total[bound].stakeMatched)).size).toBe(3);
  });
});
