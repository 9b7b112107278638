/** Every mistake in the block `sweep`: its code, its place in the file, and words that help. */

import { describe, expect, test } from 'vitest';
import { OddsmithError } from '../../../src/core/checks/oddsmith-error.ts';
import { param } from '../../../src/strategy/params.ts';
import { readObjective } from '../../../src/sweep/space/read/objective.ts';
import { MISTAKES, OK } from '../../support/sweep/space-mistakes.ts';
import { loadedSweep, SPEC, spaceOf, sweepText } from '../../support/sweep/sweep-text.ts';
import { thrownBy } from '../../support/thrown-by.ts';

describe('a mistake in the block sweep', () => {
  test.each(MISTAKES)('$name', ({ space, sweep, config, code = 'CONFIG_INVALID', at, says }) => {
    const { parts } = thrownBy(OddsmithError, () => spaceOf(sweepText(space, sweep, config)));
    expect({ code: parts.code, where: parts.where }).toEqual({ code, where: `sweep.yaml:${at}` });
    expect([parts.what, parts.why, parts.next].join('\n')).toMatch(says);
    expect(parts.next).toBeTruthy();
  });

  test('the short form of a param where there are two strategies', () => {
    const text = sweepText([OK]).replace('[{ file: s.ts', '[{ file: t.ts }, { file: s.ts');
    const { parts } = thrownBy(OddsmithError, () => spaceOf(text, [{}, SPEC]));
    expect(parts.where).toBe('sweep.yaml:4:18');
    expect(parts.next).toMatch(/strategies\[0\]\.params\.stop/);
  });

  test('a param of a strategy without params', () => {
    const { parts } = thrownBy(OddsmithError, () => spaceOf(sweepText([OK]), [{}]));
    expect(parts.why).toMatch(/has no params/);
  });
});

describe('a mistake in the objective', () => {
  const FIGURES = ['profitNet', 'yield'];
  test.each([
    { name: 'an unknown figure', sweep: ['objective: profit'], config: [], at: '5:14', says: /profitNet, yield/ },
    {
      name: 'one in a map',
      sweep: ['objective: { figure: yeld }'],
      config: [],
      at: '5:24',
      says: /Did you mean yield/,
    },
    {
      name: 'a bound that is not computed',
      sweep: ['objective: { figure: yield, bound: optimistic }'],
      config: ['fills: central'],
      at: '5:38',
      says: /fills: bounds/,
    },
    {
      name: 'a constraint on an unknown figure',
      sweep: ['constraints: { yelds: { min: 1 } }'],
      config: [],
      at: '5:25',
      says: /Did you mean yield/,
    },
    {
      name: 'a constraint that nothing can fulfil',
      sweep: ['constraints: { yield: { min: 1, max: 0.5 } }'],
      config: [],
      at: '5:25',
      says: /min is above max/,
    },
  ])('$name', ({ sweep, config, at, says }) => {
    const loaded = loadedSweep(sweepText([OK], sweep, config));
    const { parts } = thrownBy(OddsmithError, () => readObjective(loaded, FIGURES, []));
    expect(parts.where).toBe(`sweep.yaml:${at}`);
    expect([parts.what, parts.why, parts.next].join('\n')).toMatch(says);
  });

  test('a bound that is not computed in some trials', () => {
    const text = sweepText(
      ['fills: { values: [bounds, central] }'],
      ['objective: { figure: yield, bound: pessimistic }'],
    );
    const { space } = spaceOf(text);
    expect(() => readObjective(loadedSweep(text), FIGURES, space.dimensions)).toThrow(/pessimistic bound/);
    expect(readObjective(loadedSweep(sweepText([OK])), FIGURES, [])).toMatchObject({
      figure: 'profitNet',
      bound: 'pessimistic',
      goal: 'maximize',
      per: 'run',
    });
  });
});

test.each([
  {
    name: 'a fixed param out of its range',
    params: 'label: x, stop: 51',
    at: '1:54',
    says: /51.*whole number from 1 to 50/,
  },
  {
    name: 'a fixed param that there is not',
    params: 'label: x, stp: 5',
    code: 'CONFIG_UNKNOWN_KEY',
    at: '1:53',
    says: /no param 'stp'/,
  },
  { name: 'a param without a default that nobody sets', params: '', at: '1:36', says: /'label' has no default/ },
])('$name is found before anything is played', ({ params, code = 'CONFIG_INVALID', at, says }) => {
  const text = sweepText(['params.target: { values: [1, 2] }']).replace('label: x', params);
  const { parts } = thrownBy(OddsmithError, () => spaceOf(text));
  expect({ code: parts.code, where: parts.where }).toEqual({ code, where: `sweep.yaml:${at}` });
  expect(parts.what).toMatch(says);
});

test('a param without a default may be set by the space alone', () => {
  const { space } = spaceOf(sweepText(['params.must: { values: [1, 2] }']), [{ ...SPEC, must: param.number() }]);
  expect(space.dimensions).toHaveLength(1);
});

describe.each(['__proto__', 'constructor', 'toString'])('the name %s, which every object knows', (name) => {
  test.each([
    { part: 'a key of the space', space: [`params.${name}: { values: [1, 2] }`], line: 4 },
    { part: 'a key of the configuration', space: [`${name}: { values: [1, 2] }`], line: 4 },
    { part: 'a param in the condition', sweep: [`where: params.${name} == 1`], line: 5 },
    { part: 'a param of a strategy in the condition', sweep: [`where: strategies[0].params.${name} == 1`] },
    { part: 'a word in the condition', sweep: [`where: ${name} == 1`] },
    { part: 'a part of a word in the condition', sweep: [`where: latency.${name} == 1`] },
    { part: 'a function in the condition', sweep: [`where: ${name}(1) == 1`] },
    { part: 'a fixed param', params: `label: x, ${name}: 1`, line: 1 },
    { part: 'the objective', sweep: [`objective: { figure: yield, bound: ${name} }`], line: 5 },
  ])('as $part', ({ space = [OK], sweep = [], params = 'label: x', line = 5 }) => {
    const text = sweepText(space, sweep).replace('label: x', params);
    const { parts } = thrownBy(OddsmithError, () => spaceOf(text));
    expect({ ...parts, code: parts.code.replace('UNKNOWN_KEY', 'INVALID') }).toMatchObject({
      ...{ code: 'CONFIG_INVALID', where: expect.stringMatching(`^sweep.yaml:${line}:`), next: expect.any(String) },
    });
  });
});
