/** The options of the library are written out with a description each, and have the types of the configuration's schema. */

import { readFileSync } from 'node:fs';
import { expect, expectTypeOf, test } from 'vitest';
import type {
  ExchangeInput,
  FillRulesInput,
  LatencyInput,
  LimitsInput,
  MarketsInput,
  WalletInput,
} from '../../src/backtest/library/backtest-input.ts';
import type { BacktestConfig } from '../../src/backtest/options/backtest-schema.ts';
import { BacktestConfigSchema } from '../../src/backtest/options/backtest-schema.ts';
import type { LimitsConfig } from '../../src/risk/limits/limits.ts';

/** Without what only an options object has: fields that are left out by `undefined`, or that cannot be written. */
type Plain<T> = { -readonly [Key in keyof T]-?: Exclude<T[Key], undefined> };
/** A limit that does not limit. */
type Lifted<T> = { -readonly [Key in keyof T]-?: Exclude<T[Key], undefined | 'none'> };

test('they are those of the schema', () => {
  expectTypeOf<LatencyInput>().toEqualTypeOf<BacktestConfig['latency']>();
  expectTypeOf<Plain<FillRulesInput>>().toEqualTypeOf<Plain<BacktestConfig['fillRules']>>();
  expectTypeOf<Plain<ExchangeInput>>().toEqualTypeOf<Plain<BacktestConfig['exchange']>>();
  expectTypeOf<Plain<MarketsInput>>().toEqualTypeOf<Plain<BacktestConfig['markets']>>();
  expectTypeOf<Plain<WalletInput>>().toEqualTypeOf<Plain<BacktestConfig['wallets'][string]>>();
  type Numbers<T> = Lifted<Omit<T, 'heartbeat' | 'selfMatch'>>;
  expectTypeOf<Numbers<LimitsInput>>().toExtend<Numbers<LimitsConfig>>();
  expectTypeOf<Numbers<LimitsConfig>>().toExtend<Numbers<LimitsInput>>();
});

test('the defaults that descriptions of limits name are those of the schema', () => {
  const text = readFileSync(new URL('../../src/backtest/library/backtest-input.ts', import.meta.url), 'utf8');
  const limits = /export interface LimitsInput \{([\s\S]*?)\n\}/.exec(text)?.[1] ?? '';
  const named = [...limits.matchAll(/Default `?([\w,]+)`?\. \*\/\n {2}readonly (\w+)\?/g)].map(
    ([, value = '', name]) => [name, /\d/.test(value) ? Number(value.replace(',', '')) : value],
  );
  const { properties } = BacktestConfigSchema.properties.limits;
  expect(Object.fromEntries(named)).toEqual(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, schema['default']])),
  );
});
