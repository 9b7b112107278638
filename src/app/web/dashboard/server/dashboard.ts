/** Serves the dashboard of a run, a sandbox or a list of runs over HTTP. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CliError } from '../../../cli/cli-error.ts';
import { Answers } from './answers.ts';
import type { DashboardParts, DashboardPlace } from './dashboard-parts.ts';
import { Sessions } from './sessions.ts';

export interface Dashboard {
  /** Its address without a secret. */
  readonly url: string;
  /** Why others may reach it; undefined on loopback. */
  readonly warning: string | undefined;
  /** A new link that opens it once. */
  link(): string;
  close(): Promise<void>;
}

/** Most of a browser’s connections; each reader has one that stays open. */
const CONNECTIONS_MAX = 128;
/** Who takes longer to say what he wants than any browser does is cut off: connections are few. */
const REQUEST_MS = 5_000;
const PATIENCE = { headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: 1_000 };

/** @throws CliError PORT_IN_USE, ADDRESS_NOT_AVAILABLE */
export async function openDashboard(parts: DashboardParts): Promise<Dashboard> {
  const { host, hosts, now, memory } = parts;
  const sessions = new Sessions(now, memory);
  const answers = new Answers(parts, sessions);
  const server = createServer(PATIENCE, (request, response) => answers.answer(request, response));
  server.maxConnections = CONNECTIONS_MAX;
  await listen(server, parts);
  const { port } = server.address() as AddressInfo;
  answers.listensOn(port);
  const url = `http://${hosts[0] ?? shownHost(host)}:${port}`;
  return {
    url,
    warning: warningOf(host),
    link: () => `${url}/#link=${sessions.newLink()}`,
    close: () =>
      new Promise((resolve) => {
        answers.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, { port, host }: DashboardPlace): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, { port, host })));
    server.listen(port, host, resolve);
  });
}

function listenError(error: NodeJS.ErrnoException, { port, host }: Pick<DashboardPlace, 'port' | 'host'>): CliError {
  const isUsed = error.code === 'EADDRINUSE';
  return new CliError({
    code: isUsed ? 'PORT_IN_USE' : 'ADDRESS_NOT_AVAILABLE',
    what: isUsed ? `Something listens on port ${port} already.` : 'The dashboard cannot be served there.',
    where: `${host}:${port}`,
    why: error.message,
    next: 'Choose another port for the dashboard (0: any that is free).',
  });
}

function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function warningOf(host: string): string | undefined {
  if (host === 'localhost' || host === '::1' || host.startsWith('127.')) return undefined;
  return `the dashboard listens on ${host}: whoever can reach this machine can try to open it, and what it shows and its session travel without encryption; prefer loopback and a tunnel (ssh -L), or a proxy with TLS`;
}
