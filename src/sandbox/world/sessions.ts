/** The sessions that can still be used, by the hashes of their tokens. */

import type { Instant } from '../../core/number/units.ts';
import type { ChangeRefusal, RegistryChange } from './change.ts';
import type { KeyRecord, SessionRecord } from './records.ts';

type OpenSession = Extract<RegistryChange, { kind: 'openSession' }>;

/** Expired sessions are searched for from this many tokens on. */
const SWEEP_FROM = 64;
/**
 * The most sessions of one app. A further one ends the app's oldest, whose refresh token would otherwise be kept for a
 * week.
 */
export const SESSIONS_MAX = 10_000;

export class Sessions {
  /** Includes sessions that have expired or whose key is inactive: the reader must check. */
  readonly byAccess = new Map<string, SessionRecord>();
  readonly byRefresh = new Map<string, SessionRecord>();
  /** Sessions by app, the oldest first. */
  readonly #byApp = new Map<number, Set<SessionRecord>>();
  #sweepAt = SWEEP_FROM;

  open(change: OpenSession, key: KeyRecord, at: Instant): ChangeRefusal | undefined {
    const refusal = this.#refusal(change, key, at);
    if (refusal !== undefined) return refusal;
    const { accessHash, refreshHash, accessExpiresAt, refreshExpiresAt, replaces } = change;
    const used = replaces === undefined ? undefined : this.byRefresh.get(replaces);
    if (used !== undefined) used.refreshed = true;
    this.#add({ key, accessHash, refreshHash, accessExpiresAt, refreshExpiresAt, refreshed: false });
    if (this.byAccess.size + this.byRefresh.size >= this.#sweepAt) this.#sweep(at);
    return undefined;
  }

  #refusal(change: OpenSession, key: KeyRecord, at: Instant): ChangeRefusal | undefined {
    const { accessHash, refreshHash, accessExpiresAt, refreshExpiresAt, replaces } = change;
    if (!key.active) return { code: 'INVALID', what: `key ${key.name} is not active` };
    if (this.byAccess.has(accessHash)) return { code: 'ID_TAKEN', what: 'the access token' };
    if (this.byRefresh.has(refreshHash)) return { code: 'ID_TAKEN', what: 'the refresh token' };
    if (!(accessExpiresAt > at && refreshExpiresAt > at)) return { code: 'INVALID', what: 'the tokens have expired' };
    if (replaces === undefined) return undefined;
    const used = this.byRefresh.get(replaces);
    if (used === undefined || used.refreshExpiresAt <= at) return { code: 'UNKNOWN_ID', what: 'the refresh token' };
    return used.refreshed ? { code: 'INVALID', what: 'the refresh token was used before' } : undefined;
  }

  #add(session: SessionRecord): void {
    this.byAccess.set(session.accessHash, session);
    this.byRefresh.set(session.refreshHash, session);
    const { app } = session.key;
    const sessions = this.#byApp.get(app) ?? new Set();
    this.#byApp.set(app, sessions.add(session));
    if (sessions.size <= SESSIONS_MAX) return;
    for (const oldest of sessions) {
      this.#end(oldest);
      break;
    }
  }

  #end(session: SessionRecord): void {
    this.byAccess.delete(session.accessHash);
    this.byRefresh.delete(session.refreshHash);
    this.#byApp.get(session.key.app)?.delete(session);
  }

  /**
   * Removes expired sessions. Lifetimes differ, so all are checked, but only when the number has doubled since the last
   * time.
   */
  #sweep(now: Instant): void {
    for (const [app, sessions] of this.#byApp) {
      for (const session of sessions) this.#forgetExpired(session, now);
      if (sessions.size === 0) this.#byApp.delete(app);
    }
    this.#sweepAt = Math.max(SWEEP_FROM, 2 * (this.byAccess.size + this.byRefresh.size));
  }

  #forgetExpired(session: SessionRecord, now: Instant): void {
    const { accessHash, refreshHash, accessExpiresAt, refreshExpiresAt, refreshed } = session;
    const isAccessOver = accessExpiresAt <= now;
    // A used refresh token is treated like an unknown one.
    const isRefreshOver = refreshExpiresAt <= now || (refreshed && isAccessOver);
    if (isAccessOver) this.byAccess.delete(accessHash);
    if (isRefreshOver) this.byRefresh.delete(refreshHash);
    if (isAccessOver && isRefreshOver) this.#byApp.get(session.key.app)?.delete(session);
  }
}
