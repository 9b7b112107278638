/**
 * Makes readers from schemas. They drop unknown fields, read null as absent and absent lists as empty, and report what is
 * missing or of the wrong kind as a fault with its path. No input makes a reader throw.
 *
 * A strict reader returns a value that has all that its schema promises, or only faults. A lenient one reads each document of a
 * list by itself: what is used of it must be there (`document-use.ts`), and a document that is faulty is replaced by an
 * `Unreadable`, so that it costs nothing but itself.
 */

import type { Static, TSchema } from '@sinclair/typebox';
import { assert, defined } from '../core/checks/assert.ts';
import { USE } from './document-use.ts';
import { FaultList, type WireFaultCode, type WireResult } from './fault.ts';
import { instantOrDateFromWire, isInstantText } from './instants.ts';
import { type Lenient, Unreadable } from './lenient.ts';
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

/**
 * A reader for the request of a client that may write numbers and flags as texts, and texts as numbers, as Betfair's own
 * examples do.
 */
export function looseReader<S extends TSchema>(schema: S): (value: unknown) => WireResult<Static<S>> {
  return reader(compile(schema, 'loose'));
}

/** A reader for an answer or a message of the exchange that reads each document in it by itself. */
export function lenientReader<S extends TSchema>(schema: S): (value: unknown) => WireResult<Lenient<S>> {
  return reader(compile(schema, 'lenient'));
}

/** If it added a fault, it returns undefined, or of an object what could be read. */
type ReadNode = (value: unknown, faults: FaultList) => unknown;
type Mode = 'open' | 'closed' | 'loose' | 'lenient';

function reader<T>(readNode: ReadNode): (value: unknown) => WireResult<T> {
  return (value) => {
    const faults = new FaultList();
    const result = isAbsent(value) ? faults.add('MISSING') : readNode(value, faults);
    return faults.result(result as T);
  };
}

function compile(node: SchemaNode, mode: Mode): ReadNode {
  if (node.anyOf !== undefined) return compileChoice(node.anyOf, mode);
  if (node.const !== undefined) {
    const only = node.const;
    return (value, faults) => (value === only ? value : faults.add('UNKNOWN_WORD'));
  }
  const type = typeOf(node);
  if (mode === 'loose' && SCALARS.has(type)) return compileLoose(type, compileScalar(node, 'closed'));
  if (type === 'object')
    return node.patternProperties === undefined ? compileObject(node, mode) : compileMap(node, mode);
  if (type === 'array') return compileList(node, mode);
  return compileScalar(node, mode);
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'boolean', 'number', 'integer']);

/** Turns a scalar of another type that spells one of the wanted type into that; all else is left to the reader. */
function compileLoose(type: string, readScalar: ReadNode): ReadNode {
  return (value, faults) => {
    if (type === 'string') return readScalar(typeof value === 'number' ? String(value) : value, faults);
    if (typeof value !== 'string') return readScalar(value, faults);
    if (type === 'boolean') return readScalar(FLAGS.get(value) ?? value, faults);
    return readScalar(value.trim() === '' ? value : Number(value), faults);
  };
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

function compileScalar(node: SchemaNode, mode: Mode): ReadNode {
  const type = typeOf(node);
  if (type === 'string') return compileText(node, mode);
  if (type === 'boolean') return (value, faults) => (typeof value === 'boolean' ? value : faults.add('WRONG_TYPE'));
  assert(type === 'number' || type === 'integer', `no codec for the JSON type ${type}`);
  return compileNumber(node, mode === 'lenient' ? 'number' : type);
}

interface Field {
  readonly key: string;
  readonly readField: ReadNode;
  readonly isRequired: boolean;
  readonly fallback: (() => unknown) | undefined;
  /** Whether a fault in it is one of the object; else the field is left out. */
  readonly isUsed: boolean;
}

/**
 * Reads an object. If reading would not change it, the object itself is returned and not a copy: that is so for nearly every
 * one that arrives.
 */
function compileObject(node: SchemaNode, mode: Mode): ReadNode {
  const fields = fieldsOf(node, mode);
  const countMin = node.minProperties ?? 0;
  const keepsOthers = mode === 'lenient' && node[USE]?.keepsOthers === true;
  return (value, faults) => {
    if (!isObject(value)) return faults.add('WRONG_TYPE');
    let copy: Record<string, unknown> | undefined;
    let count = 0;
    for (let index = 0; index < fields.length; index += 1) {
      const { key, readField, isRequired, fallback, isUsed } = fields[index] as Field;
      const given = value[key];
      let read: unknown;
      if (given !== undefined && given !== null) {
        count += 1;
        const before = faults.count;
        read = readField(given, faults);
        if (faults.count > before) {
          if (isUsed) faults.prefix(before, key);
          else faults.cut(before);
          read = undefined;
        }
      } else if (fallback !== undefined) read = fallback();
      else {
        if (isRequired) faults.add('MISSING', key);
        continue;
      }
      if (copy === undefined && read !== given) copy = firstFields(value, fields, index);
      if (copy !== undefined && read !== undefined) copy[key] = read;
    }
    if (count < countMin) return faults.add('MISSING');
    // More keys than were read means that there are unknown fields or nulls, which a copy leaves out.
    if (copy === undefined && Object.keys(value).length !== count) copy = firstFields(value, fields, fields.length);
    return keepsOthers ? { ...othersOf(value, fields), ...(copy ?? value) } : (copy ?? value);
  };
}

function othersOf(value: object, fields: readonly Field[]): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !fields.some((field) => field.key === key)));
}

