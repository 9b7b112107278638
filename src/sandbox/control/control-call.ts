/** Carries out a control endpoint: reads the body by its schema, operates, and writes the answer. */

import { writer } from '../../codec/codec-write.ts';
import type { HttpAnswer } from '../context/http-answer.ts';
import { callReader, type RawCall } from '../http/call-reader.ts';
import { PROBLEM_TITLES, type ProblemStatus, problemText } from '../http/problem-text.ts';
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

export function controlProblem(status: ProblemStatus, details: readonly string[]): HttpAnswer {
  return { status, text: problemText(PROBLEM_TITLES[status], details) };
}
