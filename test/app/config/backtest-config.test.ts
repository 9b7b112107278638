import { readFileSync } from 'node:fs';
import { Type } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { paramValues } from '../../../src/app/commands/param-values.ts';
import { defaultConfig } from '../../../src/app/config/resolve/load-backtest.ts';
import { parseConfig } from '../../../src/app/config/yaml/yaml-config.ts';
import { BacktestConfigSchema } from '../../../src/backtest/options/backtest-schema.ts';
import { LimitsBlock } from '../../../src/backtest/options/limits-block.ts';
import { resolveBacktest } from '../../../src/backtest/options/resolve-backtest.ts';
import { type ErrorParts, OddsmithError } from '../../../src/core/checks/oddsmith-error.ts';
import { param } from '../../../src/strategy/params.ts';
import { readParams } from '../../../src/strategy/read-params.ts';
import { editorSchemaText } from '../../../tools/editor-schema.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const NO_FLAGS = { strategies: [], tapes: [], params: {} };
const NAMED = { ...NO_FLAGS, strategies: ['s.ts'], tapes: ['a.tape'] };

const file = (name: string): string => readFileSync(new URL(`../../../config/${name}`, import.meta.url), 'utf8');

const loaded = (text: string, name = 'run.yaml') => parseConfig(text, name, BacktestConfigSchema);

function resolved(text: string) {
  return resolveBacktest(loaded(text), NAMED);
}

function faultOf(text: string): ErrorParts {
  return thrownBy(OddsmithError, () => resolveBacktest(loaded(text), NO_FLAGS)).parts;
}

