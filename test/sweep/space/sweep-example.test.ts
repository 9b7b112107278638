/** The example of a sweep in config/, and its editor schema. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadSweep } from '../../../src/app/config/resolve/load-sweep.ts';
import { EDITOR_SCHEMAS } from '../../../src/app/config/schema/editor-schema.ts';
import { fulfils, pointAt, sizeOf } from '../../../src/sweep/space/space.ts';

const at = (name: string): string => fileURLToPath(new URL(`../../../config/${name}`, import.meta.url));

test('config/sweep.yaml is a sweep of the sample strategy', async () => {
  const plan = await loadSweep(at('sweep.yaml'), ['profitNet']);
  expect(plan).toMatchObject({ name: 'favourite-scalp', directory: 'sweeps/favourite-scalp' });
  expect(plan.objective).toEqual({ figure: 'profitNet', bound: 'pessimistic', goal: 'maximize', per: 'run' });
  const numbers = Array.from({ length: Number(sizeOf(plan.space)) }, (_, number) => BigInt(number));
  expect(numbers).toHaveLength(120);
  expect(numbers.filter((number) => fulfils(plan.space, pointAt(plan.space, number)))).toHaveLength(102);
});

test('the editor schema is that of the code, and takes the example', () => {
  const text = readFileSync(at('sweep.schema.json'), 'utf8');
  expect(text).toBe(EDITOR_SCHEMAS['sweep.schema.json']?.());
  const validate = new Ajv({ strict: false, allErrors: true }).compile(JSON.parse(text));
  validate(parse(readFileSync(at('sweep.yaml'), 'utf8')));
  expect(validate.errors).toBe(null);
});

test('a file without a name is called by its own, and a strategy that is not there is said to be missing', async () => {
  await expect(loadSweep(at('backtest.yaml'), ['profitNet'])).rejects.toThrow(/"sweep" is missing/);
});
