/**
 * Readers made from schemas: unknown fields are dropped, null is absent, absent lists are empty, and what is missing
 * or of the wrong kind is a fault with its path. Nothing that arrives makes a reader throw.
 */

import type { Static, TSchema } from '@sinclair/typebox';
import { assert, present } from '../core/assert.ts';
import { FaultList, type WireFaultCode, type WireResult } from './fault.ts';
import { instantFromWire, instantOrDateFromWire } from './instants.ts';
import type { Read } from './notation.ts';
import { isAbsent, isObject, nearestShape, type SchemaNode, typeOf, valueNodeOf } from './schema-node.ts';

/** A document of the exchange: words that are not listed are kept as they came. */
export function documentReader<S extends TSchema>(schema: S): (value: unknown) => WireResult<Read<S>> {
  return reader(compile(schema, 'open'));
}

/** A client's request: a word that is not listed is a fault. */
export function requestReader<S extends TSchema>(schema: S): (value: unknown) => WireResult<Static<S>> {
  return reader(compile(schema, 'closed'));
}

/** Undefined where a fault was added. */
type ReadNode = (value: unknown, faults: FaultList) => unknown;
type Words = 'open' | 'closed';

function reader<T>(readNode: ReadNode): (value: unknown) => WireResult<T> {
  return (value) => {
    const faults = new FaultList();
    const result = isAbsent(value) ? faults.add('MISSING') : readNode(value, faults);
    return faults.result(result as T);
  };
}

function compile(node: SchemaNode, words: Words): ReadNode {
  if (node.anyOf !== undefined) return compileChoice(node.anyOf, words);
  if (node.const !== undefined) {
    const only = node.const;
    return (value, faults) => (value === only ? value : faults.add('UNKNOWN_WORD'));
  }
  const type = typeOf(node);
  if (type === 'object')
    return node.patternProperties === undefined ? compileObject(node, words) : compileMap(node, words);
  if (type === 'array') return compileList(node, words);
  if (type === 'string') return compileText(node, words);
  if (type === 'boolean') return (value, faults) => (typeof value === 'boolean' ? value : faults.add('WRONG_TYPE'));
  assert(type === 'number' || type === 'integer', `no codec for the JSON type ${type}`);
  return compileNumber(node, type);
}

function compileObject(node: SchemaNode, words: Words): ReadNode {
  const required = new Set(node.required);
  const fields = Object.entries(node.properties ?? {}).map(([key, child]) => ({
    key,
    readField: compile(child, words),
    isRequired: required.has(key),
    fallback: fallbackOf(child.default),
  }));
  const countMin = node.minProperties ?? 0;
  return (value, faults) => {
    if (!isObject(value)) return faults.add('WRONG_TYPE');
    const result: Record<string, unknown> = {};
    let count = 0;
    for (const { key, readField, isRequired, fallback } of fields) {
      const given = Object.hasOwn(value, key) ? value[key] : undefined;
      if (isAbsent(given)) {
        if (fallback !== undefined) result[key] = fallback();
        else if (isRequired) faults.add('MISSING', key);
        continue;
      }
      count += 1;
      const before = faults.count;
      result[key] = readField(given, faults);
      if (faults.count > before) faults.prefix(before, key);
    }
    return count < countMin ? faults.add('MISSING') : result;
  };
}

/** Each reading gets an empty list or map of its own; the only other defaults are plain values. */
function fallbackOf(value: unknown): (() => unknown) | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return () => [...value];
  return isObject(value) ? () => ({ ...value }) : () => value;
}

function compileMap(node: SchemaNode, words: Words): ReadNode {
  const readValue = compile(present(valueNodeOf(node), 'a map has a shape of its values'), words);
  return (value, faults) => {
    if (!isObject(value)) return faults.add('WRONG_TYPE');
    const entries: [string, unknown][] = [];
    for (const [key, given] of Object.entries(value)) {
      if (faults.isFull) break;
      const before = faults.count;
      entries.push([key, readValue(given, faults)]);
      if (faults.count > before) faults.prefix(before, key);
    }
    return Object.fromEntries(entries);
  };
}

function compileList(node: SchemaNode, words: Words): ReadNode {
  const readItem = compile(present(node.items, 'a list has a shape of its items'), words);
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node;
  return (value, faults) => {
    if (!Array.isArray(value)) return faults.add('WRONG_TYPE');
    if (value.length < minItems || value.length > maxItems) return faults.add('OUT_OF_RANGE');
    const items: unknown[] = [];
    for (let index = 0; index < value.length && !faults.isFull; index += 1) {
      const before = faults.count;
      const item: unknown = value[index];
      items.push(isAbsent(item) ? faults.add('MISSING') : readItem(item, faults));
      if (faults.count > before) faults.prefix(before, `[${index}]`);
    }
    return items;
  };
}

function compileChoice(shapes: readonly SchemaNode[], words: Words): ReadNode {
  const readers = shapes.map((shape) => compile(shape, words));
  return (value, faults) => {
    if (!isObject(value)) return faults.add('WRONG_TYPE');
    return readers[nearestShape(shapes, value)]?.(value, faults);
  };
}

function compileText(node: SchemaNode, words: Words): ReadNode {
  const wrong = textFault(node, words);
  return (value, faults) => {
    if (typeof value !== 'string') return faults.add('WRONG_TYPE');
    const code = wrong(value);
    return code === undefined ? value : faults.add(code);
  };
}

function textFault(node: SchemaNode, words: Words): (value: string) => WireFaultCode | undefined {
  if (node.format === 'date-time') return (value) => faultCode(instantFromWire(value));
  if (node.format === 'date-or-date-time') return (value) => faultCode(instantOrDateFromWire(value));
  if (node.enum !== undefined && words === 'closed') {
    const listed = new Set(node.enum);
    return (value) => (listed.has(value) ? undefined : 'UNKNOWN_WORD');
  }
  if (node.pattern !== undefined) {
    const pattern = new RegExp(node.pattern);
    return (value) => (pattern.test(value) ? undefined : 'BAD_FORMAT');
  }
  return () => undefined;
}

function faultCode(result: WireResult<unknown>): WireFaultCode | undefined {
  return result.kind === 'read' ? undefined : result.faults[0].code;
}

function compileNumber(node: SchemaNode, type: 'number' | 'integer'): ReadNode {
  const isOfType = type === 'integer' ? Number.isSafeInteger : Number.isFinite;
  const { minimum, exclusiveMinimum, maximum, 'x-clamp': clamp } = node;
  return (value, faults) => {
    if (typeof value !== 'number' || !isOfType(value)) return faults.add('WRONG_TYPE');
    if (minimum !== undefined && value < minimum) return faults.add('OUT_OF_RANGE');
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return faults.add('OUT_OF_RANGE');
    if (maximum !== undefined && value > maximum) return faults.add('OUT_OF_RANGE');
    return clamp !== undefined && value > clamp ? clamp : value;
  };
}
