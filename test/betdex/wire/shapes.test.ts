/** Every answer and message against the vendor's strict check, written by hand: both must accept exactly the same. */

import type { TSchema } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../src/betdex/wire/endpoint.ts';
import { ENDPOINTS } from '../../../src/betdex/wire/endpoints.ts';
import { SERVER_MESSAGES, StreamProblem } from '../../../src/betdex/wire/messages/stream.ts';
import { documentReader } from '../../../src/codec/codec-read.ts';
import { writer } from '../../../src/codec/codec-write.ts';
import { schemaSample } from '../../support/schema-sample.ts';
import {
  CALLED_ANSWERS,
  namedShape,
  OTHER_ANSWERS,
  type Shape,
  STREAM_SHAPES,
  strictFaults,
  strictSample,
} from '../../support/wire-strict.ts';

const ajv = new Ajv({ strict: false, formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/ } });

const answers: readonly Endpoint[] = Object.values(ENDPOINTS);
const schemaByRequest = new Map(answers.map((each) => [`${each.method} ${each.path}`, each.answer.schema as TSchema]));
const shapeByRequest = new Map([...CALLED_ANSWERS, ...OTHER_ANSWERS]);
const messages: ReadonlyMap<string, TSchema> = new Map(Object.entries({ ...SERVER_MESSAGES, StreamProblem }));

const cases: { readonly name: string; readonly schema: TSchema; readonly shape: Shape }[] = [
  ...[...shapeByRequest].map(([name, shape]) => ({ name, shape, schema: schemaByRequest.get(name) as TSchema })),
  ...[...STREAM_SHAPES, 'StreamProblem'].map((name) => ({
    name,
    shape: namedShape(name),
    schema: messages.get(name) as TSchema,
  })),
];

test('the table of endpoints and the list written by hand name the same requests', () => {
  expect([...schemaByRequest.keys()].sort()).toEqual([...shapeByRequest.keys()].sort());
  expect([...messages.keys()].sort()).toEqual([...STREAM_SHAPES, 'StreamProblem'].sort());
  expect(answers.length).toBe(schemaByRequest.size);
});

test('_meta is of the kind that the endpoint says, and a keyset list names its array', () => {
  const kinds = { plain: 'M', paged: 'P', keyset: 'K', optional: 'M' };
  for (const { method, path, answer } of answers) {
    const meta = shapeByRequest.get(`${method} ${path}`)?.get('_meta');
    expect([path, meta]).toEqual([path, { type: kinds[answer.meta], optional: answer.meta === 'optional' }]);
    if (answer.meta === 'keyset') {
      expect(Object.keys(answer.schema.properties['documents']?.['properties'])).toContain(answer.primary);
    }
  }
});

/** A sample of a shape with the `type` that a message must have: the strict check only asks for "some text" there. */
function sampleOf(name: string, shape: Shape, full: boolean): Record<string, unknown> {
  const sample = strictSample(shape, full);
  return shape.has('type') && messages.has(name) ? { ...sample, type: name } : sample;
}

/** Lists that the sandbox pages may come without pages from elsewhere, as the specification's seed does not page every list. */
function faultsOf(shape: Shape, value: unknown): readonly string[] {
  return strictFaults(shape, value).filter(
    (fault) => fault !== '._meta._page: missing' && fault !== '._meta._page: null',
  );
}

describe.each(cases)('$name', ({ name, schema, shape }) => {
  const isAllowed = ajv.compile(schema);
  const read = documentReader(schema);
  const write = writer(schema);

  test.each([true, false])('takes and gives back all that the strict check allows (full: %s)', (full) => {
    const sample = sampleOf(name, shape, full);
    expect(faultsOf(shape, sample)).toEqual([]);
    expect([isAllowed(sample), isAllowed.errors]).toEqual([true, null]);
    const result = read(sample);
    expect(result).toEqual({ kind: 'read', value: sample });
    expect(write(sample as never)).toEqual(sample);
  });

  test.each([true, false])('allows nothing that the strict check refuses (full: %s)', (full) => {
    const sample = schemaSample(schema, full);
    expect([isAllowed(sample), faultsOf(shape, sample)]).toEqual([true, []]);
  });

  test('a field more: refused by the strict check and the schema, dropped by the reader, never written', () => {
    for (const path of objectPaths(sampleOf(name, shape, true))) {
      const sample = sampleOf(name, shape, true);
      const before = structuredClone(sample);
      objectAt(sample, path)['undeclared'] = 1;
      if (path.at(-1) === 'exposures') continue;
      expect(faultsOf(shape, sample).length, path.join('.')).toBe(1);
      expect(isAllowed(sample), path.join('.')).toBe(false);
      expect(read(sample)).toEqual({ kind: 'read', value: before });
      expect(write(sample as never)).toEqual(before);
    }
  });

  test('a field less, or null, is refused exactly where the strict check refuses it', () => {
    for (const path of fieldPaths(sampleOf(name, shape, true))) {
      for (const absent of [undefined, null]) {
        const sample = sampleOf(name, shape, true);
        const key = path.at(-1) ?? '';
        const parent = objectAt(sample, path.slice(0, -1));
        const isList = Array.isArray(parent[key]) || key === 'exposures';
        if (absent === undefined) delete parent[key];
        else parent[key] = null;
        const isRefused = faultsOf(shape, sample).length > 0;
        // Readers take any absent list as empty; writers always write it.
        expect(read(sample).kind, path.join('.')).toBe(isRefused && !isList ? 'faults' : 'read');
        if (absent === undefined) expect(isAllowed(sample), path.join('.')).toBe(!isRefused && !isList);
      }
    }
  });

  test('a value of another type is refused by the strict check, by the schema and by the reader, which says where', () => {
    for (const path of fieldPaths(sampleOf(name, shape, true))) {
      const sample = sampleOf(name, shape, true);
      const key = path.at(-1) ?? '';
      const parent = objectAt(sample, path.slice(0, -1));
      parent[key] = typeof parent[key] === 'string' ? 5 : 'five';
      expect(faultsOf(shape, sample).length, path.join('.')).toBe(1);
      expect(isAllowed(sample), path.join('.')).toBe(false);
      const result = read(sample);
      expect(result.kind === 'faults' && result.faults.map((fault) => fault.path)).toEqual([dotted(path)]);
    }
  });
});

/** Paths of all objects in a value, the value itself included. */
function objectPaths(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, child]) => objectPaths(child, [...path, key]));
  return Array.isArray(value) ? inner : [path, ...inner];
}

/** Paths of all fields of documents; the keys of a map are not fields. */
function fieldPaths(value: unknown): readonly (readonly string[])[] {
  return objectPaths(value)
    .filter((path) => path.at(-1) !== 'exposures')
    .flatMap((path) => Object.keys(objectAt(value, path)).map((key) => [...path, key]));
}

function objectAt(value: unknown, path: readonly string[]): Record<string, unknown> {
  let at = value as Record<string, unknown>;
  for (const key of path) at = at[key] as Record<string, unknown>;
  return at;
}

function dotted(path: readonly string[]): string {
  return path.reduce((text, key) => (/^\d+$/.test(key) ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`), '');
}
