/** The configuration of a run that names no file: the defaults of its schema, which need no reading and no validating. */

import type { Static, TSchema } from '@sinclair/typebox';
import type { LoadedConfig } from './loaded-config.ts';

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
}

/**
 * The configuration that an empty file gives. Alternatives (`anyOf`) have a default of their own or none: nothing inside them is filled in.
 */
export function defaultConfig<S extends TSchema>(schema: S): LoadedConfig<Static<S>> {
  return { value: withDefaults(schema, {}) as Static<S>, where: () => '(defaults)' };
}

function withDefaults(schema: TSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { properties = {}, patternProperties = {} } = schema as TSchema & ObjectSchema;
  const filled: Record<string, unknown> = { ...value };
  for (const [key, part] of Object.entries(properties)) {
    const own = filled[key] ?? structuredClone(part.default);
    if (own !== undefined) filled[key] = withDefaults(part, own);
  }
  for (const [pattern, part] of Object.entries(patternProperties)) {
    for (const [key, own] of Object.entries(filled)) {
      if (new RegExp(pattern, 'u').test(key)) filled[key] = withDefaults(part, own);
    }
  }
  return filled;
}
