/** A page’s session: opened by a link that works once, found again after a reload, and named in every POST. */

/** Why there is no session: it must be opened by a link (`closed`), the server does not answer, or it says why it cannot. */
export type NoSession = {
  readonly kind: 'closed' | 'silent' | 'refused';
  readonly why: string;
  readonly next: string | undefined;
};
export type SessionState<Welcome> = { readonly kind: 'open'; readonly welcome: Welcome } | NoSession;

/** Opens a session by the link in the address, which is taken out of it at once: no bookmark and no history holds it. */
export async function openSession<Welcome>(): Promise<SessionState<Welcome>> {
  const link = linkIn(location.hash);
  if (link === undefined) return findSession();
  const rest = location.hash.replace(LINK, '');
  history.replaceState(undefined, '', location.pathname + (rest === '' ? '' : `#${rest}`));
  const opened = await openByLink<Welcome>(link);
  // A link that was used by this very browser before: the session is still there.
  return opened.kind === 'closed' ? orElse(await findSession<Welcome>(), opened) : opened;
}

export function openByLink<Welcome>(link: string): Promise<SessionState<Welcome>> {
  return welcomeOf('/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link: linkIn(link) ?? link }),
  });
}

/** The session of an earlier visit, whose cookie the browser holds. */
export function findSession<Welcome>(): Promise<SessionState<Welcome>> {
  return welcomeOf('/session', {});
}

/** Why an address gives no stream, which the browser does not tell; undefined where it would give one now. */
export async function refusalAt(address: string): Promise<NoSession | undefined> {
  const asked = new AbortController();
  try {
    const response = await fetch(address, { signal: asked.signal });
    if (!response.ok) return await noSessionOf(response);
    asked.abort();
    return undefined;
  } catch {
    return SILENT;
  }
}

/** The answer of a POST with the session’s token; throws where there is none. */
export async function post(
  welcome: { readonly token: string },
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  return await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-oddsmith-token': welcome.token },
    body: JSON.stringify(fields),
  });
}

export async function whyOf(response: Response): Promise<string> {
  return (await refusalOf(response)).why;
}

export interface Refusal {
  readonly why: string;
  /** What to do about it. */
  readonly next: string | undefined;
}

export async function refusalOf(response: Response): Promise<Refusal> {
  const said: unknown = await response.json();
  const { why, next } = Object(said);
  return { why: String(why ?? response.statusText), next: next === undefined ? undefined : String(next) };
}

async function welcomeOf<Welcome>(path: string, request: RequestInit): Promise<SessionState<Welcome>> {
  try {
    const response = await fetch(path, request);
    return response.ok ? { kind: 'open', welcome: await response.json() } : await noSessionOf(response);
  } catch {
    return SILENT;
  }
}

const SILENT: NoSession = { kind: 'silent', why: 'The server does not answer.', next: undefined };
const NO_SESSION_STATUS = 401;

/** A new link helps against the one status alone. */
async function noSessionOf(response: Response): Promise<NoSession> {
  return { kind: response.status === NO_SESSION_STATUS ? 'closed' : 'refused', ...(await refusalOf(response)) };
}

const LINK = /^#link=([\w-]+)&?/;

function linkIn(text: string): string | undefined {
  return /#link=([\w-]+)/.exec(text)?.[1];
}

function orElse<Welcome>(found: SessionState<Welcome>, opened: NoSession): SessionState<Welcome> {
  return found.kind === 'open' ? found : opened;
}
