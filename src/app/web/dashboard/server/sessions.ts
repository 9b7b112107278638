/** Who may look: links that open the dashboard once, and the sessions that they open. */

import { createHash, randomBytes } from 'node:crypto';
import type { MemoryFile, RememberedSession } from '../memory/memory-file.ts';

/** A link that nobody opened is worth nothing after so long. */
export const LINK_MS = 15 * 60_000;
const LINKS_MAX = 8;
const SESSIONS_MAX = 16;
/** A session that is not used for so long ends, and each after so long. */
const IDLE_MS = 7 * 86_400_000;
const LIFE_MS = 30 * 86_400_000;
/** When it was used last need not be known better than this over a restart. */
const KEEP_EVERY_MS = 3_600_000;
const SECRET_BYTES = 32;

export interface Session {
  /** The cookie’s value. */
  readonly secret: string;
  /** What each POST must carry in a header. */
  readonly token: string;
}

/** Secrets are found by their hash, so that how long a wrong one takes tells nothing of a right one. */
export class Sessions {
  readonly #now: () => number;
  readonly #links = new Map<string, number>();
  readonly #sessions = new Map<string, { readonly openedAt: number; usedAt: number; keptAt: number }>();
  readonly #memory: MemoryFile | undefined;

  constructor(now: () => number, memory?: MemoryFile) {
    this.#now = now;
    this.#memory = memory;
    for (const { hash, openedAt, usedAt } of memory?.known.sessions ?? [])
      this.#sessions.set(hash, { openedAt, usedAt, keptAt: usedAt });
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
    const secret = newSecret();
    const now = this.#now();
    dropOldest(this.#sessions, SESSIONS_MAX - 1);
    this.#sessions.set(hashOf(secret), { openedAt: now, usedAt: now, keptAt: now });
    this.#remember();
    return sessionOf(secret);
  }

  /** The session of this cookie. */
  of(secret: string | undefined): Session | undefined {
    if (secret === undefined) return undefined;
    const key = hashOf(secret);
    const session = this.#sessions.get(key);
    if (session === undefined) return undefined;
    this.#sessions.delete(key);
    const now = this.#now();
    if (now > session.usedAt + IDLE_MS || now > session.openedAt + LIFE_MS) return undefined;
    session.usedAt = now;
    // Kept in the order of their last use, so that the first is the one to give up.
    this.#sessions.set(key, session);
    if (now > session.keptAt + KEEP_EVERY_MS) this.#remember();
    return sessionOf(secret);
  }

  /** The first of these cookies that has one, so that a cookie that somebody else put there locks nobody out. */
  ofAny(cookies: readonly string[]): Session | undefined {
    for (const cookie of cookies) {
      const session = this.of(cookie);
      if (session !== undefined) return session;
    }
    return undefined;
  }

  #remember(): void {
    const sessions = [...this.#sessions].map(([hash, kept]): RememberedSession => {
      kept.keptAt = kept.usedAt;
      return { hash, openedAt: kept.openedAt, usedAt: kept.usedAt };
    });
    this.#memory?.keepSessions(sessions);
  }
}

/** Whether a POST carries the token of its session. */
export function isTokenOf(session: Session, given: string | undefined): boolean {
  return given !== undefined && hashOf(given) === hashOf(session.token);
}

/** The token follows from the secret, so that neither need be kept: a page that knows it cannot find the cookie by it. */
function sessionOf(secret: string): Session {
  return { secret, token: createHash('sha256').update(`token of ${secret}`).digest('base64url') };
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
