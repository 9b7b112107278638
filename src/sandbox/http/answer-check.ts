/** Validates what is about to leave against the schema of its status, as a client with a generated model would. */

import { Ajv, type ValidateFunction } from 'ajv';
import { assert } from '../../core/assert.ts';
import type { Endpoint } from '../../wire/endpoint.ts';
import { responsesOf } from '../../wire/responses.ts';

/** Fails an assertion on an answer that the document does not describe. */
export type CheckAnswer = (status: number, text: string) => void;

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Statuses of HTTP itself, which no endpoint lists: their body is a plain problem. */
export function answerCheck(operation: string, endpoint: Endpoint): CheckAnswer {
  const ajv = new Ajv({ strict: false, formats: { 'date-time': DATE_TIME } });
  const validators = new Map<number, ValidateFunction>();
  for (const [status, schema] of responsesOf(endpoint)) validators.set(status, ajv.compile(schema));
  return (status, text) => {
    const validate = validators.get(status);
    if (validate === undefined) assert(false, `${operation} answered ${status}, which its document does not name`);
    else if (!validate(JSON.parse(text)))
      assert(false, `${operation} answered ${status} in another shape: ${ajv.errorsText(validate.errors)} in ${text}`);
  };
}
