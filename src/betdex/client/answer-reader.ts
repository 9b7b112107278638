/** Reads the body of a successful answer with a codec for each operation, which is made when it is first needed. */

import type { Answer } from '../wire/answers.ts';
import { documentReader, lenientReader } from '../wire/codec/codec-read.ts';
import { faulty, type WireResult } from '../wire/codec/fault.ts';
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
  const made: Reader = reading === 'strict' ? documentReader(answer.schema) : lenientReader(answer.schema);
  readers[reading].set(operation, made);
  return made;
}
