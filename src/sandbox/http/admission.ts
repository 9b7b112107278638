/** Checks a request before its body is read: the session, the rate limit, and injected faults. */

import type { FastifyReply } from 'fastify';
import type { InjectedFaults, Strike } from '../context/injected-faults.ts';
import type { SandboxContext } from '../context/sandbox-context.ts';
import { callerOfToken } from '../operations/accounts/session-token.ts';
import { PROBLEM_TITLES, type ProblemStatus } from './problem-text.ts';
import type { RateLimiter } from './rate-limit.ts';
import { type RouteRequest, send } from './route-shape.ts';
import type { ServedOperation } from './served-operation.ts';

export interface Admission {
  readonly context: SandboxContext;
  readonly faults: InjectedFaults;
  readonly rate: RateLimiter | undefined;
}

type Hook = (request: RouteRequest, reply: FastifyReply, done: () => void) => void;

const BEARER = /^Bearer +(\S+) *$/i;

/** The hook of one operation: it sets `caller` and `strike` of the request, or answers it. */
export function admission(served: ServedOperation, { context, faults, rate }: Admission): Hook {
  const { operation, isOpen } = served;
  return (request, reply, done) => {
    const caller = isOpen ? undefined : callerOf(context, request.raw.headers.authorization);
    if (caller === undefined && !isOpen) {
      reply.header('www-authenticate', 'Bearer');
      return refuse(served, reply, 401, 'the access token is missing, unknown or expired');
    }
    request.caller = caller;
    const waitS = rate?.takeCall(caller?.app, context.now());
    if (waitS !== undefined) return refuseForNow(served, reply, 429, waitS);
    if (faults.isQuiet) return done();
    const strike = faults.strike({ operation, url: request.raw.url ?? '', app: caller?.app }, context.now());
    if (strike === undefined) return done();
    request.strike = strike;
    if (strike.delayMs === 0) return applyStrike(served, strike, { request, reply, done });
    context.clock.schedule(() => applyStrike(served, strike, { request, reply, done }), strike.delayMs);
  };
}

function callerOf(context: SandboxContext, authorization: string | undefined) {
  const token = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  return token === undefined ? undefined : callerOfToken(context, token);
}

function applyStrike(
  served: ServedOperation,
  { status, drop }: Strike,
  { request, reply, done }: { readonly request: RouteRequest; readonly reply: FastifyReply; readonly done: () => void },
): void {
  if (status !== undefined) refuseForNow(served, reply, status.status, status.retryAfterS);
  else if (drop === 'before') cutOff(request, reply);
  else done();
}

/** Closes the connection instead of answering. */
export function cutOff(request: RouteRequest, reply: FastifyReply): void {
  reply.hijack();
  request.raw.socket.destroy();
}

function refuse({ writeProblem }: ServedOperation, reply: FastifyReply, status: ProblemStatus, detail: string): void {
  send(reply, { status, text: writeProblem(PROBLEM_TITLES[status], [detail]) });
}

function refuseForNow({ writeProblem }: ServedOperation, reply: FastifyReply, status: number, waitS?: number): void {
  if (waitS !== undefined) reply.header('retry-after', String(waitS));
  const [title, detail] =
    status === 429
      ? [PROBLEM_TITLES[429], 'the app is over the configured rate']
      : [PROBLEM_TITLES[503], 'a fault asked for by the control surface'];
  send(reply, { status, text: writeProblem(title, [detail]) });
}
