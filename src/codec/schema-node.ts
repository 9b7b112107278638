/** The part of JSON Schema in which the API's shapes are written, as the codecs read it. */

import { assert } from '../core/checks/assert.ts';
import { type DocumentUse, USE } from './document-use.ts';

export interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly items?: SchemaNode;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** The shape of every value of a map, under a pattern that accepts all keys. */
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly anyOf?: readonly SchemaNode[];
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  /** Counted in Unicode characters, as JSON Schema does. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  /** Texts that stand where there is no number, such as NaN: they are read as absent. */
  readonly 'x-none'?: readonly string[];
  /** Larger numbers are read as this one. */
  readonly 'x-clamp'?: number;
  /** True for a list that a query writes by repeating its name; other lists are joined by commas. */
  readonly 'x-repeats'?: boolean;
  /** The value as which an absent one is read. */
  readonly default?: unknown;
  /** How the lenient reader reads it; absent on objects that are no documents. */
  readonly [USE]?: DocumentUse;
}

/** The JSON type. A null beside it means that null is read as absent, which every optional field allows, so it is left out. */
export function typeOf(node: SchemaNode): string {
  if (typeof node.type === 'string') return node.type;
  return node.type?.find((each) => each !== 'null') ?? 'none';
}

export function valueNodeOf(node: SchemaNode): SchemaNode | undefined {
  return node.patternProperties === undefined ? undefined : Object.values(node.patternProperties)[0];
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** Chooses among several shapes the one that is known by a key of the value; else the one that declares most of its keys, and among equals the first. */
export function shapeChooser(shapes: readonly SchemaNode[]): (value: Readonly<Record<string, unknown>>) => number {
  const keysByShape = shapes.map((shape) => new Set(Object.keys(shape.properties ?? {})));
  const knownBy = shapes.map((shape) => shape[USE]?.knownBy);
  return (value) => {
    const known = knownBy.findIndex((key) => key !== undefined && !isAbsent(value[key]));
    if (known >= 0) return known;
    const keys = Object.keys(value);
    let nearest = 0;
    let most = -1;
    for (let shape = 0; shape < keysByShape.length; shape += 1) {
      const declared = countIn(keysByShape[shape], keys);
      // No other shape can declare more keys.
      if (declared === keys.length) return shape;
      if (declared > most) {
        most = declared;
        nearest = shape;
      }
    }
    return nearest;
  };
}

function countIn(known: ReadonlySet<string> | undefined, keys: readonly string[]): number {
  let count = 0;
  for (const key of keys) if (known?.has(key)) count += 1;
  return count;
}

/** A new object with the first `count` fields that are present, in the schema's order. */
export function firstFields(
  value: Readonly<Record<string, unknown>>,
  fields: readonly { readonly key: string }[],
  count: number,
): Record<string, unknown> {
  const first: Record<string, unknown> = {};
  for (const { key } of fields.slice(0, count)) {
    const given = value[key];
    if (!isAbsent(given)) first[key] = given;
  }
  return first;
}

/**
 * The keys of an object's shape with their schemas. Keys that every object inherits are not among them, so that a plain lookup
 * is safe.
 */
export function propertiesOf(node: SchemaNode): readonly (readonly [string, SchemaNode])[] {
  const properties = Object.entries(node.properties ?? {});
  for (const [key] of properties) assert(!(key in Object.prototype), `${key} would be found in every object`);
  return properties;
}
