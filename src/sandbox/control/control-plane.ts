/** Serves the control surface under /control to clients that have its key. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { InjectedFaults } from '../context/injected-faults.ts';
import type { LiveContext } from '../context/live-context.ts';
import type { ControlSurface } from '../http/api-server.ts';
import { type Route, type RouteRequest, routerPath, send } from '../http/route-shape.ts';
import type { KnownPath } from '../http/unrouted.ts';
import { APP_CONTROL } from './app-endpoints.ts';
import { BETDEX_CONTROL } from './betdex-control.ts';
import { CATALOGUE_CONTROL } from './catalogue-endpoints.ts';
import { carrierOf, controlProblem, keyCheck, NO_KEY, type RawControlCall } from './control-call.ts';
import { controlDocument } from './control-document.ts';
import type { AnyControlEndpoint, ControlTools } from './control-endpoint.ts';
import { EVENT_CONTROL } from './event-endpoints.ts';
import type { FaceControl } from './face-control.ts';
import { faultControl, STREAM_CONTROL } from './fault-endpoints.ts';
import { MARKET_CONTROL } from './market-endpoints.ts';
import { STATE_CONTROL } from './state-endpoints.ts';

/** All endpoints of a face's control surface. */
export function controlEndpoints({ faults, endpoints }: FaceControl): readonly AnyControlEndpoint[] {
  return [
    ...STATE_CONTROL,
    ...APP_CONTROL,
    ...CATALOGUE_CONTROL,
    ...EVENT_CONTROL,
    ...MARKET_CONTROL,
    ...faultControl(faults),
    ...STREAM_CONTROL,
    ...endpoints,
  ];
}

/** Those of BetDEX's face. */
export const CONTROL_ENDPOINTS = controlEndpoints(BETDEX_CONTROL);

const CONTROL_PATHS: readonly KnownPath[] = CONTROL_ENDPOINTS.map(({ method, path }) => ({
  method,
  path: `/control${path}`,
}));

const CONTROL_DOCUMENT = controlDocument(CONTROL_ENDPOINTS);

export interface ControlPlane {
  readonly context: LiveContext;
  readonly faults: InjectedFaults;
  /** The bearer token that every control request must carry. */
  readonly key: string;
}

/** The control surface in the form in which the HTTP server takes it. */
export function controlSurface({ context, faults, key }: ControlPlane): ControlSurface {
  return {
    paths: CONTROL_PATHS,
    document: CONTROL_DOCUMENT,
    addRoutes: (app, stream) => addControlRoutes(app, { context, faults, stream, names: BETDEX_CONTROL.names }, key),
  };
}

function addControlRoutes(app: FastifyInstance, tools: ControlTools, key: string): void {
  const isAllowed = keyCheck(key);
  const onRequest = (request: RouteRequest, reply: FastifyReply, done: () => void) => {
    if (isAllowed(request.raw.headers.authorization ?? '')) return done();
    reply.header('www-authenticate', 'Bearer');
    return send(reply, controlProblem(401, [NO_KEY]));
  };
  for (const endpoint of CONTROL_ENDPOINTS) {
    const carryOut = carrierOf(endpoint, tools);
    app.route<Route>({
      method: endpoint.method,
      url: `/control${routerPath(endpoint.path)}`,
      onRequest,
      handler: (request, reply) => send(reply, carryOut(rawCall(request))),
    });
  }
}

function rawCall({ params: path, query, body }: RouteRequest): RawControlCall {
  return { path, queryText: query.text, body };
}
