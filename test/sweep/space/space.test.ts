/** What is read of a space: its values, exactly, its points, its condition, and the options of its trials. */

import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/app/config/yaml/yaml-config.ts';
import { BacktestConfigSchema } from '../../../src/backtest/options/backtest-schema.ts';
import { resolveBacktest } from '../../../src/backtest/options/resolve-backtest.ts';
import { defined } from '../../../src/core/checks/assert.ts';
import { param } from '../../../src/strategy/params.ts';
import { coordinateAt, countOf, type Dimension, labelAt, placeOf } from '../../../src/sweep/space/dimension.ts';
import { flagsOf } from '../../../src/sweep/space/read/trial-options.ts';
import { assignmentOf, fulfils, pointAt, type Space, sizeOf } from '../../../src/sweep/space/space.ts';
import { spaceOf, sweepText } from '../../support/sweep/sweep-text.ts';

const NO_FLAGS = { strategies: [], tapes: [], params: {} };

function valuesOf(line: string): readonly unknown[] {
  const dimension = dimensionOf(line);
  return Array.from({ length: defined(countOf(dimension), 'a finite one') }, (_, at) => labelAt(dimension, at));
}

function dimensionOf(line: string): Dimension {
  return defined(spaceOf(sweepText([line], ['search: random'])).space.dimensions[0], 'there is one line');
}

function assignments(space: Space) {
  return Array.from({ length: Number(sizeOf(space)) }, (_, at) => pointAt(space, BigInt(at)))
    .filter((point) => fulfils(space, point))
    .map((point) => assignmentOf(space, point));
}

describe('values', () => {
  test.each([
    ['params.target: { from: 0.1, to: 0.5, step: 0.1 }', [0.1, 0.2, 0.3, 0.4, 0.5]],
    ['params.target: { from: 1e-3, to: 0.0031, step: 1e-3 }', [0.001, 0.002, 0.003]],
    ['params.stop: { from: 1, to: 10, step: 4 }', [1, 5, 9]],
    ['params.open: { from: 30s, to: 2m, step: 30s }', ['30s', '1m', '90s', '2m']],
    ['params.open: { from: 0ms, to: 1s, step: 500ms }', ['0ms', '500ms', '1s']],
    ['params.odds: { from: 1.99, to: 2.06, step: tick }', [1.99, 2, 2.02, 2.04, 2.06]],
    ['params.odds: { from: 2, to: 2.1, step: 2 ticks }', [2, 2.04, 2.08]],
    ['params.hedge: { values: [true, false] }', [true, false]],
    ['params.label: { values: [007, 7, 1.90, 1e5] }', ['007', 7, '1.90', '1e5']],
    ['params.label: { values: [1, 1.0, 01, "1.00"] }', [1, '1.0', '01', '1.00']],
    ['params.target: { values: [1.90, 2.0] }', [1.9, 2]],
    ['commission: { values: [recorded, 5] }', ['recorded', 5]],
    ['markets.types: { values: [[WIN], [PLACE], []] }', ['["WIN"]', '["PLACE"]', '[]']],
    ['fillRules.cancellations: { values: [log, { power: 2 }] }', ['log', '{"power":2}']],
  ])('%s', (line, values) => {
    expect(valuesOf(line)).toEqual(values);
  });

  test('a million steps of a decimal are the decimals', () => {
    const dimension = dimensionOf('params.target: { from: 0.001, to: 20, step: 0.00001 }');
    for (let at = 0; at < 1_999_901; at += 9973) {
      const value = Number(labelAt(dimension, at));
      expect(String(value)).toBe(String(Number((0.001 + at * 0.00001).toFixed(5))));
    }
  });

  test('a range is written with six digits and holds its ends', () => {
    const dimension = dimensionOf('params.target: { from: 0.0012345678, to: 17.3, scale: log }');
    expect([0, 0.5, 1].map((at) => labelAt(dimension, at))).toEqual([0.00123457, 0.146144, 17.3]);
    const linear = dimensionOf('params.target: { from: 1, to: 2 }');
    expect([0, 1 / 3, 1].map((at) => labelAt(linear, at))).toEqual([1, 1.33333, 2]);
    expect(labelAt(dimensionOf('params.open: { from: 1s, to: 2s }'), 1 / 3)).toBe('1333ms');
  });

  test.each([
    'params.stop: { from: 1, to: 50, step: 1, scale: log }',
    'params.target: { from: 0.5, to: 20, step: 0.5, scale: log }',
    'params.target: { from: 0.5, to: 20, step: 0.1, scale: log }',
    'params.stop: { from: 1, to: 50, step: 1 }',
    'params.odds: { from: 1.01, to: 1000, step: tick }',
  ])('the place of each value leads back to it: %s', (line) => {
    const dimension = dimensionOf(line);
    const coordinates = Array.from({ length: defined(countOf(dimension), 'finite') }, (_, at) => at);
    expect(coordinates.map((at) => coordinateAt(dimension, placeOf(dimension, at)))).toEqual(coordinates);
    expect([coordinateAt(dimension, 0), coordinateAt(dimension, 1)]).toEqual([0, coordinates.length - 1]);
  });

  test('on a log scale small values are as likely as large ones', () => {
    const dimension = dimensionOf('params.stop: { from: 1, to: 50, step: 1, scale: log }');
    const values = Array.from({ length: 1000 }, (_, at) =>
      Number(labelAt(dimension, coordinateAt(dimension, at / 1000))),
    );
    const below = values.filter((value) => value <= 5).length;
    // log(5.5 / 0.5) ÷ log(50.5 / 0.5)
    expect(below / 1000).toBeCloseTo(0.5196, 2);
  });
});

