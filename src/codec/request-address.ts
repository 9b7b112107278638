/**
 * The address of a request: path parameters and query, written as the vendor's clients write them, and read in all usual
 * spellings.
 */

import type { Static, TObject } from '@sinclair/typebox';
import { defined } from '../core/checks/assert.ts';
import { requestReader } from './codec-read.ts';
import { FaultList, type WireResult } from './fault.ts';
import type { Written } from './notation.ts';
import { type SchemaNode, typeOf } from './schema-node.ts';

/** The values of a query. Every parameter may be left out; the server fills in the defaults. */
export type QueryValues<S extends TObject> = {
  readonly [K in keyof Written<S>]?: Written<S>[K] | undefined;
};

/** Replaces the names in braces by their values. Every character with a meaning in URLs is escaped, also `/`. */
export function pathWithValues(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(defined(values[name], `${path} needs ${name}`)),
  );
}

/**
 * The query without its question mark. A list is one value joined with `%2C`, only `sort` is repeated, and an empty list is
 * `name=` (wire-shapes, encoding). Parameters that the schema does not name are not written.
 */
export function queryToWire<S extends TObject>(schema: S, values: QueryValues<S>): string {
  const given: Readonly<Record<string, unknown>> = values;
  const pairs: string[] = [];
  for (const [name, node] of Object.entries<SchemaNode>(schema.properties)) {
    const value = given[name];
    if (value === undefined) continue;
    const texts = Array.isArray(value) && node['x-repeats'] === true ? value : [value];
    for (const each of texts) pairs.push(`${name}=${encodeURIComponent(String(each))}`);
  }
  return pairs.join('&');
}

/**
 * Makes a reader of queries. It takes decoded names and values in their order; lists may be joined by commas, repeated, or
 * both.
 */
export function queryReader<S extends TObject>(
  schema: S,
): (pairs: Iterable<readonly [string, string]>) => WireResult<Static<S>> {
  const readValues = requestReader(schema);
  const nodes: Readonly<Record<string, SchemaNode>> = schema.properties;
  return (pairs) => {
    const faults = new FaultList();
    const values: Record<string, unknown> = {};
    for (const [name, text] of pairs) {
      const node = Object.hasOwn(nodes, name) ? nodes[name] : undefined;
      if (node === undefined) continue;
      if (typeOf(node) === 'array') values[name] = [...listSoFar(values[name]), ...itemsOf(node, text)];
      else if (Object.hasOwn(values, name)) faults.add('OUT_OF_RANGE', name);
      else if (text !== '') values[name] = scalarOf(node, text);
    }
    const result = readValues(values);
    if (faults.count === 0) return result;
    faults.take(result, '');
    return faults.result<Static<S>>(values);
  };
}

function listSoFar(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function itemsOf(node: SchemaNode, text: string): readonly string[] {
  if (node['x-repeats'] === true) return text === '' ? [] : [text];
  return text.split(',').filter((item) => item !== '');
}

/** Converts a text that spells a number or a boolean; any other text stays a text, which the schema then refuses. */
function scalarOf(node: SchemaNode, text: string): unknown {
  const type = typeOf(node);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  // Decided by the digits: above 2⁵³ a parsed number has no fraction any more that could be refused.
  if (type === 'integer' && /^-?\d+(\.0+)?$/.test(text)) return Number(text);
  return text;
}
