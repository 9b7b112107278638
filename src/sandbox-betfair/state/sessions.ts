/** The sessions that clients have opened, by their tokens. They end with the process: a client then logs in again. */

import type { Account } from './accounts.ts';

interface Session {
  readonly account: Account;
  expiresAt: number;
}

/** The most sessions at a time; a further one ends the oldest. */
const SESSIONS_MAX = 10_000;

export class Sessions {
  readonly #byToken = new Map<string, Session>();
  readonly #lifeMs: number;

  constructor(lifeMs: number) {
    this.#lifeMs = lifeMs;
  }

  open(token: string, account: Account, now: number): void {
    this.#byToken.set(token, { account, expiresAt: now + this.#lifeMs });
    for (const oldest of this.#byToken.keys()) {
      if (this.#byToken.size <= SESSIONS_MAX) return;
      this.#byToken.delete(oldest);
    }
  }

  /** Whose session it is; undefined where the token is unknown, ended or over. */
  accountOf(token: string | undefined, now: number): Account | undefined {
    const session = this.#sessionOf(token, now);
    return session?.account;
  }

  /** Lets a session live its whole life again; false where there is none. */
  keepAlive(token: string | undefined, now: number): boolean {
    const session = this.#sessionOf(token, now);
    if (session === undefined) return false;
    session.expiresAt = now + this.#lifeMs;
    return true;
  }

  /** Ends a session; false where there is none. */
  end(token: string | undefined, now: number): boolean {
    return this.#sessionOf(token, now) !== undefined && this.#byToken.delete(token ?? '');
  }

  countOf(app: number, now: number): number {
    return [...this.#byToken.values()].filter(({ account, expiresAt }) => account.app === app && now < expiresAt)
      .length;
  }

  /** Ends all sessions, or those of one account; returns how many. */
  endAll(app?: number): number {
    let ended = 0;
    for (const [token, { account }] of this.#byToken)
      if (app === undefined || account.app === app) {
        this.#byToken.delete(token);
        ended += 1;
      }
    return ended;
  }

  #sessionOf(token = '', now: number): Session | undefined {
    const session = this.#byToken.get(token);
    if (session === undefined || now < session.expiresAt) return session;
    this.#byToken.delete(token);
    return undefined;
  }
}
