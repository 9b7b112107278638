/** A server that is in front of another one: what is asked of it is asked of that one. */

import { type RequestListener, request as requestOf } from 'node:http';

export function createForwarder(url: string): RequestListener {
  return (request, response) => {
    const { method, headers } = request;
    const passed = requestOf(new URL(request.url ?? '/', url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passed);
  };
}
