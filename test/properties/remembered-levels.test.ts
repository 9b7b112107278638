/**
 * How much the levels are worth that left a window of the best few, measured on recordings: the figures of
 * docs/how-it-decides.md.
 */

import { beforeAll, expect, test } from 'vitest';
import { chooseMarkets, MergedUpdates, type SourceMarket } from '../../src/backtest/simulation/backtest-source.ts';
import { MONEY_SCALE } from '../../src/core/number/units.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import type { OutOfSightRule } from '../../src/simulator/overlay/fill-rules.ts';
import { budget } from '../support/budget.ts';
import { plainTaker } from '../support/overlay/plain-taker.ts';
import { type Remembered, RememberedStake } from '../support/overlay/remembered-stake.ts';
import { type TakenOutOfSight, takenOutOfSight } from '../support/overlay/takes-out-of-sight.ts';
import { recordedTape } from '../support/recorded-tape.ts';
import { OPTIONS, runOver } from '../support/scripted-run.ts';
import { allRecordings, describeWithRecordings } from '../support/shared.ts';

const SECOND = 1_000;
const AGES = [100, SECOND, 5 * SECOND, 10 * SECOND, 60 * SECOND, 600 * SECOND, 3_600 * SECOND];
/** The long proofs measure every rule. */
const MAX_AGES = budget({ each: [10], deep: [600, 60, 10, 1] });
const RULES: readonly OutOfSightRule[] = [
  'always',
  ...MAX_AGES.map((seconds) => ({ maxAgeMs: seconds * SECOND })),
  'never',
];
const BEST_FEW = /ADVANCED/;
let bestFew = '';
let others = '';

beforeAll(async () => {
  const names = allRecordings();
  bestFew = await recordedTape(...names.filter((name) => BEST_FEW.test(name)));
  others = await recordedTape(...names.filter((name) => !BEST_FEW.test(name)));
});

describeWithRecordings('a level that left the window', () => {
  test('is mostly there a second later, and in play seldom a minute later', () => {
    const tape = Tape.open(others);
    const remembered = new RememberedStake(AGES);
    for (const market of tape.markets)
      if (market.tradable && market.grade.startsWith('A')) remembered.play(tape, market);
    tape.close();
    const { 'before the off': before, 'in play': inPlay } = remembered.byPhase;
    console.log('of the stake that left a window of three levels there is still:');
    for (const [at, age] of AGES.entries()) console.log(`${age} ms`, shareOf(before[at]!), shareOf(inPlay[at]!));
    const at = (seconds: number) => AGES.indexOf(seconds * SECOND);
    expect(shareThere(before[at(1)]!)).toBeGreaterThan(0.95);
    expect(shareThere(inPlay[at(1)]!)).toBeGreaterThan(0.95);
    expect(shareThere(inPlay[at(10)]!)).toBeLessThan(0.75);
    expect(shareThere(inPlay[at(60)]!)).toBeLessThan(0.5);
  });

  test.each(budget({ each: [20], deep: [20, 500] }))(
    'fills a taker of %d no longer than the rule says',
    async (stake) => {
      const tape = Tape.open(bestFew);
      const lines: string[] = [];
      for (const rule of RULES) {
        const taken: Taken = { fills: 0, stake: 0, leftOut: 0, hidden: [] };
        const { markets } = chooseMarkets([tape], OPTIONS.markets);
        for (const market of markets) await take(taken, market, { stake, rule });
        const most = rule === 'always' ? Number.POSITIVE_INFINITY : rule === 'never' ? -1 : rule.maxAgeMs;
        expect(taken.hidden.filter(({ age }) => age > most)).toEqual([]);
        expect(taken.leftOut > 0).toBe(rule !== 'always');
        lines.push(`${JSON.stringify(rule)} ${figures(taken)}`);
      }
      console.log(`a taker of ${stake}:\n${lines.join('\n')}`);
      tape.close();
    },
    300_000,
  );
});

interface Taken {
  fills: number;
  stake: number;
  leftOut: number;
  readonly hidden: TakenOutOfSight[];
}

/** Runs each market by itself, with unlimited funds. */
async function take(
  taken: Taken,
  market: SourceMarket,
  { stake, rule }: { readonly stake: number; readonly rule: OutOfSightRule },
): Promise<void> {
  const { collector } = await runOver(new MergedUpdates([market]), [plainTaker(stake)], {
    wallets: { main: { currency: 'USDC', balance: 'unlimited' } },
    fillRules: { ...OPTIONS.fillRules, levelsOutOfSight: rule },
    bound: 'central',
  });
  const fills = [...collector.fillRows()];
  taken.fills += fills.length;
  for (const fill of fills) taken.stake += fill.stake;
  taken.leftOut += collector.markets[0]?.stakeOutOfSight ?? 0;
  taken.hidden.push(...takenOutOfSight(market.tape, market.market, fills));
}

function figures({ fills, stake, leftOut, hidden }: Taken): string {
  const ages = hidden.map(({ age }) => age).sort((a, b) => a - b);
  const at = (share: number) => (ages[Math.min(ages.length - 1, Math.floor(share * ages.length))] ?? 0) / SECOND;
  const of = hidden.reduce((sum, each) => sum + each.stake, 0);
  const spread = `${at(0)} s, ${at(0.5)} s, ${at(0.9)} s, ${at(1)} s`;
  return `${fills} fills of ${stake.toFixed(2)}, out of sight ${hidden.length} of ${of.toFixed(2)}, age: ${spread}; left out ${(leftOut / MONEY_SCALE).toFixed(2)}`;
}

function shareThere({ shown, there }: Remembered): number {
  return there / shown;
}

function shareOf(sum: Remembered): string {
  return `${(100 * shareThere(sum)).toFixed(1)} % of ${sum.levels} levels`;
}
