/** Visits to a dashboard: by raw requests that say what they like, and by the link that its daemon printed. */

import { request } from 'node:http';
import type { RunningDaemon } from '../daemon/daemon-stage.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request as it is given, with no header but these. An answer that does not end is cut off after half a second. */
export function ask(port: number, { method = 'GET', path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers: { host: `127.0.0.1:${port}`, ...headers } });
    sent.once('error', reject);
    sent.once('response', (answer) => {
      let text = '';
      const done = (): void => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      const cut = setTimeout(() => {
        sent.destroy();
        done();
      }, 500);
      answer.on('data', (piece: Buffer) => {
        text += piece.toString();
      });
      answer.once('end', () => {
        clearTimeout(cut);
        done();
      });
      answer.once('error', done);
    });
    sent.end(body);
  });
}

export interface PrintedLink {
  readonly url: string;
  readonly port: number;
  readonly secret: string;
}

const LINK = /http:\/\/127\.0\.0\.1:(\d+)\/#link=([\w-]+)/;

/** The link that is printed somewhere in this text. */
export function linkIn(text: string): PrintedLink {
  const [url = '', port = '', secret = ''] = LINK.exec(text) ?? [];
  if (url === '') throw new Error(`no link in: ${text}`);
  return { url, port: Number(port), secret };
}

/** The link that a daemon printed at its start. */
export async function printedLink(daemon: RunningDaemon): Promise<PrintedLink> {
  await daemon.until(LINK);
  return linkIn(daemon.said.note);
}

export interface OpenSession {
  readonly cookie: string;
  readonly token: string;
  /** A POST as the page makes it. */
  post(path: string, fields: Readonly<Record<string, string>>): Promise<RawAnswer>;
}

/** What a page gets that opens the link, which then is used up. */
export async function openLink({ port, secret }: PrintedLink): Promise<OpenSession> {
  const headers = { origin: `http://127.0.0.1:${port}`, 'content-type': 'application/json' };
  const login = { method: 'POST', path: '/login', headers, body: JSON.stringify({ link: secret }) };
  const answer = await ask(port, login);
  if (answer.status !== 200) throw new Error(`the link opened nothing: ${answer.text}`);
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  const { token }: { readonly token: string } = JSON.parse(answer.text);
  const own = { ...headers, cookie, 'x-oddsmith-token': token };
  return {
    ...{ cookie, token },
    post: (path, fields) => ask(port, { method: 'POST', path, headers: own, body: JSON.stringify(fields) }),
  };
}
