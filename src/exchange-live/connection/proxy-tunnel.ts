/** A connection through an HTTP proxy: a tunnel by CONNECT, with TLS in it where the exchange speaks TLS. */

import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect as secure } from 'node:tls';

/** What a TLS connection is made with beside its defaults; PEM. */
export interface TunnelTls {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

export interface Tunnel {
  /** Begins with `http:` or `https:`, with user and password where the proxy asks for them. */
  readonly proxy: string;
  /** Of the exchange: host, port, and whether it speaks TLS. */
  readonly to: URL;
  /** For the proxy's answer, and again for the TLS handshake. */
  readonly timeoutMs: number;
  readonly tls?: TunnelTls;
}

/** Takes a socket that is ready, or what went wrong, which never holds the password. Called once, and never before `openTunnel` returns. */
export type OnTunnel = (opened: Socket | Error) => void;

/** One tunnel for REST and stream alike: an agent of undici is none for `ws`, and the reverse. */
export function openTunnel({ proxy, to, timeoutMs, tls }: Tunnel, onOpen: OnTunnel): void {
  const { protocol, hostname, port, host } = new URL(proxy);
  const isSecure = to.protocol === 'https:' || to.protocol === 'wss:';
  const authority = `${to.hostname}:${to.port || (isSecure ? 443 : 80)}`;
  const asking = (protocol === 'https:' ? secureRequest : plainRequest)({
    method: 'CONNECT',
    path: authority,
    hostname: bare(hostname),
    port,
    agent: false,
    timeout: timeoutMs,
    headers: { host: authority, ...authorization(proxy) },
  });
  asking.once('timeout', () => asking.destroy(new Error(`no answer within ${timeoutMs} ms`)));
  asking.once('error', (error) => onOpen(new Error(`the proxy ${host} cannot be reached: ${textOf(error)}`)));
  asking.once('connect', ({ statusCode = 0 }, socket, head) => {
    socket.setTimeout(0);
    if (statusCode !== 200) {
      socket.destroy();
      const why = statusCode === 407 ? ' (it asks for another user or password)' : '';
      return onOpen(new Error(`the proxy ${host} does not connect to ${authority}: it answers ${statusCode}${why}`));
    }
    if (head.length > 0) socket.unshift(head);
    if (isSecure) secured({ socket, host: bare(to.hostname), timeoutMs, ...tls }, onOpen);
    else onOpen(socket);
  });
  asking.end();
}

function secured(
  {
    socket,
    host,
    timeoutMs,
    ...tls
  }: TunnelTls & { readonly socket: Socket; readonly host: string; readonly timeoutMs: number },
  onOpen: OnTunnel,
): void {
  const name = isIP(host) === 0 ? { servername: host } : {};
  const inner = secure({ ...tls, socket, host, ...name, ALPNProtocols: ['http/1.1'] });
  const onTimeout = () => inner.destroy(new Error(`no answer within ${timeoutMs} ms`));
  const onError = (error: Error) => onOpen(new Error(`no TLS with ${host} behind the proxy: ${textOf(error)}`));
  inner.setTimeout(timeoutMs, onTimeout);
  inner.once('error', onError);
  inner.once('secureConnect', () => {
    inner.setTimeout(0, onTimeout);
    inner.off('error', onError);
    onOpen(inner);
  });
}

function authorization(proxy: string): Readonly<Record<string, string>> {
  const { username, password } = new URL(proxy);
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** An IPv6 address without its brackets. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** An error about several addresses (Node's AggregateError) has no message of its own, only a code. */
function textOf(error: Error): string {
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}
