/** Reads the body of a success: a codec for each operation, made when it is first needed. */

import type { Answer } from '../wire/answers.ts';
import { documentReader } from '../wire/codec/codec-read.ts';
import { faultText, faulty, type WireResult } from '../wire/codec/fault.ts';
import { ENDPOINTS, type Operation } from '../wire/endpoints.ts';

type Reader = (value: unknown) => WireResult<unknown>;

const readers = new Map<Operation, Reader>();

/** More faults than these are not told. */
const FAULTS_SHOWN = 3;

export function readAnswer(operation: Operation, body: string): WireResult<unknown> {
  const value = jsonOf(body);
  return value === undefined ? faulty('NOT_JSON') : readerOf(operation)(value);
}

/** What is wrong with it, in one line; never a value from it. */
export function faultsText(result: WireResult<unknown>): string {
  if (result.kind === 'read') return '';
  const shown = result.faults.slice(0, FAULTS_SHOWN).map(faultText).join('; ');
  const others = result.faults.length - FAULTS_SHOWN;
  return others > 0 ? `${shown}; and ${others} more` : shown;
}

/** Undefined where it is no JSON: JSON itself has no such value. */
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
