/** The Node HTTP server below Fastify: limits of size and time, and answers to bytes that are no request. */

import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../time/clock.ts';
import { type ProblemStatus, statusProblemText } from './problem-text.ts';

/** The longest address in characters (profile section 2). */
const URL_LENGTH_MAX = 7_000;
/** Bytes of the address and the headers together. */
export const HEADER_BYTES_MAX = 16_384;

export interface ConnectionLimits {
  /** Time for the headers of a request, from the opening of the connection or the end of the request before. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Time without a byte in either direction. */
  readonly idleMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = { headersMs: 10_000, requestMs: 30_000, idleMs: 75_000 };

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** How long a refused connection is still read, so that a client that is still sending can read the answer. */
const LINGER_MS = 1_000;
const CHECK_MS = 500;
const FLOODS: Readonly<Record<string, ProblemStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

export function httpServer(limits: ConnectionLimits, clock: Clock, handle: Handler): Server {
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: Math.min(CHECK_MS, limits.headersMs),
      // Node would answer without a body; the check below answers with one.
      requireHostHeader: false,
    },
    (request, response) => {
      const refusal = refusalOf(request);
      if (refusal === undefined) handle(request, response);
      else if (!hasReadableEnd(request)) answerLast(response, refusal);
      else answer(response, refusal.status, refusal.detail);
    },
  );
  server.timeout = limits.idleMs;
  // The bytes of headers are limited already. Node's default limit on their number differs between versions.
  server.maxHeadersCount = 0;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseBytes(error, socket, clock));
  server.on('checkExpectation', (_, response: ServerResponse) =>
    answer(response, 417, 'only 100-continue is understood'),
  );
  server.on('connect', (_, socket) => refuse(socket, 405, 'this is no proxy', clock));
  return server;
}

interface Refusal {
  readonly status: ProblemStatus;
  readonly detail: string;
}

function refusalOf(request: IncomingMessage): Refusal | undefined {
  if ((request.url ?? '').length > URL_LENGTH_MAX)
    return { status: 414, detail: `an address has at most ${URL_LENGTH_MAX} characters` };
  if (request.headers.host === undefined && request.httpVersion === '1.1')
    return { status: 400, detail: 'the Host header is missing' };
  if (!hasReadableEnd(request)) return { status: 400, detail: 'a coded body must end in the coding chunked' };
  return undefined;
}

/**
 * Whether the end of the body can be found. If the last transfer coding is not chunked it cannot (RFC 9112, 6.3): the
 * request is answered with 400 and the connection closed.
 */
function hasReadableEnd(request: IncomingMessage): boolean {
  const codings = request.headers['transfer-encoding'];
  return codings === undefined || /(^|,)[ \t]*chunked[ \t]*$/i.test(codings);
}

/** Sockets answered for the last time. Node's parser fails on them afterwards, and they must not be answered again. */
const answeredLast = new WeakSet<Duplex>();

function answerLast(response: ServerResponse, { status, detail }: Refusal): void {
  if (response.socket !== null) answeredLast.add(response.socket);
  response.setHeader('connection', 'close');
  answer(response, status, detail);
}

function answer(response: ServerResponse, status: ProblemStatus, detail: string): void {
  const text = statusProblemText(status, detail);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** Answers bytes that Node's parser could not read as a request, or a request that did not arrive in time. */
function refuseBytes(error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex, clock: Clock): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (answeredLast.has(socket)) return readOn(socket, clock);
  const flood = FLOODS[error.code ?? ''];
  if (flood === undefined) return refuse(socket, 400, 'the bytes are no HTTP request', clock);
  const isLongAddress =
    flood === 431 && /^[A-Z]+ [^\r\n]*$/.test(error.rawPacket?.toString('latin1', 0, URL_LENGTH_MAX) ?? '');
  const status = isLongAddress ? 414 : flood;
  refuse(socket, status, DETAILS[status] ?? '', clock);
}

const DETAILS: Readonly<Partial<Record<ProblemStatus, string>>> = {
  408: 'the request did not come in time',
  413: 'the extensions of a chunk are too large',
  414: `an address has at most ${URL_LENGTH_MAX} characters`,
  431: `the headers have at most ${HEADER_BYTES_MAX} bytes`,
};

function refuse(socket: Duplex, status: ProblemStatus, detail: string, clock: Clock): void {
  const text = statusProblemText(status, detail);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n`;
  readOn(socket, clock);
  socket.end(`${head}Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`);
}

/**
 * Reads and drops what still arrives, for a while: closing a socket with unread bytes would reset it before the client
 * has read the answer.
 */
function readOn(socket: Duplex, clock: Clock): void {
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
  socket.on('error', () => socket.destroy());
  socket.resume();
  clock.schedule(() => socket.destroy(), LINGER_MS);
}
