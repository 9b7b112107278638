/** A WebSocket between the stream client and the sandbox that passes frames on, notes them, and can add some. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import WebSocket, { WebSocketServer } from 'ws';
import { CLIENT_MESSAGES, SERVER_MESSAGES, StreamProblem } from '../../../src/betdex/wire/messages/stream.ts';
import type { SchemaNode } from '../../../src/codec/schema-node.ts';
import type { Notebook, Seer } from './notebook.ts';

const PLACE = 'stream';
const serverMessages: Readonly<Record<string, SchemaNode>> = SERVER_MESSAGES;
const clientMessages: Readonly<Record<string, SchemaNode>> = CLIENT_MESSAGES;

/** What shows that the sandbox took a client's message. */
const TAKEN_BY: Readonly<Record<string, string>> = {
  AuthenticationUpdate: 'authenticate',
  SubscribeUpdate: 'subscribe',
  UnsubscribeUpdate: 'unsubscribe',
};

export class StreamSeam {
  readonly url: string;
  /** Sent to the sandbox before the client's first frame of the next connection. */
  before: string | undefined;
  readonly #server: WebSocketServer;
  readonly #target: string;
  readonly #notes: Notebook;
  #upstream: WebSocket | undefined;
  readonly #asked = new Map<string, unknown>();

  private constructor(server: WebSocketServer, target: string, notes: Notebook) {
    this.#server = server;
    this.#target = target;
    this.#notes = notes;
    this.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    server.on('connection', (client) => this.#join(client));
  }

  static async open(target: string, notes: Notebook): Promise<StreamSeam> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    return new StreamSeam(server, target, notes);
  }

  /** A frame that the client did not send. */
  inject(frame: string): void {
    this.#upstream?.send(frame);
  }

  close(): void {
    for (const client of this.#server.clients) client.terminate();
    this.#server.close();
  }

  #join(client: WebSocket): void {
    const upstream = new WebSocket(this.#target);
    this.#upstream = upstream;
    const opened = once(upstream, 'open');
    upstream.on('message', (data) => {
      const text = data.toString();
      this.#noteServer(text);
      client.send(text);
    });
    client.on('message', async (data) => {
      await opened;
      const first = this.before;
      this.before = undefined;
      if (first !== undefined) upstream.send(first);
      this.#noteClient(data.toString());
      upstream.send(data.toString());
    });
    upstream.on('close', () => client.terminate());
    client.on('close', () => upstream.terminate());
    upstream.on('error', () => client.terminate());
  }

  #noteClient(text: string): void {
    const message = JSON.parse(text);
    this.#asked.set(message.action, message);
    this.#noteAsked('client', message);
  }

  #noteServer(text: string): void {
    const frame = JSON.parse(text);
    for (const message of Array.isArray(frame) ? frame : [frame]) {
      noteMessage(this.#notes, 'sandbox', message);
      const asked = this.#asked.get(TAKEN_BY[message.type] ?? '');
      if (asked !== undefined) this.#noteAsked('sandbox', asked);
    }
  }

  #noteAsked(seer: Seer, message: unknown): void {
    const node = clientMessages[(message as { readonly action: string }).action];
    if (node !== undefined) this.#notes.noteValue(seer, { node, value: message }, { place: PLACE });
  }
}

/** A message of the sandbox: as it came, or as the client read it. */
export function noteMessage(notes: Notebook, seer: Seer, message: { readonly type?: string }): void {
  const node: SchemaNode | undefined = message.type === undefined ? StreamProblem : serverMessages[message.type];
  if (node !== undefined) notes.noteValue(seer, { node, value: message }, { place: PLACE });
}
