/** The page’s session: opened by a link that works once, found again after a reload, and named in every POST. */

import type { Welcome } from '../../../report/dashboard/panels.ts';

/** Why there is no session: it must be opened by a link, or the server does not answer. */
export type NoSession = { readonly kind: 'closed' | 'silent'; readonly why: string };
export type SessionState = { readonly kind: 'open'; readonly welcome: Welcome } | NoSession;

/** By the link in the address, which is taken out of it at once: no bookmark and no history holds it. */
export async function openSession(): Promise<SessionState> {
  const link = linkIn(location.hash);
  if (link === undefined) return findSession();
  history.replaceState(undefined, '', location.pathname);
  const opened = await openByLink(link);
  // A link that was used by this very browser before: the session is still there.
  return opened.kind === 'closed' ? orElse(await findSession(), opened) : opened;
}

export function openByLink(link: string): Promise<SessionState> {
  return welcomeOf('/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link: linkIn(link) ?? link }),
  });
}

/** The session of an earlier visit, whose cookie the browser holds. */
export function findSession(): Promise<SessionState> {
  return welcomeOf('/session', {});
}

/** The answer of a POST with the session’s token; throws where there is none. */
export async function post(
  welcome: Welcome,
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
  const said: unknown = await response.json();
  return String(Object(said).why ?? response.statusText);
}

async function welcomeOf(path: string, request: RequestInit): Promise<SessionState> {
  try {
    const response = await fetch(path, request);
    if (!response.ok) return { kind: 'closed', why: await whyOf(response) };
    return { kind: 'open', welcome: await response.json() };
  } catch {
    return { kind: 'silent', why: 'The server does not answer.' };
  }
}

function linkIn(text: string): string | undefined {
  return /#link=([\w-]+)/.exec(text)?.[1];
}

function orElse(found: SessionState, opened: SessionState): SessionState {
  return found.kind === 'open' ? found : opened;
}
