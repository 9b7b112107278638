/** The sandbox's HTTP server: operations, control surface, documents and stream on one port. */

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type HTTPMethods } from 'fastify';
import { ENDPOINTS, type Operation } from '../../betdex/wire/endpoints.ts';
import { openApiDocument } from '../../betdex/wire/openapi.ts';
import { assert } from '../../core/checks/assert.ts';
import type { HttpAnswer } from '../context/http-answer.ts';
import { oddAnswer } from '../context/odd-answer.ts';
import type { Operate, Operations } from '../operations/shared/operation.ts';
import type { StreamLimits } from '../stream/stream-limits.ts';
import { attachStream, type StreamServer } from '../stream/stream-server.ts';
import { type Admission, admission, cutOff } from './admission.ts';
import { type ConnectionLimits, HEADER_BYTES_MAX, httpServer } from './connections.ts';
import { PROBLEM_TITLES, problemText } from './problem-text.ts';
import { addBodyReader } from './request-body.ts';
import { type Route, type RouteRequest, send } from './route-shape.ts';
import { type ServedOperation, servedOperation } from './served-operation.ts';
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

interface DocumentPages {
  readonly version: string;
  /** The OpenAPI document of the control surface. */
  readonly controlDocument: Readonly<Record<string, unknown>>;
}

const DOCUMENT_PATHS: readonly KnownPath[] = [
  { method: 'GET', path: '/' },
  { method: 'GET', path: '/openapi.json' },
  { method: 'GET', path: '/control/openapi.json' },
  { method: 'GET', path: '/docs' },
];

/** Pages for people: an index, the OpenAPI documents, and Swagger UI over them, served from local files. */
async function addDocumentPages(app: FastifyInstance, { version, controlDocument }: DocumentPages): Promise<void> {
  const index = JSON.stringify({
    name: 'oddsmith sandbox',
    version,
    openapi: '/openapi.json',
    docs: '/docs',
    control: '/control/openapi.json',
    stream: '/',
  });
  // A relative address works under whatever name the sandbox is reached.
  const servers = [{ url: '/' }];
  const api = { ...openApiDocument(), servers };
  const texts = {
    '/': index,
    '/openapi.json': JSON.stringify(api),
    '/control/openapi.json': JSON.stringify({ ...controlDocument, servers }),
  };
  for (const [path, text] of Object.entries(texts)) app.get(path, (_, reply) => send(reply, { status: 200, text }));
  const info = { title: 'oddsmith sandbox', version };
  await app.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.0', info, paths: {}, ...api } },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: {
      urls: [
        { url: '/openapi.json', name: 'Exchange' },
        { url: '/control/openapi.json', name: 'Control' },
      ],
    },
  });
}

interface OperationRoutes extends Admission {
  readonly operations: Operations;
  /** Whether each answer is validated against the OpenAPI document before it is sent. */
  readonly checksAnswers: boolean;
}

/** Adds the routes of all operations of the exchange, made from the table of endpoints. */
function addOperationRoutes(app: FastifyInstance, options: OperationRoutes): void {
  for (const served of servedOperations(options)) {
    const { method, url } = served;
    app.route<Route>({ method, url, onRequest: admission(served, options), handler: handler(served) });
  }
}

function servedOperations(options: OperationRoutes): readonly ServedOperation[] {
  const serve = <O extends Operation>(name: O, operate: Operate<O>) => servedOperation(name, operate, options);
  return operationNames().map((name) => serve(name, options.operations[name]));
}

function operationNames(): readonly Operation[] {
  return Object.keys(ENDPOINTS).filter((name): name is Operation => Object.hasOwn(ENDPOINTS, name));
}

function handler({ carryOut }: ServedOperation): (request: RouteRequest, reply: FastifyReply) => void {
  const outcomeOf = (request: RouteRequest): HttpAnswer => {
    const { caller, params: path, body } = request;
    return carryOut({ caller, path, queryText: request.query.text, body });
  };
  return (request, reply) => {
    const { strike } = request;
    if (strike === undefined) return send(reply, outcomeOf(request));
    const plain = strike.frozen === undefined ? outcomeOf(request) : frozenOutcome(strike.frozen, request, outcomeOf);
    const outcome = strike.odd.length === 0 ? plain : oddAnswer(plain, strike.odd);
    if (strike.drop === 'after') cutOff(request, reply);
    else send(reply, outcome);
  };
}

/** The most answers that one fault keeps; beyond it current answers are sent, so that memory stays bounded. */
const FROZEN_MAX = 10_000;

/**
 * The frozen answer, or the current one, which is then kept. The key holds caller and address, so that callers see only
 * their own answers.
 */
function frozenOutcome(
  frozen: Map<string, HttpAnswer>,
  request: RouteRequest,
  outcomeOf: (request: RouteRequest) => HttpAnswer,
): HttpAnswer {
  const key = `${request.caller?.app} ${request.caller?.wallet} ${request.raw.url}`;
  const known = frozen.get(key);
  if (known !== undefined) return known;
  const outcome = outcomeOf(request);
  if (outcome.status === 200 && frozen.size < FROZEN_MAX) frozen.set(key, outcome);
  return outcome;
}
