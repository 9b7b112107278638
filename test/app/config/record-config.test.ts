import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CliError, type CliErrorParts } from '../../../src/app/cli/cli-error.ts';
import { resolveRecord } from '../../../src/app/config/resolve/resolve-record.ts';
import { RecordConfigSchema } from '../../../src/app/config/schema/record-schema.ts';
import { EDITOR_SCHEMAS } from '../../../tools/editor-schema.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const ENVIRONMENT = { ODDSMITH_APP_ID: 'an-app', ODDSMITH_API_KEY: 'a-key', ADDRESS: 'http://user:5417@host' };
const HEAD = 'exchange: { url: http://h, appId: a, apiKey: k }';
const file = (name: string): string => readFileSync(new URL(`../../../config/${name}`, import.meta.url), 'utf8');
const resolved = (text: string) => resolveRecord({ text, file: 'record.yaml' }, ENVIRONMENT);

function faultOf(text: string): CliErrorParts {
  return thrownBy(CliError, () => resolved(text)).parts;
}

describe('the example in config/', () => {
  test('is complete and says the defaults', () => {
    const text = file('record.yaml');
    expect(Object.keys(parse(text) as object).sort()).toEqual(Object.keys(RecordConfigSchema.properties).sort());
    const { exchange } = parse(text) as { exchange: object };
    expect(resolved(text)).toEqual(resolved(JSON.stringify({ exchange })));
    expect(resolved(text)).toMatchObject({ commissionPpm: 10_000, watch: {} });
    expect(resolved(text).exchange).toMatchObject({ appId: 'an-app', apiKey: 'a-key' });
  });

  test('its editor schema is up to date (else run npm run make:schema) and accepts it', () => {
    const schema = EDITOR_SCHEMAS['record.schema.json']?.() ?? expect.fail('no schema');
    expect(JSON.parse(file('record.schema.json'))).toEqual(JSON.parse(schema));
    const accepts = new Ajv({ strict: false }).compile(JSON.parse(schema));
    expect(accepts(parse(file('record.yaml')))).toBe(true);
    expect(accepts({ exchange: { url: 'u', appId: 'a', apiKey: 'k' } })).toBe(true);
    expect(accepts({ exchange: { url: 'u', appId: 'a' } })).toBe(false);
  });
});

test('filters and feeds come out as the gateway takes them', () => {
  const { watch, feeds } = resolved(`${HEAD.replace('}', ', streamUrl: ws://h }')}
markets: { ids: ['1'], types: [T] }
feeds: { prices: { mode: stream } }`);
  expect(watch).toEqual({ marketIds: ['1'], marketTypeIds: ['T'] });
  expect(feeds).toEqual({ markets: { kind: 'poll', everyMs: 2_000 }, prices: { kind: 'stream', rereadMs: 10_000 } });
});

test.each([
  ['an unknown key', `${HEAD}\nfeed: 1`, 'CONFIG_UNKNOWN_KEY', 'record.yaml:2:1'],
  ['a stream without an address', `${HEAD}\nfeeds: { prices: { mode: stream } }`, 'CONFIG_INVALID', 'record.yaml:2:18'],
  ['no exchange', 'out: x', 'CONFIG_INVALID', 'record.yaml:1:1'],
  ['an address that is none', HEAD.replace('http://h', 'ftp://h'), 'CONFIG_INVALID', 'record.yaml:1:18'],
  ['an unset variable', HEAD.replace(' k ', ` "\${NOT_SET}" `), 'CONFIG_SECRET_UNSET', 'record.yaml:1:46'],
])('%s is refused with its place', (_, text, code, where) => {
  expect(faultOf(text)).toMatchObject({ code, where });
});

test.each([
  ['a key that is a number', 'exchange: { url: http://h, appId: a, apiKey: 54171 }'],
  ['a key in the place of the block', 'exchange: "5417"'],
  ['an address with a password, from the environment', `exchange: { url: "\${ADDRESS}", appId: a, apiKey: k }`],
])('%s is refused without being shown', (_, text) => {
  const fault = faultOf(text);
  expect(fault.code).toBe('CONFIG_INVALID');
  expect(JSON.stringify(fault)).not.toContain('5417');
});
