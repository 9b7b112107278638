/** Makes documents of an answer odd, as a fault of the control surface asks for: after the answer was checked, and before it is sent. */

import { isObject } from '../../betdex/wire/codec/schema-node.ts';
import type { HttpAnswer } from '../context/http-answer.ts';
import type { OddDocument } from '../context/injected-faults.ts';

/** The answer with these documents made odd; one that it does not hold changes nothing. */
export function oddAnswer({ status, text }: HttpAnswer, odd: readonly OddDocument[]): HttpAnswer {
  if (status !== 200) return { status, text };
  const answer: unknown = JSON.parse(text);
  for (const each of odd) makeOdd(answer, each);
  return { status, text: JSON.stringify(answer) };
}

function makeOdd(answer: unknown, { documents, documentId, field, json }: OddDocument): void {
  const list = within(within(answer, 'documents') ?? answer, documents);
  if (!Array.isArray(list)) return;
  const all: readonly unknown[] = list;
  const document = documentId === undefined ? all[0] : all.find((each) => idOf(each) === documentId);
  const keys = field.split('.');
  const last = keys.pop() ?? '';
  const holder = keys.reduce(within, document);
  if (!isHolder(holder)) return;
  if (json === undefined) delete holder[last];
  else holder[last] = JSON.parse(json);
}

function within(value: unknown, key: string): unknown {
  return isHolder(value) ? value[key] : undefined;
}

/** An object or a list, whose items are found by their index. */
function isHolder(value: unknown): value is Record<string, unknown> {
  return isObject(value) || Array.isArray(value);
}

function idOf(document: unknown): unknown {
  return isObject(document) ? (document['id'] ?? document['marketId'] ?? document['transactionId']) : undefined;
}
