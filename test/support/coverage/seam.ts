/** The transport between the typed client and the network, which notes every request and reply as the wire had them. */

import type { Endpoint } from '../../../src/betdex/wire/endpoint.ts';
import { ENDPOINTS, type Operation } from '../../../src/betdex/wire/endpoints.ts';
import type { SchemaNode } from '../../../src/codec/schema-node.ts';
import type { Sending, Transport, WireReply, WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import { item, type Notebook, type Seer } from './notebook.ts';

/** Makes a request into another one, as a client with a fault in it would. */
export type Spoil = (request: WireRequest) => WireRequest;

const OPERATIONS = Object.keys(ENDPOINTS) as Operation[];

export class Seam implements Transport {
  /** None where undefined; what it changes is not noted as the client's. */
  spoil: Spoil | undefined;
  readonly #inner: Transport;
  readonly #notes: Notebook;

  constructor(inner: Transport, notes: Notebook) {
    this.#inner = inner;
    this.#notes = notes;
  }

  send(request: WireRequest, hear: (reply: WireReply) => void): Sending {
    const operation = operationOf(request);
    const isSession = operation === 'createSession' || operation === 'refreshSession';
    const isSpoiled = this.spoil !== undefined && (!isSession || this.spoilsSessions);
    return this.#inner.send(isSpoiled && this.spoil !== undefined ? this.spoil(request) : request, (reply) => {
      if (reply.kind === 'reply') this.#noteReply(operation, reply.status, reply.body);
      // What was accepted is what was answered with success.
      if (reply.kind === 'reply' && reply.status === 200 && !isSpoiled)
        for (const seer of ['client', 'sandbox'] as const) noteRequest(this.#notes, seer, { operation, request });
      hear(reply);
    });
  }

  /** Whether the calls that open and continue the client's session are spoiled too. */
  spoilsSessions = false;

  close(): Promise<void> {
    return this.#inner.close();
  }

  #noteReply(operation: Operation, status: number, body: string): void {
    this.#notes.note('sandbox', item.answered(operation, status), operation);
    if (status === 200) noteAnswer(this.#notes, 'sandbox', { operation, answer: JSON.parse(body) });
    else noteProblem(this.#notes, 'sandbox', { operation, status, problem: JSON.parse(body) });
  }
}

/** Of a success: as it came, or as the client read it. */
export function noteAnswer(
  notes: Notebook,
  seer: Seer,
  { operation, answer }: { readonly operation: Operation; readonly answer: unknown },
): void {
  const endpoint: Endpoint = ENDPOINTS[operation];
  const node = endpoint.answer.schema as SchemaNode;
  notes.noteValue(
    seer,
    { node, value: answer },
    { place: operation, itemOf: (path) => item.inAnswer(operation, path) },
  );
}

/** A refusal counts only with what every refusal has; a batch's must have the batch's shape too. */
export function noteProblem(
  notes: Notebook,
  seer: Seer,
  refusal: {
    readonly operation: Operation;
    readonly status: number;
    readonly problem: Readonly<Record<string, unknown>>;
  },
): void {
  const { operation, status, problem } = refusal;
  const endpoint: Endpoint = ENDPOINTS[operation];
  if (typeof problem['title'] !== 'string' || !Array.isArray(problem['details'])) return;
  for (const key of ['title', 'details']) notes.note(seer, item.field('Problem', key), operation);
  if (seer === 'sandbox' && endpoint.failsInShape) {
    const isInShape = Object.keys(endpoint.answer.schema.properties).every((key) => Object.hasOwn(problem, key));
    if (isInShape) notes.note(seer, `${item.answered(operation, status)} in shape`, operation);
  }
}

function noteRequest(
  notes: Notebook,
  seer: Seer,
  { operation, request }: { readonly operation: Operation; readonly request: WireRequest },
): void {
  const endpoint: Endpoint = ENDPOINTS[operation];
  const { pathname, searchParams } = new URL(request.path, 'http://any.invalid');
  for (const name of Object.keys(patternOf(endpoint).exec(pathname)?.groups ?? {}))
    notes.note(seer, item.inRequest(operation, 'path', name), operation);
  for (const [name, text] of searchParams) {
    const node: SchemaNode | undefined = endpoint.query?.properties[name];
    if (node === undefined) continue;
    notes.note(seer, item.inRequest(operation, 'query', name), operation);
    const words = node.items ?? node;
    if (words.enum === undefined) continue;
    for (const word of text.split(',')) notes.note(seer, item.word(words.title ?? '', word), operation);
  }
  if (endpoint.body === undefined || request.body === undefined) return;
  const itemOf = (path: string) => item.inRequest(operation, 'body', path);
  notes.noteValue(seer, { node: endpoint.body, value: JSON.parse(request.body) }, { place: operation, itemOf });
}

const patterns = new Map<Endpoint, RegExp>();

function patternOf(endpoint: Endpoint): RegExp {
  const known = patterns.get(endpoint);
  if (known !== undefined) return known;
  const made = new RegExp(`^${endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  patterns.set(endpoint, made);
  return made;
}

/** Literal paths go before those with parameters, as in the server's router. */
export function operationOf({ method, path }: Pick<WireRequest, 'method' | 'path'>): Operation {
  const { pathname } = new URL(path, 'http://any.invalid');
  const fitting = OPERATIONS.filter((each) => {
    const endpoint: Endpoint = ENDPOINTS[each];
    return endpoint.method === method && patternOf(endpoint).test(pathname);
  });
  const [best] = fitting.sort((a, b) => bracesIn(a) - bracesIn(b));
  if (best === undefined) throw new Error(`no operation is ${method} ${path}`);
  return best;
}

function bracesIn(operation: Operation): number {
  return ENDPOINTS[operation].path.split('{').length;
}
