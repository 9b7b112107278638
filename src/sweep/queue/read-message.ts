/** What stands in Redis: anyone who reaches the server may have written it, so each text is checked before it is used. */

import { type TSchema, Type } from '@sinclair/typebox';
import { Ajv, type ValidateFunction } from 'ajv';
import { OWN_SCHEMAS } from '../../core/own-schemas.ts';
import type { CoordinatorRecord, SweepRecord, WorkerRecord } from './queue-keys.ts';

export const string = Type.String();
export const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** What the text says, as JSON of this schema; undefined for what says none. A schema is compiled when it is first needed. */
export function readerOf<T>(schema: TSchema): (said: unknown) => T | undefined {
  let accepts: ValidateFunction<T> | undefined;
  return (said) => {
    accepts ??= new Ajv(OWN_SCHEMAS).compile<T>(schema);
    const value = parsed(said);
    return accepts(value) ? value : undefined;
  };
}

export const readSweep = readerOf<SweepRecord>(
  Type.Object({ sweep: string, label: string, build: string, node: count }),
);

export const readWorker = readerOf<WorkerRecord>(
  Type.Object({
    ...{ worker: string, host: string, pid: count, jobs: count, build: string, node: count },
    refused: Type.Optional(string),
  }),
);

export const readCoordinator = readerOf<CoordinatorRecord>(
  Type.Object({ coordinator: string, host: string, pid: count }),
);

function parsed(said: unknown): unknown {
  if (typeof said !== 'string') return undefined;
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
}
