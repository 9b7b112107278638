/** Reads the body of a successful answer with a codec for each operation, which is made when it is first needed. */

import type { Answer } from '../wire/answers.ts';
import { documentReader } from '../wire/codec/codec-read.ts';
import { faultText, faulty, type WireResult } from '../wire/codec/fault.ts';
import { ENDPOINTS, type Operation } from '../wire/endpoints.ts';

type Reader = (value: unknown) => WireResult<unknown>;

const readers = new Map<Operation, Reader>();

/** At most this many faults are named in a text; the others are only counted. */
const FAULTS_SHOWN = 3;

/** Reads the body of a success of this operation: its document, or the faults in it. Never throws. */
export function readAnswer(operation: Operation, body: string): WireResult<unknown> {
  const value = jsonOf(body);
  return value === undefined ? faulty('NOT_JSON') : readerOf(operation)(value);
}

/** Says in one line what is wrong with an answer. The text never holds a value from the answer. */
export function faultsText(result: WireResult<unknown>): string {
  if (result.kind === 'read') return '';
  const shown = result.faults.slice(0, FAULTS_SHOWN).map(faultText).join('; ');
  const others = result.faults.length - FAULTS_SHOWN;
  return others > 0 ? `${shown}; and ${others} more` : shown;
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

function readerOf(operation: Operation): Reader {
  const known = readers.get(operation);
  if (known !== undefined) return known;
  const answer: Answer = ENDPOINTS[operation].answer;
  const made: Reader = documentReader(answer.schema);
  readers.set(operation, made);
  return made;
}
