/** Makes documents of an answer, or messages of the stream, odd, as a fault of the control surface asks for: after they were checked, and before they are sent. */

import { isObject } from '../../codec/schema-node.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { InjectedFaults, OddDocument } from './injected-faults.ts';

export interface FrameFaults {
  readonly faults: InjectedFaults;
  /** The exchange machine's number of the app that the frame goes to. */
  readonly app: number | undefined;
  readonly now: number;
}

/** The answer with these documents made odd; one that it does not hold changes nothing. */
export function oddAnswer({ status, text }: HttpAnswer, odd: readonly OddDocument[]): HttpAnswer {
  if (status !== 200) return { status, text };
  const answer: unknown = JSON.parse(text);
  for (const each of odd) makeOdd(answer, each);
  return { status, text: JSON.stringify(answer) };
}

/** The frame of the stream as the faults that strike it leave it, for this app; an answer to a request has no type, and none strikes it. */
export function oddFrame(text: Buffer, { faults, app, now }: FrameFaults): Buffer {
  if (faults.isQuiet) return text;
  const message: unknown = JSON.parse(text.toString());
  if (!isObject(message) || typeof message['type'] !== 'string') return text;
  const id = String(message['orderId'] ?? message['marketId'] ?? message['walletId'] ?? message['eventId']);
  const odd = faults.strikeMessage({ type: message['type'], id, app }, now);
  for (const each of odd) makeFieldOdd(message, each);
  return odd.length === 0 ? text : Buffer.from(JSON.stringify(message));
}

function makeOdd(answer: unknown, { documents, documentId, field, json }: OddDocument): void {
  const list = within(within(answer, 'documents') ?? answer, documents);
  if (!Array.isArray(list)) return;
  const all: readonly unknown[] = list;
  makeFieldOdd(documentId === undefined ? all[0] : all.find((each) => idOf(each) === documentId), { field, json });
}

function makeFieldOdd(document: unknown, { field, json }: Pick<OddDocument, 'field' | 'json'>): void {
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
