/** What the fit of the cancellation model says in a terminal. */

import { describe, expect, test } from 'vitest';
import { fitTable } from '../../src/report/text/cancellation-fit-table.ts';
import type { CancellationFit, FittedModel, ModelChoice } from '../../src/result/cancellation-fit.ts';
import { LEFT_OUT_REASONS, type LeftOutReason } from '../../src/result/cancellation-fit.ts';

function model(name: ModelChoice, error: number, low: number): FittedModel {
  return { model: name, stakeFilled: 1_234.5, error, worseBy: { low, high: low + 0.02 }, isLike: low <= 0 };
}

function fitOf(change: Partial<CancellationFit> = {}): CancellationFit {
  return {
    mode: 'live',
    from: Date.UTC(2026, 10, 20, 12),
    to: Date.UTC(2026, 10, 20, 13),
    updates: 9_000,
    rested: 400,
    compared: 380,
    markets: 3,
    stakeRested: 2_000,
    stakeFilled: 1_200,
    draws: 2_000,
    seed: 1,
    leftOut: { ...nothing(), gap: 12, sharedQueue: 8 },
    units: { kind: 'queue', count: 343, telling: 59 },
    models: [model('behind', 0.05, 0.01), model({ power: 1.5 }, 0.02, 0), model({ power: 2 }, 0.021, -0.001)],
    verdict: { kind: 'told', best: { power: 1.5 }, alike: [{ power: 2 }], choose: { power: 1.5 } },
    ...change,
  };
}

function nothing(): Record<LeftOutReason, number> {
  return Object.fromEntries(LEFT_OUT_REASONS.map((reason) => [reason, 0])) as Record<LeftOutReason, number>;
}

describe('the table', () => {
  test('counts what is compared and says why the rest is not', () => {
    const text = fitTable(fitOf());
    expect(text).toContain('400 orders of the run rested; 380 are compared, 20 left out:');
    expect(text).toContain('     12  the tapes have a gap, or the run was down, while it rested');
    expect(text).toContain('      8  another order of the run stood in the same queue');
    expect(text).toContain('of 2,000.00 at rest the run had 1,200.00 filled (60.0 %)');
    expect(text).toContain('the models fill differently in 59 of 343 queues in 3 markets');
  });

  test('has a line for each model, errors in points of the stake', () => {
    const lines = fitTable(fitOf()).split('\n');
    expect(lines).toContain('behind            1,234.50   61.7 %    5.00      1.00 to 3.00');
    expect(lines).toContain('power 1.5         1,234.50   61.7 %    2.00');
    expect(lines).toContain('power 2           1,234.50   61.7 %    2.10     −0.10 to 1.90');
  });

  test('names the best, those that cannot be told from it, and what to configure', () => {
    const text = fitTable(fitOf());
    expect(text).toContain('power 1.5 fills most like the run; not distinguishable from it: power 2');
    expect(text).toContain('next: in the configuration of backtests  fillRules: { cancellations: { power: 1.5 } }');
  });

  test('names several powers in a row by their ends', () => {
    const alike = ['log', { power: 0.75 }, 'pro-rata', { power: 1.25 }, { power: 2 }] as const;
    const verdict = { kind: 'told', best: { power: 1.5 }, alike, choose: 'pro-rata' } as const;
    const text = fitTable(fitOf({ verdict }));
    expect(text).toContain('distinguishable from it: log, the powers from 0.75 to 1.5 (pro-rata is 1), power 2\n');
    const two = { kind: 'told', best: 'pro-rata', alike: [{ power: 1.25 }, { power: 2 }], choose: 'pro-rata' } as const;
    expect(fitTable(fitOf({ verdict: two }))).toContain(
      'pro-rata fills most like the run; not distinguishable from it: power 1.25, power 2\n',
    );
  });

  test('writes a model without a power as a word', () => {
    const verdict = { kind: 'told', best: 'behind', alike: [], choose: 'behind' } as const;
    const text = fitTable(fitOf({ verdict }));
    expect(text).toContain('behind fills most like the run; no other is as good');
    expect(text).toContain('fillRules: { cancellations: behind }');
  });

  test('asks for no change where the default is as good', () => {
    const verdict = { kind: 'told', best: { power: 2 }, alike: ['pro-rata'], choose: 'pro-rata' } as const;
    expect(fitTable(fitOf({ verdict }))).toContain('next: nothing. pro-rata, which is the default');
  });

  test('says plainly that there are too few orders, and why', () => {
    const verdict = { kind: 'tooFew', tellingLeast: 20 } as const;
    const few = fitTable(fitOf({ verdict, units: { kind: 'queue', count: 40, telling: 7 } }));
    expect(few).toContain('too few orders for a result: the models must fill differently in 20 at least');
    expect(few).not.toContain('fills most like');
    expect(fitTable(fitOf({ verdict }))).toContain('not even behind and ahead, the two ends, can be distinguished');
  });

  test('says of a run without a comparable order nothing but that', () => {
    const verdict = { kind: 'tooFew', tellingLeast: 20 } as const;
    const units = { kind: 'queue', count: 0, telling: 0 } as const;
    const text = fitTable(
      fitOf({ verdict, units, models: [], compared: 0, rested: 20, stakeRested: 0, stakeFilled: 0 }),
    );
    expect(text).toContain('20 orders of the run rested; 0 are compared, 20 left out:');
    expect(text).not.toContain('NaN');
    expect(text).toContain('too few orders for a result');
  });
});
