/** The sessions that can still be used, by the hashes of their tokens. */

import type { Instant } from '../../core/units.ts';
import type { ChangeRefusal, HolderChange } from './change.ts';
import type { KeyRecord, SessionRecord } from './records.ts';

type OpenSession = Extract<HolderChange, { kind: 'openSession' }>;

/** Below this many, sessions that have expired are not looked for. */
const SWEEP_FROM = 64;

export class Sessions {
  /** Which may have expired, and whose key may be inactive: the reader looks. */
  readonly byAccess = new Map<string, SessionRecord>();
  readonly byRefresh = new Map<string, SessionRecord>();
  #sweepAt = SWEEP_FROM;

  open(change: OpenSession, key: KeyRecord, at: Instant): ChangeRefusal | undefined {
    const refusal = this.#refusal(change, key, at);
    if (refusal !== undefined) return refusal;
    const { accessHash, refreshHash, accessExpiresAt, refreshExpiresAt, replaces } = change;
    const used = replaces === undefined ? undefined : this.byRefresh.get(replaces);
    if (used !== undefined) used.refreshed = true;
    const session = { key, accessHash, refreshHash, accessExpiresAt, refreshExpiresAt, refreshed: false };
    this.byAccess.set(accessHash, session);
    this.byRefresh.set(refreshHash, session);
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

  /** Sessions may live unequally long, so all are looked at, but only when there are twice as many as were kept. */
  #sweep(now: Instant): void {
    for (const [hash, { accessExpiresAt }] of this.byAccess) if (accessExpiresAt <= now) this.byAccess.delete(hash);
    for (const [hash, { refreshExpiresAt }] of this.byRefresh) if (refreshExpiresAt <= now) this.byRefresh.delete(hash);
    this.#sweepAt = Math.max(SWEEP_FROM, 2 * (this.byAccess.size + this.byRefresh.size));
  }
}