describe('points', () => {
  test('the last key changes fastest', () => {
    const { space } = spaceOf(
      sweepText(['params.stake: { values: [5, 10] }', 'latency.requestMs: { values: [80, 200] }']),
    );
    expect(sizeOf(space)).toBe(4n);
    expect(assignments(space)).toEqual(
      [
        [5, 80],
        [5, 200],
        [10, 80],
        [10, 200],
      ].map(([stake, requestMs]) => ({
        'strategies[0].params.stake': stake,
        'latency.requestMs': requestMs,
      })),
    );
  });

  test('a condition names keys, fixed params in their own unit, and values of the configuration', () => {
    const kept = (where: string) => {
      const lines = [
        'params.stop: { from: 1, to: 4, step: 1 }',
        'params.mode: { values: [calm, wild] }',
        'commission: { values: [recorded, 5] }',
      ];
      return assignments(spaceOf(sweepText(lines, [`where: ${where}`])).space).length;
    };
    // 16 points; stop at its four values has four each.
    expect(kept('params.stop > 2')).toBe(8);
    expect(kept('params.stop > params.target')).toBe(8);
    expect(kept('params.stop * 1m >= params.open - 2m and params.mode == "wild"')).toBe(4);
    expect(kept('strategies[0].params.stop == 1 or params["stop"] == 2')).toBe(8);
    expect(kept('latency.requestMs == 80 and params.stop <= 3')).toBe(12);
    expect(kept("fillRules.cancellations == 'pro-rata' and commission == '5' and not params.hedge")).toBe(8);
    expect(kept('max(params.stop, 3) == 3 && !(params.stop == 2)')).toBe(8);
    expect(kept('params.stop * 0.1 == 0.3')).toBe(4);
    expect(kept('params.open == 5m and params.stop < abs(-2)')).toBe(4);
  });

  test('a condition compares values of a text or choice as texts, whatever they read as', () => {
    const spec = { label: param.text(), mode: param.choice({ of: ['1', '01'], default: '1' }) };
    const kept = (where: string) => {
      const lines = ['params.label: { values: [1, 1.0, 01, 1s] }', 'params.mode: { values: ["1", "01"] }'];
      return assignments(spaceOf(sweepText(lines, [`where: ${where}`]), [spec]).space).length;
    };
    expect(kept("params.label == '1.0'")).toBe(2);
    expect(kept("params.label != '1'")).toBe(6);
    expect(kept('params.label == params.mode')).toBe(2);
    expect(kept("params.label == '1s'")).toBe(2);
    expect(() => kept('params.label == 1')).toThrow(
      expect.objectContaining({ why: expect.stringContaining('compares a text with a number') }),
    );
  });
});

