/** Validates what is about to leave against the schema of its status, as a client with a generated model would. */

import type { TSchema } from '@sinclair/typebox';
import { Ajv, type ValidateFunction } from 'ajv';
import { Problem } from '../../betdex/wire/answers.ts';
import type { Endpoint } from '../../betdex/wire/endpoint.ts';
import { responsesOf } from '../../betdex/wire/responses.ts';
import { assert } from '../../core/checks/assert.ts';
import { OWN_SCHEMAS } from '../../core/own-schemas.ts';

/** Fails an assertion on an answer that the document does not describe. */
export type CheckAnswer = (status: number, text: string) => void;

const AJV_OPTIONS = {
  ...OWN_SCHEMAS,
  formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ },
};

/** What a body meets that was sent where the document describes none: the document does not speak of such requests. */
const OF_BODIES: ReadonlySet<number> = new Set([413, 415]);

/** Each schema is compiled when it is first met. */
export function answerCheck(operation: string, endpoint: Endpoint): CheckAnswer {
  const schemas: ReadonlyMap<number, TSchema> = responsesOf(endpoint);
  const validators = new Map<number, ValidateFunction>();
  return (status, text) => {
    const schema = schemas.get(status) ?? (OF_BODIES.has(status) ? Problem : undefined);
    if (schema === undefined) assert(false, `${operation} answered ${status}, which its document does not name`);
    const validate = validators.get(status) ?? new Ajv(AJV_OPTIONS).compile(schema);
    validators.set(status, validate);
    if (validate(JSON.parse(text))) return;
    const faults = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join(', ');
    assert(false, `${operation} answered ${status} in another shape: ${faults} in ${text}`);
  };
}
