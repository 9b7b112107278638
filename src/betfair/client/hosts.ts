/** Betfair's addresses, and the connections to them: its API, its identity service, and that for certificates. */

import { PoolTransport } from '../../exchange-live/connection/pool-transport.ts';
import type { Transport } from '../../exchange-live/connection/transport.ts';
import type { Clock } from '../../time/clock.ts';
import type { Certificate } from './client-options.ts';

/** Of the global exchange (profile section 1). */
const HOSTS = {
  api: 'https://api.betfair.com',
  identity: 'https://identitysso.betfair.com',
  certificate: 'https://identitysso-cert.betfair.com',
} as const;

export const API_URL = HOSTS.api;
export const STREAM_URL = 'tls://stream-api.betfair.com:443';

/** Below this path is the identity service, whatever its host. */
const IDENTITY_PATH = '/api/';
export const CERT_LOGIN = '/api/certlogin';
export const LOGIN = '/api/login';
export const KEEP_ALIVE = '/api/keepAlive';

/** Bytes of the largest answer that is accepted. */
const ANSWER_MAX = 64 * 1024 * 1024;
/** Of a connection that nobody uses, if the server does not say. */
const KEEP_ALIVE_MS = 4_000;
const CONNECT_MS = 5_000;

export interface HostOptions {
  readonly clock: Clock;
  /** One address for all three services, which a sandbox has. */
  readonly url: string | undefined;
  /** PEM of an authority that is trusted beside the known ones. */
  readonly authority: string | undefined;
  readonly proxy: string | undefined;
  readonly certificate: Certificate | undefined;
  readonly connections: number;
}

/** Each request goes to the host of its service. */
export function hostsTransport(options: HostOptions): Transport {
  const { url, authority, proxy, certificate, connections, clock } = options;
  const pool = (origin: string, own: Certificate | undefined) =>
    new PoolTransport({
      ...{ clock, connections, connectTimeoutMs: CONNECT_MS, keepAliveMs: KEEP_ALIVE_MS, answerMax: ANSWER_MAX },
      origin: url === undefined ? origin : new URL(url).origin,
      ...(proxy !== undefined && { proxy }),
      tls: {
        ...(authority !== undefined && { ca: authority }),
        ...(own && { cert: own.certificate, key: own.key }),
      },
    });
  const api = pool(HOSTS.api, undefined);
  const identity = pool(HOSTS.identity, undefined);
  const certified = pool(HOSTS.certificate, certificate);
  const poolFor = (path: string): Transport => {
    if (path === CERT_LOGIN) return certified;
    return path.startsWith(IDENTITY_PATH) ? identity : api;
  };
  return {
    send: (request, onReply) => poolFor(request.path).send(request, onReply),
    async close() {
      await Promise.all([api, identity, certified].map((each) => each.close()));
    },
  };
}
