/** Answers requests that no route accepts: 405 with Allow where the path is known, else 404. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEM_TITLES, problemText } from './problem-text.ts';
import { send } from './route-shape.ts';

/** A path with its parameters in braces and one method that it accepts. */
export interface KnownPath {
  readonly method: string;
  readonly path: string;
}

export function refuseUnrouted(known: readonly KnownPath[]): (request: FastifyRequest, reply: FastifyReply) => void {
  const patterns = known.map(({ method, path }) => ({ method, segments: path.split('/') }));
  return (request, reply) => {
    const [path = ''] = (request.raw.url ?? '').split('?');
    const segments = path.split('/');
    const allowed = new Set(patterns.filter((each) => fits(each.segments, segments)).map(({ method }) => method));
    if (allowed.size === 0) {
      send(reply, { status: 404, text: problemText(PROBLEM_TITLES[404], ['no resource has this address']) });
      return;
    }
    const methods = [...allowed].join(', ');
    reply.header('allow', methods);
    send(reply, { status: 405, text: problemText(PROBLEM_TITLES[405], [`this address takes ${methods}`]) });
  };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => part === segments[index] || (part.startsWith('{') && segments[index] !== ''))
  );
}
