/** Opens the port of a server for this machine’s people: where it listens, what it is called there, and why it cannot. */

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CliError } from '../../cli/cli-error.ts';

/** Most of a browser’s connections; each reader of a stream has one that stays open. */
const CONNECTIONS_MAX = 128;
/** Who takes longer to say what he wants than any browser does is cut off: connections are few. */
const REQUEST_MS = 5_000;
const PATIENCE = { headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: 1_000 };

export interface Listening {
  readonly port: number;
  readonly host: string;
  /** What is served, in words: `the dashboard`. */
  readonly what: string;
  /** What says on which port: a key of the configuration, or a flag. */
  readonly setting: string;
}

/** @throws CliError PORT_IN_USE, ADDRESS_NOT_AVAILABLE */
export async function listening(place: Listening, answer: RequestListener): Promise<Server> {
  const server = createServer(PATIENCE, answer);
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, place)));
    server.listen(place.port, place.host, resolve);
  });
  return server;
}

/** The port that it got. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Closes a server with all its connections. */
export function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function listenError(error: NodeJS.ErrnoException, { port, host, what, setting }: Listening): CliError {
  const isUsed = error.code === 'EADDRINUSE';
  const named = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  return new CliError({
    code: isUsed ? 'PORT_IN_USE' : 'ADDRESS_NOT_AVAILABLE',
    what: isUsed ? `Something listens on port ${port} already.` : `${named} cannot be served there.`,
    where: `${host}:${port}`,
    why: error.message,
    next: `Choose another ${setting} (0: any that is free).`,
  });
}

/** The host as an address shows it. */
export function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** Why others may reach it; undefined on loopback. */
export function openWarning({ host, what }: Pick<Listening, 'host' | 'what'>): string | undefined {
  if (host === 'localhost' || host === '::1' || host.startsWith('127.')) return undefined;
  return `${what} listens on ${host}: whoever can reach this machine can try to open it, and what it shows and its session travel without encryption; prefer loopback and a tunnel (ssh -L), or a proxy with TLS`;
}
