/** Reads the body of a refusal as title and details, whether the exchange wrote it or a proxy in front of it. */

import { isAbsent, isObject } from '../../codec/schema-node.ts';
import { STATUS_MEANINGS } from '../wire/responses.ts';

/** The texts of a refusal. */
export interface RefusalText {
  readonly title: string;
  readonly details: readonly string[];
}

const DETAILS_MAX = 100;

/** `value`: the parsed body, undefined if it was not JSON. */
export function readProblem(status: number, value: unknown): RefusalText {
  if (!isObject(value)) return { title: meaningOf(status), details: [] };
  const { title, details } = value;
  return { title: typeof title === 'string' ? title : meaningOf(status), details: detailsOf(details) };
}

function detailsOf(value: unknown): readonly string[] {
  if (isAbsent(value)) return [];
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  return given.slice(0, DETAILS_MAX).map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
}

function meaningOf(status: number): string {
  const meanings: Readonly<Record<number, string>> = STATUS_MEANINGS;
  return meanings[status] ?? `status ${status}`;
}