function fieldsOf(node: SchemaNode, mode: Mode): readonly Field[] {
  const use = node[USE];
  // An object that is no document is what holds the documents of an answer: what is absent there was not sent.
  const required = new Set(mode === 'lenient' ? (use?.needs ?? []) : node.required);
  const isUsed = (key: string): boolean =>
    mode !== 'lenient' || use === undefined || required.has(key) || use.uses?.includes(key) === true;
  return propertiesOf(node).map(([key, child]) => {
    // A list that is needed must be there: empty is another thing than absent.
    const fallback = mode === 'lenient' && required.has(key) ? undefined : fallbackOf(child.default);
    return { key, readField: compile(child, mode), isRequired: required.has(key), fallback, isUsed: isUsed(key) };
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

function compileMap(node: SchemaNode, mode: Mode): ReadNode {
  const readValue = compile(defined(valueNodeOf(node), 'a map has a shape of its values'), mode);
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
function compileList(node: SchemaNode, mode: Mode): ReadNode {
  const readItem = compile(defined(node.items, 'a list has a shape of its items'), mode);
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node;
  const isApart = mode === 'lenient' && isDocument(node.items);
  return (value, faults) => {
    if (!Array.isArray(value)) return faults.add('WRONG_TYPE');
    if (value.length < minItems || value.length > maxItems) return faults.add('OUT_OF_RANGE');
    const given: readonly unknown[] = value;
    let copy: unknown[] | undefined;
    for (let index = 0; index < given.length && !faults.isFull; index += 1) {
      const before = faults.count;
      const item = given[index];
      let read = isAbsent(item) ? faults.add('MISSING') : readItem(item, faults);
      if (faults.count > before) {
        if (isApart) read = new Unreadable(isObject(read) ? read : {}, faults.cut(before));
        else faults.prefix(before, `[${index}]`);
      }
      if (copy === undefined && read !== item) copy = given.slice(0, index);
      copy?.push(read);
    }
    return copy ?? value;
  };
}

function isDocument(node: SchemaNode | undefined): boolean {
  return node?.[USE] !== undefined || node?.anyOf?.every(isDocument) === true;
}

function compileChoice(shapes: readonly SchemaNode[], mode: Mode): ReadNode {
  const readers = shapes.map((shape) => compile(shape, mode));
  const shapeOf = shapeChooser(shapes);
  return (value, faults) => {
    if (!isObject(value)) return faults.add('WRONG_TYPE');
    return readers[shapeOf(value)]?.(value, faults);
  };
}

function compileText(node: SchemaNode, mode: Mode): ReadNode {
  const wrong = textFault(node, mode);
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
function textFault(node: SchemaNode, mode: Mode): ((value: string) => WireFaultCode | undefined) | undefined {
  if (node.format === 'date-time') return (value) => (isInstantText(value) ? undefined : 'BAD_INSTANT');
  if (node.format === 'date-or-date-time') return (value) => faultCode(instantOrDateFromWire(value));
  if (node.enum !== undefined && mode === 'closed') {
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
  const { minimum, exclusiveMinimum, maximum, 'x-clamp': clamp, 'x-none': none } = node;
  return (value, faults) => {
    // A number above its bound is read as the bound, even if it is larger than any number held exactly, or infinite.
    if (clamp !== undefined && typeof value === 'number' && value > Math.max(clamp, Number.MAX_SAFE_INTEGER))
      return clamp;
    if (typeof value !== 'number' || !isOfType(value))
      return typeof value === 'string' && none?.includes(value) === true ? undefined : faults.add('WRONG_TYPE');
    if (minimum !== undefined && value < minimum) return faults.add('OUT_OF_RANGE');
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return faults.add('OUT_OF_RANGE');
    if (maximum !== undefined && value > maximum) return faults.add('OUT_OF_RANGE');
    return clamp !== undefined && value > clamp ? clamp : value;
  };
}
