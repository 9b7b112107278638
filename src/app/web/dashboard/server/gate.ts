/** Which requests are heard at all: those that a page of this very server makes, or a person who opens it. */

/** What a request says of where it comes from. */
export interface Caller {
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** The header `sec-fetch-site`, which a page cannot set. */
  readonly fetchSite: string | undefined;
  /** The address of ours at which the connection came in. */
  readonly localAddress: string | undefined;
}

export interface Turned {
  readonly status: 403 | 405 | 421;
  readonly why: string;
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST']);

/**
 * Undefined for a request that may go on. `names`: further names of this server. A name that is not listed may be one that an
 * attacker lets point here (DNS rebinding), so that the browser takes their page for ours. The port is not compared: behind a
 * tunnel it is another one, and origins are compared with it.
 */
export function turnedAway(caller: Caller, names: ReadonlySet<string>): Turned | undefined {
  const { method, path, host, origin, fetchSite } = caller;
  const name = nameOf(host);
  if (name === undefined || !isOurs(name, caller, names))
    return { status: 421, why: 'This is no name of the dashboard: see dashboard.hosts in docs/dashboard.md.' };
  if (!METHODS.has(method)) return { status: 405, why: 'GET and POST alone.' };
  // Without an origin a POST comes from no browser, or from one that hides where its page is from.
  if (method === 'POST' && origin === undefined) return { status: 403, why: 'A POST names its origin.' };
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    return { status: 403, why: 'The request comes from a page of another origin.' };
  // The page itself holds nothing, and a person may follow a link to it from anywhere.
  const isOwn = fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none' || path === '/';
  return isOwn ? undefined : { status: 403, why: 'The request comes from a page of another site.' };
}

function isOurs(name: string, { localAddress }: Caller, names: ReadonlySet<string>): boolean {
  return LOOPBACK.has(name) || names.has(name) || name === asHost(localAddress);
}

/** The host’s name without its port, in lower case; undefined where it is none. */
function nameOf(host: string | undefined): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/.exec(host?.toLowerCase() ?? '')?.[1];
}

/** An address of a socket as a host is written: `::ffff:10.0.0.1` → `10.0.0.1`, `fe80::1` → `[fe80::1]`. */
function asHost(address: string | undefined): string | undefined {
  const plain = address?.replace(/^::ffff:(?=\d+\.)/, '');
  return plain?.includes(':') === true ? `[${plain}]` : plain;
}
