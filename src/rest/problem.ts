/** Reads the body of a refusal, which may be the exchange's `{title, details}` or anything that stands before it. */

import { STATUS_MEANINGS } from '../wire/responses.ts';
import { isAbsent, isObject } from '../wire/schema-node.ts';
import { jsonOf } from './answer-reader.ts';

export interface RefusalText {
  readonly title: string;
  readonly details: readonly string[];
  /** Who speaks: the exchange, the exchange with orders in its refusal, or somebody before it. */
  readonly speaker: 'exchange' | 'exchangeWithOrders' | 'other';
}

const DETAILS_MAX = 100;

export function readProblem(status: number, body: string): RefusalText {
  const value = jsonOf(body);
  if (!isObject(value)) return { title: meaningOf(status), details: [], speaker: 'other' };
  const { title, details } = value;
  const told = typeof title === 'string' ? title : meaningOf(status);
  return { title: told, details: detailsOf(details), speaker: speakerOf(value) };
}

/** A refused batch has the shape of an answered one, and may lack a title (specification, Errors). */
function speakerOf({ title, orders, _meta }: Readonly<Record<string, unknown>>): RefusalText['speaker'] {
  if (Array.isArray(orders) && orders.length > 0) return 'exchangeWithOrders';
  return typeof title === 'string' || isObject(_meta) ? 'exchange' : 'other';
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