describe('the options of a trial', () => {
  const LINES = [
    'params.open: { from: 1m, to: 3m, step: 1m }',
    'params.stake: { values: [5, 10] }',
    'params.label: { values: ["5m", a b, "true"] }',
    'latency.requestMs: { values: [80, { p50: 80, p99: 400 }] }',
    'fillRules.refill.halfLifeMs: { from: 1000, to: 3000, step: 1000 }',
    'commission: { values: [recorded, 5] }',
    'markets.types: { values: [[WIN], []] }',
    'limits.drawdown: { values: [none, { amount: 5, action: halted }] }',
    'wallets.main.balance: { values: [100, 1000] }',
    'seed: { values: [1, 2] }',
  ];

  test('are those of the same configuration, written down', () => {
    const { space, trialOptions } = spaceOf(sweepText(LINES, [], ['feed: { mode: poll, everyMs: 500 }']));
    for (let at = 0n; at < (sizeOf(space) ?? 0n); at += 97n) {
      const assignment = assignmentOf(space, pointAt(space, at));
      const options = trialOptions.optionsOf(assignment);
      const written = parseConfig(trialOptions.yamlOf(assignment), 'trial.yaml', BacktestConfigSchema);
      expect(resolveBacktest(written, NO_FLAGS)).toEqual(options);
      expect(options.strategies[0]?.params['stake']).toBe(assignment['strategies[0].params.stake']);
      expect(options.strategies[0]?.params['label']).toBe(assignment['strategies[0].params.label']);
      expect(options.seed).toBe(assignment['seed']);
      expect(options.fillRules.refill).toEqual({ halfLifeMs: assignment['fillRules.refill.halfLifeMs'] });
    }
  });

  test('are those of a configuration that says the same by hand', () => {
    const { trialOptions } = spaceOf(
      sweepText([
        'params.stake: { values: [5, 10] }',
        'latency.requestMs: { values: [80, 200] }',
        'markets.types: { values: [[WIN], [PLACE]] }',
      ]),
    );
    const byHand =
      'strategies: [{ file: s.ts, params: { label: x, stake: 10 } }]\ntapes: [a.tape]\nlatency: { requestMs: 200 }\nmarkets: { types: [PLACE] }\n';
    const options = trialOptions.optionsOf({
      'strategies[0].params.stake': 10,
      'latency.requestMs': 200,
      'markets.types': '["PLACE"]',
    });
    expect(options).toEqual(resolveBacktest(parseConfig(byHand, 'h.yaml', BacktestConfigSchema), NO_FLAGS));
  });

  test('values that do not stand together are found when they meet, at the space', () => {
    const { trialOptions } = spaceOf(
      sweepText(['latency.requestMs.p50: { values: [80, 500] }', 'latency.requestMs.p99: { values: [900, 400] }']),
    );
    const meeting = { 'latency.requestMs.p50': 500, 'latency.requestMs.p99': 400 };
    expect(() => trialOptions.optionsOf(meeting)).toThrow(/p99 of at least p50/);
  });

  test('params are flags of the backtest command', () => {
    const { space } = spaceOf(sweepText(LINES));
    const flags = flagsOf(assignmentOf(space, pointAt(space, 0n)), space.dimensions);
    expect(flags).toEqual(['--param', 'open="1m"', '--param', 'stake=5', '--param', 'label="5m"']);
  });
});
