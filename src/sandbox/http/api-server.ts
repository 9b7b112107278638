/** The sandbox's HTTP server: operations, control surface, documents and stream on one port. */

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type HTTPMethods } from 'fastify';
import { ENDPOINTS } from '../../betdex/wire/endpoints.ts';
import { assert } from '../../core/checks/assert.ts';
import type { StreamLimits } from '../stream/stream-limits.ts';
import { attachStream, type StreamServer } from '../stream/stream-server.ts';
import { type ConnectionLimits, HEADER_BYTES_MAX, httpServer } from './connections.ts';
import { addDocumentPages, DOCUMENT_PATHS } from './document-pages.ts';
import { addOperationRoutes, type OperationRoutes } from './operation-routes.ts';
import { PROBLEM_TITLES, problemText } from './problem-text.ts';
import { addBodyReader } from './request-body.ts';
import { send } from './route-shape.ts';
import { type KnownPath, refuseUnrouted } from './unrouted.ts';

export interface ApiServerOptions extends OperationRoutes {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly version: string;
  readonly control: ControlSurface;
  readonly connections: ConnectionLimits;
  readonly stream: Partial<StreamLimits>;
  /** Called with a failed assertion or any other bug; the sandbox must not continue after it. */
  readonly onBug: (error: unknown) => void;
}

/** The control routes, which the server adds without knowing what they do. */
export interface ControlSurface {
  readonly paths: readonly KnownPath[];
  /** The OpenAPI document of these routes. */
  readonly document: Readonly<Record<string, unknown>>;
  /** Adds the routes. They may cut connections of `stream`. */
  addRoutes(app: FastifyInstance, stream: StreamServer): void;
}

export interface ApiServer {
  /** Host and port as in a URL. */
  readonly address: string;
  readonly stream: StreamServer;
  /** Answers requests that are under way, then stops; connections still open after 2 s are cut. */
  close(): Promise<void>;
}

const CLOSING_MS = 2_000;
const EVERY_METHOD: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

export async function openApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { context, host, port, control } = options;
  const app = framework(options);
  const stream = attachStream(app.server, context, { limits: options.stream, faults: options.faults });
  app.decorateRequest('caller', undefined);
  app.decorateRequest('strike', undefined);
  addBodyReader(app);
  addOperationRoutes(app, options);
  control.addRoutes(app, stream);
  await addDocumentPages(app, { version: options.version, controlDocument: control.document });
  addRefusals(app, [...Object.values(ENDPOINTS), ...control.paths, ...DOCUMENT_PATHS]);
  await app.listen({ host, port });
  const close = async () => {
    const cutting = context.clock.schedule(() => app.server.closeAllConnections(), CLOSING_MS);
    await Promise.all([stream.close(), app.close()]);
    cutting.unsubscribe();
  };
  return { address: addressOf(app.server, host), stream, close };
}

function framework({ connections, context, onBug }: ApiServerOptions): FastifyInstance {
  const app = Fastify({
    serverFactory: (handle) => httpServer(connections, context.clock, handle),
    // The server's own listener answers client errors; Fastify's would answer a second time and cut off the first
    // answer.
    clientErrorHandler: () => undefined,
    frameworkErrors: (error, _, reply) =>
      send(reply, { status: 400, text: problemText(PROBLEM_TITLES[400], [error.message]) }),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: HEADER_BYTES_MAX, querystringParser: (text) => ({ text }) },
  });
  app.setErrorHandler((error, _, reply) => refuseError(error, reply, onBug));
  return app;
}

/** Only Node and Fastify throw errors with a status of their own; any other error is a bug. */
function refuseError(error: unknown, reply: FastifyReply, onBug: (error: unknown) => void): void {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (error instanceof Error && status >= 400 && status < 500) {
    const titles: Readonly<Record<number, string>> = PROBLEM_TITLES;
    send(reply, { status, text: problemText(titles[status] ?? PROBLEM_TITLES[400], [error.message]) });
    return;
  }
  onBug(error);
  send(reply, { status: 500, text: problemText(PROBLEM_TITLES[500], []) });
}

/**
 * Refuses unknown addresses in a hook of a catch-all route, so that no body is read first; methods unknown to Fastify
 * come through the not-found handler.
 */
function addRefusals(app: FastifyInstance, known: readonly KnownPath[]): void {
  const refuse = refuseUnrouted(known);
  const onRequest = (request: FastifyRequest, reply: FastifyReply) => refuse(request, reply);
  app.route({ method: EVERY_METHOD, url: '*', onRequest, handler: refuse });
  app.setNotFoundHandler(refuse);
}

function addressOf(server: Server, host: string): string {
  const bound: AddressInfo | string | null = server.address();
  assert(typeof bound === 'object' && bound !== null, 'a server that listens has an address');
  return `${host.includes(':') ? `[${host}]` : host}:${bound.port}`;
}
