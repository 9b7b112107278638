/**
 * The types of Fastify's requests as used here: raw queries, read bodies, and the caller after the session was checked.
 */

import type { FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify';
import type { HttpAnswer } from '../context/http-answer.ts';
import type { Strike } from '../context/injected-faults.ts';
import type { Caller } from '../operations/shared/operation.ts';
import type { RequestBody } from './request-body.ts';

export interface Route extends RouteGenericInterface {
  Params: Record<string, string>;
  /** The raw text of the query. */
  Querystring: { readonly text: string };
  Body: RequestBody | undefined;
}

export type RouteRequest = FastifyRequest<Route>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read; undefined for operations that need no session. */
    caller: Caller | undefined;
    /** The effect of injected faults on this request. */
    strike: Strike | undefined;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function send(reply: FastifyReply, { status, text }: HttpAnswer): void {
  reply.code(status).header('content-type', JSON_TYPE).send(text);
}

/** The path in the router's notation: `/markets/{id}` becomes `/markets/:id`. */
export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
