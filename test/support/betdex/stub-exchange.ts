/** A real HTTP server on loopback that answers, or fails to answer, as a test says. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { firstValueFrom } from 'rxjs';
import { onTestFinished } from 'vitest';
import type { CallInput } from '../../../src/betdex/client/call.ts';
import type { ClientEvent } from '../../../src/betdex/client/client-event.ts';
import { RestClient } from '../../../src/betdex/client/rest-client.ts';
import type { RestClientOptions } from '../../../src/betdex/client/rest-options.ts';
import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import { Random } from '../../../src/core/number/random.ts';
import type { CallOutcome } from '../../../src/exchange-live/connection/call-outcome.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** The number of the connection on which it came, counted from 1. */
  readonly connection: number;
}

/** `count` is the number of the request, counted from 1 without session requests. */
export type Answering = (response: ServerResponse, received: ReceivedRequest, count: number) => void;

export class StubExchange {
  readonly received: ReceivedRequest[] = [];
  readonly events: ClientEvent[] = [];
  connections = 0;
  sessions = 0;
  readonly #server = createServer((request, response) => this.#take(request, response));
  readonly #numbers = new WeakMap<Socket, number>();
  readonly #sockets = new Set<Socket>();
  readonly #clients: RestClient[] = [];
  #answering: Answering;

  private constructor(answering: Answering) {
    this.#answering = answering;
    this.#server.on('connection', (socket) => {
      this.connections += 1;
      this.#numbers.set(socket, this.connections);
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  /** For one test, at whose end it is closed with its clients. */
  static async start(answering: Answering): Promise<StubExchange> {
    const stub = new StubExchange(answering);
    await new Promise<void>((resolve) => {
      stub.#server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => stub.#close());
    return stub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** All requests other than session requests. */
  get asked(): readonly ReceivedRequest[] {
    return this.received.filter(({ url }) => !url.includes('/sessions'));
  }

  answer(answering: Answering): void {
    this.#answering = answering;
  }

  client(options: Partial<RestClientOptions> = {}): RestClient {
    const client = new RestClient({
      baseUrl: this.url,
      credentials: { appId: 'app-1', apiKey: SECRETS.key },
      clock: wallClock,
      random: Random.fromSeed(3),
      retry: { delayMs: 2, delayMaxMs: 8 },
      onEvent: (event) => this.events.push(event),
      ...options,
    });
    this.#clients.push(client);
    return client;
  }

  /** Cuts all open connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Accepts no more connections; open ones stay. */
  async stopListening(): Promise<void> {
    this.#server.close();
    await new Promise((resolve) => setImmediate(resolve));
  }

  async #close(): Promise<void> {
    for (const client of this.#clients) await client.close();
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders, socket } = request;
      const body = Buffer.concat(chunks).toString();
      const received = { method, url, headers, rawHeaders, body, connection: this.#numbers.get(socket) ?? 0 };
      this.received.push(received);
      if (url.endsWith('/sessions') || url.endsWith('/sessions/refresh')) return this.#openSession(response);
      this.#answering(response, received, this.asked.length);
    });
  }

  #openSession(response: ServerResponse): void {
    this.sessions += 1;
    const session = {
      accessToken: `${SECRETS.access}-${this.sessions}`,
      refreshToken: `${SECRETS.refresh}-${this.sessions}`,
      accessExpiresAt: new Date(Date.now() + 1_800_000).toISOString(),
      refreshExpiresAt: new Date(Date.now() + 604_800_000).toISOString(),
    };
    json(response, 200, { _meta: { _primary_document: 'sessions', _count: 1 }, sessions: [session] });
  }
}

export const SECRETS = { key: 'KEY-5f3c9d', access: 'ACCESS-77aa01', refresh: 'REFRESH-90bb12' };

export const CATEGORIES = { _meta: { _primary_document: 'categories', _count: 0 }, categories: [] };

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function call<O extends Operation>(
  client: RestClient,
  operation: O,
  input: CallInput<O>,
): Promise<CallOutcome<unknown>> {
  return firstValueFrom(client.call(operation, input));
}
