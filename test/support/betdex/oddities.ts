/** Every way in which one field of a document can be odd, made from the document's shape. */

import { propertiesOf, type SchemaNode, typeOf } from '../../../src/codec/schema-node.ts';

export interface Oddity {
  readonly field: string;
  readonly way: 'absent' | 'null' | 'wrong type' | 'unknown word';
  /** The document with the field made odd. */
  of<T extends object>(document: T): T;
}

export function odditiesOf(shape: SchemaNode): readonly Oddity[] {
  return propertiesOf(shape).flatMap(([field, node]) => {
    const put = (way: Oddity['way'], value: unknown): Oddity => ({
      field,
      way,
      of: (document) => ({ ...document, [field]: value }),
    });
    const absent: Oddity = { field, way: 'absent', of: (document) => without(document, field) };
    const word = node.enum === undefined ? [] : [put('unknown word', 'Melted')];
    return [absent, put('null', null), put('wrong type', wrongFor(node)), ...word];
  });
}

/** A value of another JSON type. A constant is replaced by one that it is not. */
function wrongFor(node: SchemaNode): unknown {
  if (node.const !== undefined) return 7;
  const type = typeOf(node);
  if (type === 'string') return 7;
  return type === 'object' || type === 'array' ? 'text' : { text: 'text' };
}

function without<T extends object>(document: T, field: string): T {
  const { [field]: _odd, ...rest } = document as Record<string, unknown>;
  return rest as T;
}
