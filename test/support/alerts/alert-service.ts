/** A service on loopback that alerts are sent to: it keeps what it received and answers as a test wants, or never. */

import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listenOnLoopback } from '../loopback.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** So long the answer takes. */
  readonly afterMs?: number;
}

export interface AlertService {
  readonly url: string;
  readonly received: readonly Received[];
  /** Undefined: there is never an answer. `number` counts from 1. */
  answer: (number: number) => Answer | undefined;
}

export async function openAlertService(): Promise<AlertService> {
  const received: Received[] = [];
  const state: Pick<AlertService, 'answer'> = { answer: () => ({ status: 200, body: 'ok' }) };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      received.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
      const answer = state.answer(received.length);
      if (answer === undefined) return;
      setTimeout(() => {
        response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
        response.end(answer.body ?? '');
      }, answer.afterMs ?? 0);
    });
  });
  const url = await listenOnLoopback(server);
  return Object.assign(state, { url, received });
}
