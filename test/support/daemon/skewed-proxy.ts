/** Stands before a sandbox and passes everything on, with another clock in the Date header; and counts what would trade. */

import { createServer, request } from 'node:http';
import { listenOnLoopback } from '../loopback.ts';

export interface SkewedProxy {
  readonly url: string;
  /** Requests that could have created an order or armed anything, as `METHOD path`. */
  readonly acts: readonly string[];
  /** Of the exchange's clock, ahead of ours. */
  skewMs: number;
  /** From now on sessions are refused. */
  refuses: boolean;
  /** Answers to this, as `METHOD path`, never come back, and the exchange has done it. */
  withholds: string | undefined;
}

const READS_ONLY = /^(GET .*|POST \/sessions(\/refresh)?)$/;

export async function openSkewedProxy(target: string): Promise<SkewedProxy> {
  const acts: string[] = [];
  const state: Pick<SkewedProxy, 'skewMs' | 'refuses' | 'withholds'> = {
    ...{ skewMs: 0, refuses: false, withholds: undefined },
  };
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    const act = `${method} ${url.split('?')[0]}`;
    if (!READS_ONLY.test(act)) acts.push(act);
    if (state.refuses && act !== 'GET /') {
      outgoing.writeHead(401, { 'content-type': 'application/json' });
      incoming.resume();
      outgoing.end('{"title":"Unauthorized","details":["the key was revoked"]}');
      return;
    }
    const { host: _host, ...headers } = incoming.headers;
    const outward = request(new URL(url, target), { method, headers }, (answer) => {
      if (state.withholds === act) return void answer.resume();
      const date = new Date(Date.now() + state.skewMs).toUTCString();
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, date });
      answer.pipe(outgoing);
    });
    outward.on('error', () => outgoing.destroy());
    incoming.pipe(outward);
  });
  return Object.assign(state, { url: await listenOnLoopback(server), acts });
}