describe('YAML that has no end', () => {
  const bomb = ['a: &a0 [x, x]', ...Array.from({ length: 30 }, (_, at) => `b${at}: &a${at + 1} [*a${at}, *a${at}]`)];
  test.each([
    ['aliases of aliases', bomb.join('\n'), /alias/i],
    ['a list that holds itself', 'tapes: &all\n  - *all\n', /stands inside of what it stands for/],
    ['a map that holds itself', 'wallets: &all { main: { deep: *all } }', /stands inside of what it stands for/],
    ['what is nested very deep', `tapes: ${'['.repeat(100)}${']'.repeat(100)}`, /nested more than 64 deep/],
    [
      'what is nested too deep for the parser',
      `tapes: ${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      /nested more than 64 deep/,
    ],
  ])('is refused with its place: %s', (_, text, why) => {
    expect(faultOf(text)).toMatchObject({ code: 'CONFIG_SYNTAX', why: expect.stringMatching(why) });
    expect(faultOf(text).where).toMatch(/^run\.yaml:\d+:\d+$/);
  });
});

describe('a param', () => {
  test.each(['1.900000010', '007', '1e5', '12345678901234567890', '0x10', '+1', '1.90'])(
    'of %s is a text as it is written, on the command line and in the file, and a number all the same',
    (written) => {
      const { value } = loaded(`strategies: [{ file: s.ts, params: { id: ${written}, n: ${written} } }]`);
      const typed = paramValues([
        { name: 'id', text: written },
        { name: 'n', text: written },
      ]);
      const spec = { id: param.text(), n: param.number() };
      for (const params of [value.strategies[0]?.params, typed])
        expect(readParams(spec, params)).toEqual({ kind: 'values', values: { id: written, n: Number(written) } });
    },
  );
});

describe('the examples in config/', () => {
  test('backtest.yaml is complete and says the defaults', () => {
    const text = file('backtest.yaml');
    const named: { readonly limits: object } = parse(text);
    expect(Object.keys(named).sort()).toEqual(Object.keys(BacktestConfigSchema.properties).sort());
    expect(Object.keys(named.limits).sort()).toEqual(Object.keys(LimitsBlock.properties).sort());
    const plain = {
      ...NO_FLAGS,
      strategies: ['strategies/favourite-scalp.ts'],
      tapes: ['backtest/sample.tape'],
      params: { stake: 10 },
    };
    const defaults = resolveBacktest(defaultConfig(BacktestConfigSchema), plain);
    expect(resolveBacktest(loaded(text, 'backtest.yaml'), NO_FLAGS)).toEqual(defaults);
  });

  test('a run without a file has the defaults of an empty one', () => {
    const defaults = defaultConfig(BacktestConfigSchema);
    expect(defaults.value).toEqual(loaded('').value);
    expect(defaults.value.wallets['main']).toEqual({ balance: 10_000, unlimited: false });
    expect(defaults.where(['wallets', 'main'])).toBe('(defaults)');
    // The schema must not be changed.
    defaults.value.tapes.push('a.tape');
    expect(defaultConfig(BacktestConfigSchema).value.tapes).toEqual([]);
  });

  test('limits.yaml is valid', () => {
    const schema = Type.Object({ limits: LimitsBlock }, { additionalProperties: false });
    expect(parseConfig(file('limits.yaml'), 'limits.yaml', schema).value.limits['order']).toBe(5);
  });

  test('backtest.schema.json is up to date: else run npm run make:schema', () => {
    expect(JSON.parse(file('backtest.schema.json'))).toEqual(JSON.parse(editorSchemaText(BacktestConfigSchema)));
  });

  test('the editor schema accepts the example and an almost empty file, and refuses an unknown key', () => {
    const accepts = new Ajv({ strict: false }).compile(JSON.parse(editorSchemaText(BacktestConfigSchema)));
    expect(accepts(parse(file('backtest.yaml')))).toBe(true);
    expect(accepts({ strategies: [{ file: 'a.ts' }], tapes: ['a.tape'] })).toBe(true);
    expect(accepts({ sed: 1 })).toBe(false);
    expect(accepts({ strategies: [{ params: {} }] })).toBe(false);
  });
});

describe('defaults', () => {
  test('are those of the contract', () => {
    expect(resolved('')).toEqual({
      strategies: [{ file: 's.ts', params: {}, wallet: 'main' }],
      tapes: ['a.tape'],
      markets: { types: [], ids: [], events: [] },
      wallets: { main: { currency: undefined, balance: 10_000_000_000 } },
      feed: { mode: 'stream' },
      latency: { request: { kind: 'fixed', ms: 80 }, response: { kind: 'fixed', ms: 40 } },
      inPlayDelay: 'recorded',
      commission: 'recorded',
      fills: 'bounds',
      fillRules: {
        cancellations: 'pro-rata',
        hiddenVolume: 'through-queue',
        crossMatching: 'rounded',
        refill: 'never',
        levelsOutOfSight: { maxAgeMs: 1_000 },
      },
      exchange: { inPlaySuspension: 'as-recorded', minimumStake: 'recorded' },
      limits: {
        order: 100_000_000,
        outcome: 500_000_000,
        market: 1_000_000_000,
        event: 2_000_000_000,
        strategy: 5_000_000_000,
        wallet: 10_000_000_000,
        ordersPerSecond: 50,
        selfMatch: 'refuse',
        dailyLoss: 1_000_000_000,
      },
      isolate: 'none',
      prove: false,
      strategyTimeoutMs: 30_000,
      seed: 1,
      out: 'runs/',
    });
  });

  test('fill in the parts of a block that is given in part', () => {
    const options = resolved(
      'limits: { order: 7.5, event: none }\nlatency: { responseMs: 5 }\nmarkets: { types: [WIN] }',
    );
    expect(options.limits).toMatchObject({ order: 7_500_000, market: 1_000_000_000 });
    expect(options.limits).not.toHaveProperty('event');
    expect(options.latency).toEqual({ request: { kind: 'fixed', ms: 80 }, response: { kind: 'fixed', ms: 5 } });
    expect(options.markets).toEqual({ types: ['WIN'], ids: [], events: [] });
  });
});

describe('values', () => {
  test('a delay is a number or a distribution, for each way or for the request', () => {
    const spread = { kind: 'spread', p50: 80, p99: 400 };
    expect(resolved('latency: { p50: 80, p99: 400 }').latency).toEqual({
      request: spread,
      response: { kind: 'fixed', ms: 40 },
    });
    expect(resolved('latency: { requestMs: 10, placeMs: 70, cancelMs: { p50: 20, p99: 90 } }').latency).toEqual({
      request: { kind: 'fixed', ms: 10 },
      place: { kind: 'fixed', ms: 70 },
      cancel: { kind: 'spread', p50: 20, p99: 90 },
      response: { kind: 'fixed', ms: 40 },
    });
    expect(resolved('latency: { requestMs: 10, responseMs: { p50: 80, p99: 400 } }').latency).toEqual({
      request: { kind: 'fixed', ms: 10 },
      response: spread,
    });
  });

  test('seconds and percentages become ms and parts per million', () => {
    const options = resolved('inPlayDelay: 1.5\ncommission: 2.5\nfeed: { mode: poll, everyMs: 250 }');
    expect(options).toMatchObject({
      inPlayDelay: { ms: 1500 },
      commission: { ratePpm: 25_000 },
      feed: { mode: 'poll', everyMs: 250 },
    });
  });

  test('an unlimited wallet has no balance', () => {
    expect(resolved('wallets: { main: { unlimited: true } }').wallets).toEqual({
      main: { currency: undefined, balance: 'unlimited' },
    });
  });

  test('flags win over the file, and --param over its params', () => {
    const text =
      'strategies: [{ file: a.ts, params: { stake: 1, ticks: 2 } }]\ntapes: [a.tape]\nseed: 4\nfills: central\nout: x';
    const source = loaded(text);
    expect(resolveBacktest(source, { ...NO_FLAGS, params: { stake: 9 } })).toMatchObject({
      strategies: [{ file: 'a.ts', params: { stake: 9, ticks: 2 } }],
      seed: 4,
      fills: 'central',
      out: 'x',
    });
    expect(resolveBacktest(source, { ...NAMED, seed: 7, fills: 'all', out: 'y' })).toMatchObject({
      strategies: [{ file: 's.ts', params: {} }],
      seed: 7,
      fills: 'all',
      out: 'y',
    });
  });
});

describe('faults', () => {
  test.each([
    [
      'an unknown key, at the key itself',
      'seed: 1\nfeed:\n  mode: stream\nlimts: {}\n',
      'run.yaml:4:1 CONFIG_UNKNOWN_KEY Unknown key "limts". Did you mean limits?',
    ],
    [
      'an unknown key in a block',
      'limits:\n  order: 1\n  outcom: 3\n',
      'run.yaml:3:3 CONFIG_UNKNOWN_KEY Unknown key "outcom" in limits. Did you mean outcome?',
    ],
    [
      'an unknown key in a flow map of a list',
      'strategies:\n  - { file: a.ts, param: {} }\n',
      'run.yaml:2:19 CONFIG_UNKNOWN_KEY Unknown key "param" in strategies[0]. Did you mean params?',
    ],
    [
      'an unknown key in one shape of several',
      'feed: { mode: poll, everyMs: 5, everyM: 1 }',
      'run.yaml:1:33 CONFIG_UNKNOWN_KEY Unknown key "everyM" in feed. Did you mean everyMs?',
    ],
    [
      'a value of the wrong type',
      'seed: many',
      'run.yaml:1:7 CONFIG_INVALID The value of seed must be a whole number from 0 to 4294967295.',
    ],
    [
      'a value out of range inside a shape',
      'feed: { mode: poll, everyMs: 0 }',
      'run.yaml:1:30 CONFIG_INVALID The value of feed.everyMs must be whole milliseconds from 1 to 3600000.',
    ],
    [
      'a missing part of a shape',
      'feed: { mode: poll }',
      'run.yaml:1:7 CONFIG_INVALID The key "everyMs" is missing in feed. Add everyMs: and its value.',
    ],
    [
      'none of several shapes',
      'feed: fast',
      'run.yaml:1:7 CONFIG_INVALID The value of feed must be { mode: stream } or { mode: poll, everyMs: 1000 }.',
    ],
    [
      'none of several words',
      'fills: some',
      'run.yaml:1:8 CONFIG_INVALID The value of fills must be one of bounds, all, central.',
    ],
    [
      'a limit of nothing',
      'limits: { order: 0 }',
      'run.yaml:1:18 CONFIG_INVALID The value of limits.order must be a number above 0, or none.',
    ],
    [
      'an empty value',
      'tapes:\nseed: 1',
      'run.yaml:1:7 CONFIG_INVALID The value of tapes must be a list of tape files.',
    ],
    [
      'broken YAML',
      'seed: 1\nfeed: { mode: stream',
      'run.yaml:2:21 CONFIG_SYNTAX The configuration is not valid YAML.',
    ],
    ['a key given twice', 'seed: 1\nseed: 2', 'run.yaml:2:1 CONFIG_SYNTAX The configuration is not valid YAML.'],
    [
      'a list where a map is due',
      '- a',
      'run.yaml:1:1 CONFIG_INVALID The value of the configuration must be a map of the backtest configuration.',
    ],
    [
      'an unknown wallet',
      'strategies: [{ file: a.ts, wallet: mian }]\ntapes: [a.tape]',
      'run.yaml:1:36 CONFIG_INVALID There is no wallet named "mian". Did you mean main?',
    ],
    [
      'two currencies',
      'strategies: [{ file: a.ts }]\ntapes: [a]\nwallets:\n  main: { currency: USDC }\n  other: { currency: GBP }',
      'run.yaml:5:22 CONFIG_INVALID Wallet "other" holds GBP, and "main" USDC.',
    ],
    [
      'a distribution upside down',
      'strategies: [{ file: a.ts }]\ntapes: [a]\nlatency: { requestMs: { p50: 9, p99: 3 } }',
      'run.yaml:3:23 CONFIG_INVALID A delay needs p50 above 0 and p99 of at least p50.',
    ],
  ])('%s', (_, text, said) => {
    const { where, code, what, next } = faultOf(text);
    expect(`${where} ${code} ${what} ${next}`.slice(0, said.length)).toBe(said);
  });

  test('several faults come in the order of the file, the first in full', () => {
    const parts = faultOf('fills: some\nsed: 4\nlimits: { order: -1 }\n');
    expect(parts.where).toBe('run.yaml:1:8');
    expect(parts.why?.split('\n').slice(1)).toEqual([
      'also run.yaml:2:1 Unknown key "sed".',
      'also run.yaml:3:18 The value of limits.order must be a number above 0, or none.',
    ]);
  });

  test('a run without strategy or tape is refused with the flag to pass', () => {
    expect(faultOf('tapes: [a.tape]')).toMatchObject({ code: 'USAGE', what: 'No strategy was named.' });
    expect(faultOf('strategies: [{ file: a.ts }]')).toMatchObject({ code: 'USAGE', what: 'No tape was named.' });
  });
});
