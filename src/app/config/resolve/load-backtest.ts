/** Reads the backtest configuration that the user named. */

import type { Static, TSchema } from '@sinclair/typebox';
import { type BacktestConfig, BacktestConfigSchema } from '../../../backtest/options/backtest-schema.ts';
import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import { readConfigFile } from '../yaml/config-file.ts';
import { ofKind } from '../yaml/config-kind.ts';

/** The configuration of the file, or the defaults if none is named. The code that reads and validates a file takes as long to load as a short backtest. */
export async function loadBacktest(path: string | undefined): Promise<LoadedConfig<BacktestConfig>> {
  if (path === undefined) return defaultConfig(BacktestConfigSchema);
  const text = readConfigFile(path);
  const { parseConfig } = await import('../yaml/yaml-config.ts');
  return ofKind('backtest', { text, file: path }, () => parseConfig(text, path, BacktestConfigSchema));
}

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
