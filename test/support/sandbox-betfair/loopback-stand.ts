/** A Betfair sandbox on loopback and raw clients of it: HTTPS, the control surface, and lines of the stream. */

import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect, type TLSSocket } from 'node:tls';
import { expect } from 'vitest';
import { API_PATHS } from '../../../src/betfair/wire/envelope.ts';
import { OPERATIONS, type Operation } from '../../../src/betfair/wire/operations.ts';
import { type BetfairSandbox, openBetfairSandbox } from '../../../src/sandbox-betfair/betfair-sandbox.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { answerFaults } from './answer-check.ts';
import { StreamReader } from './stream-reader.ts';

interface Answered {
  /** Undefined where the connection was cut. */
  readonly status: number | undefined;
  readonly text: string;
  readonly retryAfter: string | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers as a bot does.
type Json = any;

export class LoopbackStand {
  readonly sandbox: BetfairSandbox;
  readonly #ca: string;
  readonly #clients: StreamClient[] = [];

  constructor(sandbox: BetfairSandbox) {
    this.sandbox = sandbox;
    this.#ca = readFileSync(sandbox.authorityFile, 'utf8');
  }

  send(
    path: string,
    body = '',
    { method = 'POST', headers = {} }: { readonly method?: string; readonly headers?: Record<string, string> } = {},
  ): Promise<Answered> {
    const { url } = this.sandbox;
    return new Promise((resolve) => {
      const sent = request(`${url}${path}`, { ca: this.#ca, method, headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        const { statusCode: status, headers: got } = response;
        response.on('end', () => resolve({ status, text, retryAfter: got['retry-after'] }));
      });
      sent.on('error', () => resolve({ status: undefined, text: '', retryAfter: undefined }));
      sent.end(body);
    });
  }

  /** A request to the control surface; it must be done. */
  async control(method: string, path: string, body?: object): Promise<Json> {
    const headers = { authorization: `Bearer ${this.sandbox.controlKey}` };
    const said = await this.send(`/control${path}`, body === undefined ? '' : JSON.stringify(body), {
      method,
      headers,
    });
    expect(said.status, said.text).toBe(200);
    return JSON.parse(said.text);
  }

  async loginAnswer(username = 'mary'): Promise<Json> {
    const form = `username=${username}&password=secret`;
    const { text } = await this.send('/api/login', form, { headers: { 'X-Application': 'app' } });
    return JSON.parse(text);
  }

  async login(username = 'mary'): Promise<LoopbackBot> {
    const { token } = await this.loginAnswer(username);
    return new LoopbackBot(this, String(token));
  }

  async stream(): Promise<StreamClient> {
    const port = Number(this.sandbox.streamAddress.split(':').at(-1));
    const client = new StreamClient(port, this.#ca);
    this.#clients.push(client);
    await expect.poll(() => client.reader.messages.length).toBe(1);
    return client;
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.socket.destroy();
    await this.sandbox.close();
  }
}

export class LoopbackBot {
  readonly token: string;
  readonly #stand: LoopbackStand;

  constructor(stand: LoopbackStand, token: string) {
    this.#stand = stand;
    this.token = token;
  }

  /** What came of a call: its checked result, its exception's code, a status other than 200, or 'cut'. */
  async call(operation: Operation, params: object): Promise<Json> {
    const { api } = OPERATIONS[operation];
    const body = JSON.stringify({ jsonrpc: '2.0', method: `${api}/v1.0/${operation}`, params, id: 1 });
    const headers = { 'X-Application': 'app', 'X-Authentication': this.token };
    const { status, text } = await this.#stand.send(API_PATHS[api].rpc, body, { headers });
    if (status === undefined) return 'cut';
    if (status !== 200) return status;
    const { result, error } = JSON.parse(text);
    if (error !== undefined) return error.data?.APINGException?.errorCode ?? error.message;
    expect(answerFaults(operation, result)).toEqual([]);
    return result;
  }
}

/** A client of the stream whose every line is checked. */
export class StreamClient {
  readonly reader: StreamReader;
  readonly socket: TLSSocket;
  isOver = false;
  #rest = '';

  constructor(port: number, ca: string, reader = new StreamReader()) {
    this.reader = reader;
    this.socket = connect({ port, host: '127.0.0.1', ca, servername: 'stream-api.betfair.com' });
    this.socket.setEncoding('utf8');
    this.socket.on('data', (text) => {
      const parts = (this.#rest + String(text)).split('\r\n');
      this.#rest = parts.pop() ?? '';
      for (const line of parts) this.reader.read(line);
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.isOver = true;
    });
  }

  get messages(): readonly Json[] {
    return this.reader.messages;
  }

  /** Sends a request, and gives what came next. */
  async ask(message: object): Promise<Json> {
    const before = this.messages.length;
    this.socket.write(`${JSON.stringify(message)}\r\n`);
    await expect.poll(() => this.messages.length > before || this.isOver).toBe(true);
    return this.messages[before];
  }

  authenticate({ token }: Pick<LoopbackBot, 'token'>): Promise<Json> {
    return this.ask({ op: 'authentication', id: 1, appKey: 'app', session: token });
  }
}

export async function openLoopback(): Promise<LoopbackStand> {
  const onBug = (error: unknown) => expect.fail(String(error));
  const authorityDirectory = temporaryDirectory('authority');
  return new LoopbackStand(await openBetfairSandbox({ clock: wallClock, authorityDirectory, onBug }));
}
