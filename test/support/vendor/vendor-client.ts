/**
 * A stranger's client of the exchange, after the encoding and the strict check of the appendix of wire shapes. It shares
 * no code with ours: plain `node:http`, its own encoding, the hand-written strict checker.
 */

import http from 'node:http';
import { envelopeFaults } from '../envelope.ts';
import { CALLED_ANSWERS, OTHER_ANSWERS, strictFaults } from '../wire-strict.ts';

// biome-ignore lint/suspicious/noExplicitAny: a stranger's client reads plain JSON, and the strict check is its type.
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers: http.IncomingHttpHeaders;
}

type QueryValue = string | number | boolean | Date | readonly string[];

export interface CallOptions {
  /** Fills the braces of the path. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly sort?: readonly string[];
  readonly body?: unknown;
}

export class VendorClient {
  token: string | undefined;
  /** How many answers passed the strict check. */
  checked = 0;
  readonly #base: URL;
  readonly #agent = new http.Agent({ keepAlive: true });

  constructor(url: string) {
    this.#base = new URL(url);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** An answer below 400 must pass the strict check; others are given as they are. */
  async call(endpoint: string, options: CallOptions = {}): Promise<Answer> {
    const [method = 'GET', template = '/'] = endpoint.split(' ');
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(options.path?.[name] ?? ''));
    const query = queryText(options);
    const answer = await this.#send(method, query === '' ? path : `${path}?${query}`, options.body);
    if (answer.status >= 400) return answer;
    const shape = CALLED_ANSWERS.get(endpoint) ?? OTHER_ANSWERS.get(endpoint);
    if (shape === undefined) throw new Error(`no shape is known of ${endpoint}`);
    const faults = [...strictFaults(shape, answer.body), ...envelopeFaults(answer.body)];
    if (faults.length > 0) throw new Error(`${endpoint}: ${faults.slice(0, 5).join(' · ')}`);
    this.checked += 1;
    return answer;
  }

  /** Opens a session and bears its token from now on. */
  async login(appId: string, apiKey: string, walletId?: string): Promise<Json> {
    const body = { appId, apiKey, ...(walletId === undefined ? {} : { walletId }) };
    const { status, body: answer } = await this.call('POST /sessions', { body });
    if (status >= 400) throw new Error(`no session: ${status} ${JSON.stringify(answer)}`);
    this.token = answer.sessions[0].accessToken;
    return answer.sessions[0];
  }

  #send(method: string, path: string, body: unknown): Promise<Answer> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers: Record<string, string | number> = { accept: 'application/json' };
    if (this.token !== undefined) headers['authorization'] = `Bearer ${this.token}`;
    if (text !== undefined) {
      headers['content-type'] = 'application/json';
      headers['content-length'] = Buffer.byteLength(text);
    } else if (method === 'DELETE') headers['content-length'] = 0;
    const { hostname, port } = this.#base;
    return new Promise((resolve, reject) => {
      const request = http.request({ hostname, port, method, path, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          try {
            const parsed: Json = JSON.parse(Buffer.concat(chunks).toString());
            resolve({ status: response.statusCode ?? 0, body: parsed, headers: response.headers });
          } catch (error) {
            reject(new Error(`${method} ${path}: no JSON: ${String(error)}`));
          }
        });
      });
      request.on('error', reject);
      request.end(text);
    });
  }
}

function queryText({ query = {}, sort = [] }: CallOptions): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(textOf(value))}`);
  return [...pairs, ...sort.map((each) => `sort=${encodeURIComponent(each)}`)].join('&');
}

function textOf(value: QueryValue): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.join(',') : String(value);
}
