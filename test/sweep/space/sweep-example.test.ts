/** The example of a sweep in config/, and its editor schema. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadSweep } from '../../../src/app/config/resolve/load-sweep.ts';
import { parseConfig } from '../../../src/app/config/yaml/yaml-config.ts';
import { BacktestConfigSchema } from '../../../src/backtest/options/backtest-schema.ts';
import { resolveBacktest } from '../../../src/backtest/options/resolve-backtest.ts';
import { FIGURES } from '../../../src/sweep/result/figures.ts';
import { fulfils, pointAt, sizeOf } from '../../../src/sweep/space/space.ts';
import { EDITOR_SCHEMAS } from '../../../tools/editor-schema.ts';
import { temporaryFile } from '../../support/temporary-directory.ts';

const at = (name: string): string => fileURLToPath(new URL(`../../../config/${name}`, import.meta.url));

test('config/sweep.yaml is a sweep of the sample strategy', async () => {
  const plan = await loadSweep(at('sweep.yaml'), Object.keys(FIGURES));
  expect(plan).toMatchObject({ name: 'favourite-scalp', directory: 'sweeps/favourite-scalp' });
  expect(plan.objective).toEqual({
    ...{ figure: 'profitNet', bound: 'pessimistic', goal: 'maximize', per: 'run' },
    constraints: { ordersMatched: { min: 30 }, eventsBet: { min: 5 } },
  });
  const numbers = Array.from({ length: Number(sizeOf(plan.space)) }, (_, number) => BigInt(number));
  expect(numbers).toHaveLength(120);
  expect(numbers.filter((number) => fulfils(plan.space, pointAt(plan.space, number)))).toHaveLength(90);
});

test('the editor schema is that of the code, and takes the example', () => {
  const text = readFileSync(at('sweep.schema.json'), 'utf8');
  expect(JSON.parse(text)).toEqual(JSON.parse(EDITOR_SCHEMAS['sweep.schema.json']?.() ?? ''));
  const validate = new Ajv({ strict: false, allErrors: true }).compile(JSON.parse(text));
  validate(parse(readFileSync(at('sweep.yaml'), 'utf8')));
  expect(validate.errors).toBe(null);
});

test('a sweep is called by its file where it has no name', async () => {
  const text = readFileSync(at('sweep.yaml'), 'utf8').replace(/name: favourite-scalp.*/, '');
  const plan = await loadSweep(temporaryFile('evening.yaml', text), Object.keys(FIGURES));
  expect(plan).toMatchObject({ name: 'evening', directory: 'sweeps/evening' });
});

test.each([
  { name: 'a backtest without a sweep', from: /sweep:[\s\S]*/, to: '', says: /"sweep" is missing/ },
  { name: 'a strategy that is not there', from: 'favourite-scalp.ts', to: 'no.ts', says: /no strategy file/ },
  { name: 'a param in the configuration that is not allowed', from: 'stake: 10', to: 'stake: -1', says: /stake/ },
  {
    name: 'more keys than a search has dimensions',
    from: /space:/,
    to: `space:\n${Array.from({ length: 101 }, (_, key) => `    k${key}: { values: [1, 2] }`).join('\n')}`,
    says: /at most 100 keys/,
  },
])('is refused: $name', async ({ from, to, says }) => {
  const text = readFileSync(at('sweep.yaml'), 'utf8').replace(from, to);
  await expect(loadSweep(temporaryFile('sweep.yaml', text), Object.keys(FIGURES))).rejects.toThrow(says);
});

test('a trial is the backtest that its words say', async () => {
  const plan = await loadSweep(at('sweep.yaml'), Object.keys(FIGURES));
  const trial = plan.search({ events: 1, test: () => 1 }).next(new Map())?.trials[7];
  const words = plan.wordsOf(trial?.assignment ?? {});
  expect(words.flags).toEqual(['--param', 'take=1', '--param', 'stop=4', '--param', 'lean=0.55']);
  const written = parseConfig(words.yaml, 'trial.yaml', BacktestConfigSchema);
  expect(resolveBacktest(written, { strategies: [], tapes: [], params: {} })).toEqual(
    plan.optionsOf(trial?.assignment ?? {}),
  );
});

test('the example in docs/sweep.md can be played', async () => {
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(readFileSync(at('../docs/sweep.md'), 'utf8')) ?? [];
  const plan = await loadSweep(temporaryFile('docs.yaml', text), Object.keys(FIGURES));
  const trials = plan.search({ events: 1, test: () => 1 }).next(new Map())?.trials ?? [];
  expect(trials).toHaveLength(16);
  for (const { assignment } of trials) expect(plan.optionsOf(assignment).strategies).toHaveLength(1);
});
