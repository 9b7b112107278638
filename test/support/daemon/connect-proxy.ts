/** An HTTP proxy that makes tunnels (CONNECT) and asks for a user and a password. */

import { createServer } from 'node:http';
import { connect } from 'node:net';
import { listenOnLoopback } from '../loopback.ts';

export interface ConnectProxy {
  /** Its address, with the user and the password that it asks for. */
  readonly url: string;
  /** What tunnels were made to, as `host:port`. */
  readonly tunnels: readonly string[];
  /** The first bytes that went through each of them. */
  readonly begins: readonly string[];
}

export const PROXY_PASSWORD = 'p@ss%word-7731';

export async function openConnectProxy(): Promise<ConnectProxy> {
  const tunnels: string[] = [];
  const begins: string[] = [];
  const asked = `Basic ${Buffer.from(`bot:${PROXY_PASSWORD}`).toString('base64')}`;
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', ({ url = '', headers }, inner) => {
    inner.on('error', () => inner.destroy());
    if (headers['proxy-authorization'] !== asked)
      return void inner.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    tunnels.push(url);
    const { hostname, port } = new URL(`tcp://${url}`);
    const outer = connect(Number(port), hostname, () => inner.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    inner.once('data', (bytes) => begins.push(bytes.toString('latin1').split('\r\n')[0] ?? ''));
    outer.on('error', () => inner.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    inner.on('close', () => outer.destroy());
    outer.on('close', () => inner.destroy());
    inner.pipe(outer).pipe(inner);
  });
  const { host } = new URL(await listenOnLoopback(server));
  return { url: `http://bot:${encodeURIComponent(PROXY_PASSWORD)}@${host}`, tunnels, begins };
}
