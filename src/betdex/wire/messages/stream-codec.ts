/**
 * Converts frames of the stream to messages and back. A message of an unknown type is kept as such and does not make its frame
 * faulty.
 */

import type { Static, TSchema } from '@sinclair/typebox';
import { documentReader, lenientReader, requestReader } from '../../../codec/codec-read.ts';
import { writer } from '../../../codec/codec-write.ts';
import { FaultList, faulty, read, type WireFault, type WireResult } from '../../../codec/fault.ts';
import type { Lenient } from '../../../codec/lenient.ts';
import type { Read, Written } from '../../../codec/notation.ts';
import { isObject } from '../../../codec/schema-node.ts';
import { defined } from '../../../core/checks/assert.ts';
import { CLIENT_MESSAGES, SERVER_MESSAGES, StreamProblem } from './stream.ts';

type Messages = typeof SERVER_MESSAGES;
type MessageType = keyof Messages;

/** A message of a known type as it was read: what the gateway needs of it is there, the rest may be absent, and words may be newer than this client. */
export type ServerMessage = {
  /** What changed: one of the types that can be subscribed to. */
  readonly [T in MessageType]: Omit<Lenient<Messages[T]>, 'type'> & { readonly type: T };
}[MessageType];

/** One message of a frame, a problem, or a message of an unknown type. */
export type FrameItem =
  | { readonly kind: 'message'; readonly message: ServerMessage }
  | { readonly kind: 'problem'; readonly problem: Read<typeof StreamProblem> }
  /** A message of a type that is not in the profile, so it is newer than this client. */
  | { readonly kind: 'unknown'; readonly type: string }
  /** A message that cannot be read: what it said is lost. */
  | { readonly kind: 'faulty'; readonly faults: readonly WireFault[] };

export type ClientMessage = {
  [A in keyof typeof CLIENT_MESSAGES]: Static<(typeof CLIENT_MESSAGES)[A]>;
}[keyof typeof CLIENT_MESSAGES];

type Outgoing = { [T in MessageType]: Written<Messages[T]> }[MessageType] | Written<typeof StreamProblem>;

const serverReaders = mapOf(SERVER_MESSAGES, lenientReader);
const serverWriters = mapOf(SERVER_MESSAGES, writer);
const clientReaders = mapOf(CLIENT_MESSAGES, requestReader);
const clientWriters = mapOf(CLIENT_MESSAGES, writer);
const readProblem = documentReader(StreamProblem);
const writeProblem = writer(StreamProblem);

/**
 * Reads one frame from the server: one message or an array of them. Each is read by itself, so that a faulty one does not affect
 * the others; only a frame that is not JSON is a fault as a whole.
 */
export function serverFrameFromWire(frame: string): WireResult<readonly FrameItem[]> {
  const parsed = parse(frame);
  if (parsed.kind !== 'read') return parsed;
  const isArray = Array.isArray(parsed.value);
  const items: readonly unknown[] = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  return read(items.map((item, index) => readableOr(frameItemOf(item), isArray ? `[${index}]` : '')));
}

function readableOr(item: WireResult<FrameItem>, place: string): FrameItem {
  if (item.kind === 'read') return item.value;
  const faults = new FaultList();
  faults.take(item, place);
  return { kind: 'faulty', faults: faults.all };
}

export function serverMessageToWire(message: Outgoing): unknown {
  return 'type' in message ? writerOf(serverWriters, message.type)(message) : writeProblem(message);
}

/** Most messages that one client frame may hold, because each is answered by itself. */
const CLIENT_FRAME_MESSAGES_MAX = 500;

/**
 * Reads one frame from a client: one message or an array of them (profile section 5). Each is read by itself, so that a faulty
 * one does not affect the others. Only a frame that holds no message at all is a single fault.
 */
export function clientFrameFromWire(frame: string): readonly WireResult<ClientMessage>[] {
  const parsed = parse(frame);
  if (parsed.kind !== 'read') return [parsed];
  if (!Array.isArray(parsed.value)) return [clientMessageOf(parsed.value, '')];
  const items: readonly unknown[] = parsed.value;
  if (items.length === 0 || items.length > CLIENT_FRAME_MESSAGES_MAX) return [faulty('OUT_OF_RANGE')];
  return items.map((item, index) => clientMessageOf(item, `[${index}]`));
}

function clientMessageOf(value: unknown, place: string): WireResult<ClientMessage> {
  const faults = new FaultList();
  const message = faults.take(readClientMessage(value), place);
  // The message is defined unless it left a fault, and then the value is not returned.
  return faults.result(message as ClientMessage);
}

function readClientMessage(value: unknown): WireResult<ClientMessage> {
  if (!isObject(value)) return faulty('WRONG_TYPE');
  const readMessage = clientReaders.get(String(value['action']));
  if (readMessage === undefined) return { kind: 'faults', faults: [{ code: 'UNKNOWN_WORD', path: 'action' }] };
  return readMessage(value) as WireResult<ClientMessage>;
}

export function clientMessageToWire(message: ClientMessage): unknown {
  return writerOf(clientWriters, message.action)(message);
}

function writerOf<W>(writers: ReadonlyMap<string, W>, name: string): W {
  return defined(writers.get(name), `no message is called ${name}`);
}

function frameItemOf(value: unknown): WireResult<FrameItem> {
  if (!isObject(value)) return faulty('WRONG_TYPE');
  const type = value['type'];
  if (type === undefined) {
    const problem = readProblem(value);
    return problem.kind === 'read' ? read({ kind: 'problem', problem: problem.value }) : problem;
  }
  const readMessage = serverReaders.get(String(type));
  if (readMessage === undefined) return read({ kind: 'unknown', type: String(type) });
  const message = readMessage(value);
  return message.kind === 'read' ? read({ kind: 'message', message: message.value as ServerMessage }) : message;
}

function parse(frame: string): WireResult<unknown> {
  try {
    const value: unknown = JSON.parse(frame);
    return read(value);
  } catch {
    return faulty('NOT_JSON');
  }
}

function mapOf<T>(schemas: Readonly<Record<string, TSchema>>, make: (schema: TSchema) => T): ReadonlyMap<string, T> {
  return new Map(Object.entries(schemas).map(([name, schema]) => [name, make(schema)]));
}
