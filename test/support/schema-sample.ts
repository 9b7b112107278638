/** Values that a JSON Schema allows, made by walking it: the smallest, and the one with everything. */

import type { SchemaNode } from '../../src/codec/schema-node.ts';

export function schemaSample(node: SchemaNode, full: boolean): unknown {
  if (node.const !== undefined) return node.const;
  if (node.anyOf !== undefined) return schemaSample(node.anyOf[full ? 0 : 1] ?? {}, full);
  const type = Array.isArray(node.type) ? node.type[0] : node.type;
  if (type === 'boolean') return false;
  if (type === 'integer') return 3;
  if (type === 'number') return 0.25;
  if (type === 'string') return textSample(node, full);
  if (type === 'array') return full ? listSample(node) : [];
  if (type !== 'object') throw new Error(`no sample of ${String(type)}`);
  const [value] = Object.values(node.patternProperties ?? {});
  if (value !== undefined) return full ? { '1': schemaSample(value, full) } : {};
  const keys = Object.keys(node.properties ?? {}).filter((key) => full || node.required?.includes(key));
  return Object.fromEntries(keys.map((key) => [key, schemaSample(node.properties?.[key] ?? {}, full)]));
}

/** One item of each shape that the list allows. */
function listSample(node: SchemaNode): unknown {
  return (node.items?.anyOf ?? [node.items ?? {}]).map((shape) => schemaSample(shape, true));
}

function textSample(node: SchemaNode, full: boolean): string {
  if (node.format === 'date-time') return '2031-12-01T00:00:00.000Z';
  return node.enum?.at(full ? -1 : 0) ?? 'text';
}
