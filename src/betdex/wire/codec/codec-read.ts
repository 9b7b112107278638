/**
 * Makes readers from schemas. They drop unknown fields, read null as absent and absent lists as empty, and report what is
 * missing or of the wrong kind as a fault with its path. No input makes a reader throw.
 */

import type { Static, TSchema } from '@sinclair/typebox';
import { assert, defined } from '../../../core/checks/assert.ts';
import { FaultList, type WireFaultCode, type WireResult } from './fault.ts';
import { instantOrDateFromWire, isInstantText } from './instants.ts';
import type { Read } from './notation.ts';
import {
  firstFields,
  isAbsent,
  isObject,
  propertiesOf,
  type SchemaNode,
  shapeChooser,
  typeOf,
  valueNodeOf,
} from './schema-node.ts';

/** A reader for a document of the exchange: words that are not in a closed list are kept as they came. */
export function documentReader<S extends TSchema>(schema: S): (value: unknown) => WireResult<Read<S>> {
  return reader(compile(schema, 'open'));
}

/** A reader for a client's request: a word that is not in a closed list is a fault. */
export function requestReader<S extends TSchema>(schema: S): (value: unknown) => WireResult<Static<S>> {
  return reader(compile(schema, 'closed'));
}

/** Returns undefined if it added a fault. */
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

interface Field {
  readonly key: string;
  readonly readField: ReadNode;
  readonly isRequired: boolean;
  readonly fallback: (() => unknown) | undefined;
}

/**
 * Reads an object. If reading would not change it, the object itself is returned and not a copy: that is so for nearly every
 * one that arrives.
 */
function compileObject(node: SchemaNode, words: Words): ReadNode {
  const fields = fieldsOf(node, words);
  const countMin = node.minProperties ?? 0;
  return (value, faults) => {
    if (!isObject(value)) return faults.add('WRONG_TYPE');
    let copy: Record<string, unknown> | undefined;
    let count = 0;
    for (let index = 0; index < fields.length; index += 1) {
      const { key, readField, isRequired, fallback } = fields[index] as Field;
      const given = value[key];
      let read: unknown;
      if (given !== undefined && given !== null) {
        count += 1;
        const before = faults.count;
        read = readField(given, faults);
        if (faults.count > before) faults.prefix(before, key);
      } else if (fallback !== undefined) read = fallback();
      else {
        if (isRequired) faults.add('MISSING', key);
        continue;
      }
      if (copy === undefined && read !== given) copy = firstFields(value, fields, index);
      if (copy !== undefined) copy[key] = read;
    }
    if (count < countMin) return faults.add('MISSING');
    // More keys than were read means that there are unknown fields or nulls, which a copy leaves out.
    if (copy === undefined && Object.keys(value).length !== count) copy = firstFields(value, fields, fields.length);
    return copy ?? value;
  };
}

function fieldsOf(node: SchemaNode, words: Words): readonly Field[] {
  const required = new Set(node.required);
  return propertiesOf(node).map(([key, child]) => {
    const fallback = fallbackOf(child.default);
    return { key, readField: compile(child, words), isRequired: required.has(key), fallback };
  });
}

/**
 * The value that replaces an absent one. Each reading gets an empty list or map of its own; all other defaults are plain
 * values.
 */
function fallbackOf(value: unknown): (() => unknown) | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return () => [...value];
  return isObject(value) ? () => ({ ...value }) : () => value;
}

