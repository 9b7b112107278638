/** The yardstick of the sandbox benches: the same requests, answered by ready bytes, read as JSON and not looked at. */

import { Pool } from 'undici';
import { claim } from './figure.ts';
import type { EchoAccess, EchoRoute } from './server-message.ts';
import { ServerProcess } from './server-process.ts';

export interface EchoCall {
  readonly method: EchoRoute['method'];
  readonly path: string;
  /** The path with its query. */
  readonly address: string;
}

export interface RecordedAnswer {
  readonly type: string;
  readonly text: string;
}

interface EchoOptions extends EchoCall {
  readonly token: string;
  readonly answer: RecordedAnswer;
  readonly connections: number;
}

export class Echo {
  readonly server: ServerProcess<EchoAccess>;
  readonly #pool: Pool;
  readonly #options: EchoOptions;

  private constructor(server: ServerProcess<EchoAccess>, options: EchoOptions) {
    this.server = server;
    this.#pool = new Pool(server.access.url, { connections: options.connections });
    this.#options = options;
  }

  static async open(options: EchoOptions): Promise<Echo> {
    const { method, path, answer } = options;
    const route: EchoRoute = { method, path, headers: { 'content-type': answer.type }, text: answer.text };
    return new Echo(await ServerProcess.start<EchoAccess>('echo-server', [route]), options);
  }

  async call(body: unknown): Promise<void> {
    const sent = await this.#pool.request(requestOf({ ...this.#options, body }));
    const answer: unknown = await sent.body.json();
    claim(sent.statusCode === 200 && typeof answer === 'object', 'the echo answered otherwise');
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.server.stop();
  }
}

interface Sent extends EchoCall {
  readonly token: string;
  readonly body: unknown;
}

/** The sandbox's own answer to a call, as it leaves. */
export async function recorded(url: string, call: Sent): Promise<RecordedAnswer> {
  const pool = new Pool(url);
  try {
    const { statusCode, headers, body } = await pool.request(requestOf(call));
    const text = await body.text();
    claim(statusCode === 200, `the sandbox answered ${statusCode}: ${text}`);
    return { type: String(headers['content-type']), text };
  } finally {
    await pool.close();
  }
}

/** What our client sends, in the same headers. */
function requestOf({ method, address: path, token, body }: Sent) {
  const headers = ['accept', 'application/json', 'user-agent', 'oddsmith'];
  if (body !== undefined) headers.push('content-type', 'application/json');
  headers.push('authorization', `Bearer ${token}`);
  return { method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
}
