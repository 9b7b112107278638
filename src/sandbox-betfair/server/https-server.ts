/** The HTTPS server of the face: limits of size and time, and a client's certificate where it shows one. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { assert } from '../../core/checks/assert.ts';
import type { HttpAnswer } from '../../sandbox/context/http-answer.ts';
import type { ControlRequest } from '../../sandbox/control/control-call.ts';
import type { Clock } from '../../time/clock.ts';
import type { BetfairFace } from '../face/betfair-face.ts';
import type { ServerCertificate } from './certificates.ts';
import type { Arrive } from './exchange-time.ts';

export interface HttpsOptions {
  readonly face: Pick<BetfairFace, 'answer'>;
  /** Answers what is asked below /control. */
  readonly control: (request: ControlRequest) => HttpAnswer;
  readonly clock: Clock;
  readonly arrive: Arrive;
  readonly certificate: ServerCertificate;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly onBug: (error: unknown) => void;
}

export interface HttpsServer {
  /** Host and port as in a URL. */
  readonly address: string;
  /** Answers requests that are under way, then stops; connections still open after 2 s are cut. */
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 1_048_576;
const HEADER_BYTES_MAX = 16_384;
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const IDLE_MS = 75_000;
const CLOSING_MS = 2_000;

export async function openHttpsServer(options: HttpsOptions): Promise<HttpsServer> {
  const { certificate, clock, host, port } = options;
  const server = createServer(
    {
      key: certificate.key,
      cert: certificate.certificate,
      // It is asked for and never judged: whoever shows one may log in with it.
      requestCert: true,
      rejectUnauthorized: false,
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: IDLE_MS,
    },
    (request, response) => receive(request, response, options),
  );
  server.timeout = IDLE_MS;
  // Bytes that are no request, and clients that do not trust the authority, end their own connections.
  server.on('tlsClientError', (_, socket) => socket.destroy());
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  const close = async () => {
    const cutting = clock.schedule(() => server.closeAllConnections(), CLOSING_MS);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
    cutting.unsubscribe();
  };
  return { address: addressOf(server, host), close };
}

function addressOf(server: Server, host: string): string {
  const bound: AddressInfo | string | null = server.address();
  assert(typeof bound === 'object' && bound !== null, 'a server that listens has an address');
  return `${host.includes(':') ? `[${host}]` : host}:${bound.port}`;
}

function receive(request: IncomingMessage, response: ServerResponse, options: HttpsOptions): void {
  const { face, control, arrive, onBug } = options;
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('error', () => response.destroy());
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= BODY_BYTES_MAX) chunks.push(chunk);
  });
  request.on('end', () => {
    if (length > BODY_BYTES_MAX) return send(response, { status: 413, text: '' });
    try {
      const asked = requestOf(request, Buffer.concat(chunks).toString('utf8'));
      if (asked.path.startsWith('/control/')) {
        const authorization = request.headers.authorization ?? '';
        const { method, path, body } = asked;
        const ask = () => control({ ...asked, authorization });
        return send(response, arrive({ kind: 'control', method, path, body, authorization }, ask));
      }
      const complete = () => {
        // A fault cuts the connection: no answer came.
        if (!response.headersSent) request.socket.destroy();
      };
      // What a client asked for is carried out to its end, also when the client is gone.
      const next = (answer: HttpAnswer) => send(response, answer);
      const ask = () => face.answer(asked).subscribe({ next, error: onBug, complete });
      arrive({ kind: 'request', request: asked }, ask);
    } catch (error) {
      onBug(error);
      send(response, { status: 500, text: '' });
    }
  });
}

function requestOf({ method = 'GET', url = '/', headers, socket }: IncomingMessage, text: string) {
  const [path = '/', query = ''] = url.split('?', 2);
  // Betfair's own samples in C# and Java log in with the form in the address, and without a body.
  const body = text === '' ? query : text;
  return {
    method,
    path,
    application: headerOf(headers['x-application']),
    authentication: headerOf(headers['x-authentication']),
    body,
    hasCertificate: Object.keys((socket as TLSSocket).getPeerCertificate()).length > 0,
  };
}

function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function send(response: ServerResponse, { status, text, retryAfterS }: HttpAnswer): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    // Exactly this: some clients compare it as a whole.
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
  });
  response.end(text);
}
