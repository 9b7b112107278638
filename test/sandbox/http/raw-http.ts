/** Sends arbitrary bytes to a server, which HTTP clients cannot, and reads the answers as HTTP. */

import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface Exchange {
  readonly answers: readonly RawAnswer[];
  /** Whether the server closed the connection. */
  readonly closed: boolean;
  readonly elapsedMs: number;
}

type Bytes = string | Buffer;

export interface RawRequest {
  readonly port: number;
  /** Bytes sent at once; a function may send more until `isGone` says that the connection is closed. */
  readonly send: Bytes | ((socket: Socket, isGone: () => boolean) => Promise<void>);
  /** Answers to wait for; 0 waits for the end of the connection. */
  readonly answers?: number;
  readonly timeoutMs?: number;
}

export function exchange({ port, send, answers = 1, timeoutMs = 15_000 }: RawRequest): Promise<Exchange> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let closed = false;
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer within ${timeoutMs} ms, only ${JSON.stringify(text.slice(0, 200))}`));
    }, timeoutMs);
    const finish = () => {
      clearTimeout(timer);
      resolve({ answers: answersIn(text), closed, elapsedMs: performance.now() - started });
      socket.destroy();
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (answers > 0 && answersIn(text).length >= answers) finish();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed = true;
      finish();
    });
    socket.on('connect', () => {
      if (typeof send === 'function') send(socket, () => socket.destroyed).catch(reject);
      else socket.write(send);
    });
  });
}

export interface RawCall {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string | undefined;
}

/** A request of HTTP/1.1 as bytes. A body is sent as JSON with its length, except for what the headers say otherwise. */
export function requestBytes({ method, path, body = '', headers, token }: RawCall): Buffer {
  const all = {
    host: 'sandbox',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body.length === 0
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
    Buffer.from(body),
  ]);
}

/** The complete answers in a text; each must give its length. */
function answersIn(text: string): readonly RawAnswer[] {
  const found: RawAnswer[] = [];
  let rest = text;
  while (true) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return found;
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const status = Number(first.split(' ')[1]);
    if (status === 100) {
      rest = rest.slice(end + 4);
      continue;
    }
    const length = Number(headers.get('content-length') ?? Number.NaN);
    const body = rest.slice(end + 4, end + 4 + length);
    if (Number.isNaN(length) || body.length < length) return found;
    found.push({ status, headers, body: Buffer.from(body, 'latin1').toString('utf8') });
    rest = rest.slice(end + 4 + length);
  }
}
