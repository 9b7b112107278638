/** Reads the body of a successful answer with a codec for each operation, which is made when it is first needed. */

import { documentReader, lenientReader } from '../../codec/codec-read.ts';
import { faulty, type WireResult } from '../../codec/fault.ts';
import { isObject } from '../../codec/schema-node.ts';
import type { Answer } from '../wire/answers.ts';
import { ENDPOINTS, type Operation } from '../wire/endpoints.ts';

/** Whether one faulty document makes the whole answer faulty, or each is read by itself. */
export type Reading = 'strict' | 'lenient';
type Reader = (value: unknown) => WireResult<unknown>;

const readers = { strict: new Map<Operation, Reader>(), lenient: new Map<Operation, Reader>() };

/** Reads the body of a success of this operation: its document, or the faults in it. Never throws. */
export function readAnswer(operation: Operation, body: string, reading: Reading): WireResult<unknown> {
  const value = jsonOf(body);
  return value === undefined ? faulty('NOT_JSON') : readerOf(operation, reading)(value);
}

/** The parsed value, or undefined where the text is not JSON: JSON itself cannot spell undefined. */
export function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function readerOf(operation: Operation, reading: Reading): Reader {
  const known = readers[reading].get(operation);
  if (known !== undefined) return known;
  const answer: Answer = ENDPOINTS[operation].answer;
  const made: Reader = reading === 'strict' ? documentReader(answer.schema) : lenientAnswerReader(answer);
  readers[reading].set(operation, made);
  return made;
}

/** What has no part of the answer is no answer of the API, and no empty list: somebody before the exchange spoke. */
function lenientAnswerReader({ schema }: Answer): Reader {
  const read = lenientReader(schema);
  const parts = Object.keys(schema.properties);
  return (value) => {
    const isForeign = isObject(value) && !parts.some((part) => isObject(value[part]) || Array.isArray(value[part]));
    return isForeign ? faulty('MISSING', '_meta') : read(value);
  };
}
