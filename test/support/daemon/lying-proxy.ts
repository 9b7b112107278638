/** Stands before a sandbox and passes every request on; what comes back is what a test makes of the exchange's answer. */

import { createServer, request } from 'node:http';
import { listenOnLoopback } from '../loopback.ts';

export interface ProxiedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export interface ProxiedCall {
  /** As `POST /orders/batch`. */
  readonly act: string;
  /** Path and query. */
  readonly url: string;
}

/** `answer` is the exchange's own: the request was carried out by then. */
export type Lie = (
  answer: ProxiedAnswer,
  call: ProxiedCall,
) => (ProxiedAnswer & { readonly afterMs?: number }) | undefined;

export interface LyingProxy {
  readonly url: string;
  /** Returns the false answer; if it is absent or returns undefined, the answer passes as it is. */
  lie: Lie | undefined;
  /** These requests do not reach the exchange: the lie is made of an empty answer. */
  swallows: ((act: string) => boolean) | undefined;
  /** Where requests go; a sandbox that was started again may listen elsewhere. */
  target: string;
}

export const NOT_FOUND_PAGE: ProxiedAnswer = {
  status: 404,
  contentType: 'text/html',
  body: '<html><body><h1>404 Not Found</h1></body></html>',
};

export async function openLyingProxy(target: string): Promise<LyingProxy> {
  const state: Pick<LyingProxy, 'lie' | 'swallows' | 'target'> = { lie: undefined, swallows: undefined, target };
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    const { host: _host, ...headers } = incoming.headers;
    if (state.swallows?.(`${method} ${url}`) === true) {
      incoming.resume();
      const empty = { status: 200, contentType: 'application/json', body: '{}' };
      const { status, contentType, body } = state.lie?.(empty, { act: `${method} ${url}`, url }) ?? empty;
      outgoing.writeHead(status, { 'content-type': contentType });
      outgoing.end(body);
      return;
    }
    const outward = request(new URL(url, state.target), { method, headers }, (inward) => {
      const chunks: Buffer[] = [];
      inward.on('data', (chunk: Buffer) => chunks.push(chunk));
      inward.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8');
        const contentType = inward.headers['content-type'] ?? '';
        const answer = { status: inward.statusCode ?? 502, contentType, body };
        const told = state.lie?.(answer, { act: `${method} ${url.split('?')[0]}`, url }) ?? answer;
        const { date = new Date().toUTCString() } = inward.headers;
        const say = (): void => {
          outgoing.writeHead(told.status, { 'content-type': told.contentType, date });
          outgoing.end(told.body);
        };
        if ('afterMs' in told && told.afterMs !== undefined) setTimeout(say, told.afterMs);
        else say();
      });
    });
    outward.on('error', () => outgoing.destroy());
    incoming.pipe(outward);
  });
  return Object.assign(state, { url: await listenOnLoopback(server) });
}
