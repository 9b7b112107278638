/** Who may look: links that open the dashboard once, and the sessions that they open. */

import { createHash, randomBytes } from 'node:crypto';

/** A link that nobody opened is worth nothing after so long. */
export const LINK_MS = 15 * 60_000;
const LINKS_MAX = 8;
const SESSIONS_MAX = 16;
/** A session that is not used for so long ends. */
const IDLE_MS = 7 * 86_400_000;
const SECRET_BYTES = 32;

export interface Session {
  /** The cookie’s value. */
  readonly secret: string;
  /** What each POST must carry in a header. */
  readonly token: string;
}

interface Kept extends Session {
  usedAt: number;
}

/** Secrets are found by their hash, so that how long a wrong one takes tells nothing of a right one. */
export class Sessions {
  readonly #now: () => number;
  readonly #links = new Map<string, number>();
  readonly #sessions = new Map<string, Kept>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The secret of a new link. Of many that were never opened, the oldest is given up. */
  newLink(): string {
    const secret = newSecret();
    dropOldest(this.#links, LINKS_MAX - 1);
    this.#links.set(hashOf(secret), this.#now() + LINK_MS);
    return secret;
  }

  /** The session that a link opens: the first time, and never again. */
  open(link: string): Session | undefined {
    const key = hashOf(link);
    const until = this.#links.get(key);
    this.#links.delete(key);
    if (until === undefined || this.#now() > until) return undefined;
    const session = { secret: newSecret(), token: newSecret(), usedAt: this.#now() };
    dropOldest(this.#sessions, SESSIONS_MAX - 1);
    this.#sessions.set(hashOf(session.secret), session);
    return session;
  }

  /** The session of this cookie. */
  of(secret: string | undefined): Session | undefined {
    if (secret === undefined) return undefined;
    const key = hashOf(secret);
    const session = this.#sessions.get(key);
    if (session === undefined) return undefined;
    this.#sessions.delete(key);
    const now = this.#now();
    if (now > session.usedAt + IDLE_MS) return undefined;
    session.usedAt = now;
    // Kept in the order of their last use, so that the first is the one to give up.
    this.#sessions.set(key, session);
    return session;
  }
}

/** Whether a POST carries the token of its session. */
export function isTokenOf(session: Session, given: string | undefined): boolean {
  return given !== undefined && hashOf(given) === hashOf(session.token);
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
