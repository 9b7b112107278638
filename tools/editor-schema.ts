/** The JSON Schema that editors read for completion: the checker's schema, with keys that have a default optional. */

import type { TSchema } from '@sinclair/typebox';
import { RecordConfigSchema } from '../src/app/config/schema/record-schema.ts';
import { RunConfigSchema } from '../src/app/config/schema/run-schema.ts';
import { withSides } from '../src/app/config/schema/sides.ts';
import { BacktestConfigSchema } from '../src/backtest/options/backtest-schema.ts';
import { SweepConfigSchema } from '../src/sweep/space/read/sweep-schema.ts';

/** The texts of the files in config/, by name. */
export const EDITOR_SCHEMAS: Readonly<Record<string, () => string>> = {
  'backtest.schema.json': () => editorSchemaText(BacktestConfigSchema),
  'record.schema.json': () => editorSchemaText(RecordConfigSchema),
  'run.schema.json': () => editorSchemaText(RunConfigSchema),
  'sweep.schema.json': () => editorSchemaText(SweepConfigSchema),
};

export function editorSchemaText(from: TSchema): string {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...Object(optionalDefaults(JSON.parse(JSON.stringify(withSides(from))))),
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

function optionalDefaults(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(optionalDefaults);
  if (typeof node !== 'object' || node === null) return node;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) copy[key] = optionalDefaults(value);
  const properties: Record<string, unknown> = Object(copy['properties']);
  if (Array.isArray(copy['required'])) {
    const required = copy['required'].filter((key) => !('default' in Object(properties[String(key)])));
    if (required.length > 0) copy['required'] = required;
    else delete copy['required'];
  }
  return copy;
}
