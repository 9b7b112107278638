/**
 * Writers made from schemas: exactly the declared fields, undefined ones left out, in the schema's order. A value that
 * lacks a required field or holds another type is our own bug, so it fails an assertion rather than reach the wire.
 */

import type { TSchema } from '@sinclair/typebox';
import { assert, present } from '../core/assert.ts';
import type { Written } from './notation.ts';
import { isObject, type SchemaNode, shapeChooser, typeOf, valueNodeOf } from './schema-node.ts';

/** Gives a plain value for `JSON.stringify`. Fields of the value that the schema does not name are not written. */
export function writer<S extends TSchema>(schema: S): (value: Written<S>) => unknown {
  return compile(schema, schema.title ?? 'document');
}

type WriteNode = (value: unknown) => unknown;

function compile(node: SchemaNode, where: string): WriteNode {
  if (node.anyOf !== undefined) return compileChoice(node.anyOf, where);
  const type = typeOf(node);
  if (type === 'object') return valueNodeOf(node) === undefined ? compileObject(node, where) : compileMap(node, where);
  if (type === 'array') return compileList(node, where);
  return compileScalar(node, where);
}

function compileObject(node: SchemaNode, where: string): WriteNode {
  const required = new Set(node.required);
  const fields = Object.entries(node.properties ?? {}).map(([key, child]) => ({
    key,
    writeField: compile(child, `${where}.${key}`),
    isRequired: required.has(key),
  }));
  return (value) => {
    assert(isObject(value), `${where} is no object`);
    const result: Record<string, unknown> = {};
    for (const { key, writeField, isRequired } of fields) {
      const given = value[key];
      if (given !== undefined) result[key] = writeField(given);
      else assert(!isRequired, `${where}.${key} is missing`);
    }
    return result;
  };
}

function compileMap(node: SchemaNode, where: string): WriteNode {
  const writeValue = compile(present(valueNodeOf(node), 'a map has a shape of its values'), `${where}[]`);
  return (value) => {
    assert(isObject(value), `${where} is no object`);
    return Object.fromEntries(Object.entries(value).map(([key, given]) => [key, writeValue(given)]));
  };
}

function compileList(node: SchemaNode, where: string): WriteNode {
  const writeItem = compile(present(node.items, 'a list has a shape of its items'), `${where}[]`);
  return (value) => {
    assert(Array.isArray(value), `${where} is no list`);
    return value.map(writeItem);
  };
}

function compileChoice(shapes: readonly SchemaNode[], where: string): WriteNode {
  const writers = shapes.map((shape) => compile(shape, where));
  const shapeOf = shapeChooser(shapes);
  return (value) => {
    assert(isObject(value), `${where} is no object`);
    return writers[shapeOf(value)]?.(value);
  };
}

function compileScalar(node: SchemaNode, where: string): WriteNode {
  const type = typeOf(node);
  return (value) => {
    if (type === 'integer') assert(Number.isSafeInteger(value), `${where} is no whole number`);
    else if (type === 'number') assert(Number.isFinite(value), `${where} is no finite number`);
    else assert(typeof value === type, `${where} is no ${type}`);
    if (node.enum !== undefined) assert(node.enum.includes(String(value)), `${where} is none of the words listed`);
    if (node.const !== undefined) assert(value === node.const, `${where} is not ${String(node.const)}`);
    return value;
  };
}
