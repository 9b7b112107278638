/**
 * Makes writers from schemas. They write exactly the declared fields, in the schema's order, without undefined ones. A value
 * that lacks a required field or holds another type is our own bug, so it fails an assertion instead of being sent.
 */

import type { TSchema } from '@sinclair/typebox';
import { assert, defined } from '../core/checks/assert.ts';
import type { Written } from './notation.ts';
import {
  firstFields,
  isObject,
  propertiesOf,
  type SchemaNode,
  shapeChooser,
  typeOf,
  valueNodeOf,
} from './schema-node.ts';

/** A writer that returns a plain value for `JSON.stringify`. Fields that the schema does not name are not written. */
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

interface Field {
  readonly key: string;
  readonly writeField: WriteNode;
  readonly isRequired: boolean;
}

/**
 * Writes an object. If it already has exactly the declared fields in the schema's order, it is checked and returned without a
 * copy.
 */
function compileObject(node: SchemaNode, where: string): WriteNode {
  const fields = fieldsOf(node, where);
  return (value) => {
    if (!isObject(value)) assert(false, `${where} is no object`);
    const keys = Object.keys(value);
    let copy: Record<string, unknown> | undefined;
    let inPlace = 0;
    for (let index = 0; index < fields.length; index += 1) {
      const { key, writeField, isRequired } = fields[index] as Field;
      const given = value[key];
      if (given === undefined) {
        if (isRequired) assert(false, `${where}.${key} is missing`);
        continue;
      }
      const written = writeField(given);
      if (copy === undefined && (written !== given || keys[inPlace] !== key)) copy = firstFields(value, fields, index);
      if (copy !== undefined) copy[key] = written;
      inPlace += 1;
    }
    return copy ?? (inPlace === keys.length ? value : firstFields(value, fields, fields.length));
  };
}

function fieldsOf(node: SchemaNode, where: string): readonly Field[] {
  const required = new Set(node.required);
  return propertiesOf(node).map(([key, child]) => {
    return { key, writeField: compile(child, `${where}.${key}`), isRequired: required.has(key) };
  });
}

function compileMap(node: SchemaNode, where: string): WriteNode {
  const writeValue = compile(defined(valueNodeOf(node), 'a map has a shape of its values'), `${where}[]`);
  return (value) => {
    if (!isObject(value)) assert(false, `${where} is no object`);
    return Object.fromEntries(Object.entries(value).map(([key, given]) => [key, writeValue(given)]));
  };
}

function compileList(node: SchemaNode, where: string): WriteNode {
  const writeItem = compile(defined(node.items, 'a list has a shape of its items'), `${where}[]`);
  return (value) => {
    if (!Array.isArray(value)) assert(false, `${where} is no list`);
    const given: readonly unknown[] = value;
    let copy: unknown[] | undefined;
    for (let index = 0; index < given.length; index += 1) {
      const written = writeItem(given[index]);
      if (copy === undefined && written !== given[index]) copy = given.slice(0, index);
      copy?.push(written);
    }
    return copy ?? value;
  };
}

function compileChoice(shapes: readonly SchemaNode[], where: string): WriteNode {
  const writers = shapes.map((shape) => compile(shape, where));
  const shapeOf = shapeChooser(shapes);
  return (value) => {
    if (!isObject(value)) assert(false, `${where} is no object`);
    return writers[shapeOf(value)]?.(value);
  };
}

function compileScalar(node: SchemaNode, where: string): WriteNode {
  const { isOfType, name } = scalarType(typeOf(node));
  const words = node.enum === undefined ? undefined : new Set<unknown>(node.enum);
  return (value) => {
    // The text of the fault is composed only if there is one.
    if (!isOfType(value)) assert(false, `${where} is no ${name}`);
    if (words?.has(value) === false) assert(false, `${where} is none of the words listed`);
    if (node.const !== undefined && value !== node.const) assert(false, `${where} is not ${String(node.const)}`);
    return value;
  };
}

function scalarType(type: string): { readonly isOfType: (value: unknown) => boolean; readonly name: string } {
  if (type === 'integer') return { isOfType: Number.isSafeInteger, name: 'whole number' };
  if (type === 'number') return { isOfType: Number.isFinite, name: 'finite number' };
  return { isOfType: (value) => typeof value === type, name: type };
}