function compileMap(node: SchemaNode, words: Words): ReadNode {
  const readValue = compile(defined(valueNodeOf(node), 'a map has a shape of its values'), words);
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

/** Reads a list. If reading would not change any item, the list itself is returned and not a copy. */
function compileList(node: SchemaNode, words: Words): ReadNode {
  const readItem = compile(defined(node.items, 'a list has a shape of its items'), words);
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node;
  return (value, faults) => {
    if (!Array.isArray(value)) return faults.add('WRONG_TYPE');
    if (value.length < minItems || value.length > maxItems) return faults.add('OUT_OF_RANGE');
    const given: readonly unknown[] = value;
    let copy: unknown[] | undefined;
    for (let index = 0; index < given.length && !faults.isFull; index += 1) {
      const before = faults.count;
      const item = given[index];
      const read = isAbsent(item) ? faults.add('MISSING') : readItem(item, faults);
      if (faults.count > before) faults.prefix(before, `[${index}]`);
      if (copy === undefined && read !== item) copy = given.slice(0, index);
      copy?.push(read);
    }
    return copy ?? value;
  };
}

function compileChoice(shapes: readonly SchemaNode[], words: Words): ReadNode {
  const readers = shapes.map((shape) => compile(shape, words));
  const shapeOf = shapeChooser(shapes);
  return (value, faults) => {
    if (!isObject(value)) return faults.add('WRONG_TYPE');
    return readers[shapeOf(value)]?.(value, faults);
  };
}

function compileText(node: SchemaNode, words: Words): ReadNode {
  const wrong = textFault(node, words);
  if (wrong === undefined) return readText;
  return (value, faults) => {
    if (typeof value !== 'string') return faults.add('WRONG_TYPE');
    const code = wrong(value);
    return code === undefined ? value : faults.add(code);
  };
}

function readText(value: unknown, faults: FaultList): unknown {
  return typeof value === 'string' ? value : faults.add('WRONG_TYPE');
}

/** Returns undefined if any text is accepted. */
function textFault(node: SchemaNode, words: Words): ((value: string) => WireFaultCode | undefined) | undefined {
  if (node.format === 'date-time') return (value) => (isInstantText(value) ? undefined : 'BAD_INSTANT');
  if (node.format === 'date-or-date-time') return (value) => faultCode(instantOrDateFromWire(value));
  if (node.enum !== undefined && words === 'closed') {
    const listed = new Set(node.enum);
    return (value) => (listed.has(value) ? undefined : 'UNKNOWN_WORD');
  }
  if (node.pattern !== undefined) {
    const pattern = new RegExp(node.pattern);
    return (value) => (pattern.test(value) ? undefined : 'BAD_FORMAT');
  }
  const { minLength = 0, maxLength } = node;
  assert(minLength <= 1, 'a text is told to be there, not how long it is at least');
  if (maxLength === undefined && minLength === 0) return undefined;
  const isLongEnough = (value: string): boolean => value.length >= minLength;
  return (value) => (isLongEnough(value) && isWithin(value, maxLength) ? undefined : 'OUT_OF_RANGE');
}

/**
 * Whether a text is short enough. It has at most as many characters as UTF-16 units, so that short texts need not be counted.
 */
function isWithin(value: string, characters = Number.POSITIVE_INFINITY): boolean {
  if (value.length <= characters) return true;
  return value.length <= 2 * characters && [...value].length <= characters;
}

function faultCode(result: WireResult<unknown>): WireFaultCode | undefined {
  return result.kind === 'read' ? undefined : result.faults[0].code;
}

function compileNumber(node: SchemaNode, type: 'number' | 'integer'): ReadNode {
  const isOfType = type === 'integer' ? Number.isSafeInteger : Number.isFinite;
  const { minimum, exclusiveMinimum, maximum, 'x-clamp': clamp } = node;
  return (value, faults) => {
    // A number above its bound is read as the bound, even if it is larger than any number held exactly, or infinite.
    if (clamp !== undefined && typeof value === 'number' && value > Math.max(clamp, Number.MAX_SAFE_INTEGER))
      return clamp;
    if (typeof value !== 'number' || !isOfType(value)) return faults.add('WRONG_TYPE');
    if (minimum !== undefined && value < minimum) return faults.add('OUT_OF_RANGE');
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return faults.add('OUT_OF_RANGE');
    if (maximum !== undefined && value > maximum) return faults.add('OUT_OF_RANGE');
    return clamp !== undefined && value > clamp ? clamp : value;
  };
}
