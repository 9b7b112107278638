/** Carries out a control endpoint: reads the body by its schema, operates, and writes the answer. */

import { timingSafeEqual } from 'node:crypto';
import { writer } from '../../codec/codec-write.ts';
import type { HttpAnswer } from '../context/http-answer.ts';
import { callReader, type RawCall } from '../http/call-reader.ts';
import { PROBLEM_TITLES, type ProblemStatus, problemText } from '../http/problem-text.ts';
import { controlDocument } from './control-document.ts';
import type { AnyControlEndpoint, ControlTools } from './control-endpoint.ts';

export interface RawControlCall extends RawCall {
  /** The parameters of the path. */
  readonly path: Readonly<Record<string, string>>;
}

export function carrierOf(endpoint: AnyControlEndpoint, tools: ControlTools): (call: RawControlCall) => HttpAnswer {
  const read = callReader(endpoint.body === undefined ? {} : { body: endpoint.body });
  const write = writer(endpoint.answer);
  return ({ path, queryText, body }) => {
    const call = read({ queryText, body });
    if (call.kind === 'refused') return controlProblem(call.status, call.details);
    const reply = endpoint.operate({ ...tools, path, body: call.body });
    if (reply.kind === 'problem') return controlProblem(reply.status, [reply.detail]);
    return { status: 200, text: JSON.stringify(write(reply.answer)) };
  };
}

/** A request below /control, without its socket. */
export interface ControlRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  /** Empty where there was none. */
  readonly body: string;
}

/** Answers requests below /control to whoever has the key, for a server that has no router of its own. */
export function controlAnswers(
  endpoints: readonly AnyControlEndpoint[],
  tools: ControlTools,
  key: string,
): (request: ControlRequest) => HttpAnswer {
  const isAllowed = keyCheck(key);
  const routes = endpoints.map((endpoint) => {
    const pattern = endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    return { endpoint, path: new RegExp(`^/control${pattern}$`), carryOut: carrierOf(endpoint, tools) };
  });
  const document = JSON.stringify(controlDocument(endpoints));
  return ({ method, path, authorization, body }) => {
    if (method === 'GET' && path === DOCUMENT_PATH) return { status: 200, text: document };
    if (!isAllowed(authorization)) return controlProblem(401, [NO_KEY]);
    for (const route of routes) {
      const found = route.endpoint.method === method ? route.path.exec(path) : null;
      if (found !== null) return route.carryOut({ path: { ...found.groups }, queryText: '', body: bodyOf(body) });
    }
    return controlProblem(404, [`there is no ${method} ${path}`]);
  };
}

const DOCUMENT_PATH = '/control/openapi.json';

function bodyOf(text: string): RawCall['body'] {
  if (text === '') return undefined;
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch {
    return { kind: 'malformed' };
  }
}

export const NO_KEY = 'the control key is missing or wrong';

/** Whether a header has the key. */
export function keyCheck(key: string): (authorization: string) => boolean {
  const expected = Buffer.from(`Bearer ${key}`);
  return (authorization) => {
    const given = Buffer.from(authorization);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
}

export function controlProblem(status: ProblemStatus, details: readonly string[]): HttpAnswer {
  return { status, text: problemText(PROBLEM_TITLES[status], details) };
}
