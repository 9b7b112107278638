/** The accounts of the sandbox: apps, wallets with their transactions, commission rates, keys and sessions. */

import { defined } from '../../core/checks/assert.ts';
import type { WalletType } from '../../core/market.ts';
import type { Instant } from '../../core/number/units.ts';
import { SYSTEM_APP, SYSTEM_WALLET } from '../../matching/records/accounts.ts';
import type { ChangeRefusal, RegistryChange } from './change.ts';
import { numericId, walletIdOf } from './ids.ts';
import { invalid, refuseId, taken, unknown } from './limits.ts';
import type { AppRecord, CommissionRateRecord, KeyRecord, SessionRecord, WalletRecord } from './records.ts';

type Create<K extends RegistryChange['kind']> = Extract<RegistryChange, { kind: K }>;

const SYSTEM_APP_ID = 'System';

export class AppRegistry {
  readonly apps: AppRecord[] = [];
  readonly wallets = new Map<number, WalletRecord>();
  readonly rates: CommissionRateRecord[] = [];
  readonly keys = new Map<string, KeyRecord>();
  readonly #sessions = new Sessions();
  /** Includes sessions that have expired or whose key is inactive: the reader must check. */
  readonly sessionByAccess: ReadonlyMap<string, SessionRecord> = this.#sessions.byAccess;
  readonly sessionByRefresh: ReadonlyMap<string, SessionRecord> = this.#sessions.byRefresh;
  readonly #appById = new Map<string, AppRecord>();
  readonly #walletById = new Map<string, WalletRecord>();
  readonly #rateById = new Map<string, CommissionRateRecord>();
  readonly #keysByApp = new Map<number, number>();
  readonly #keyBySecret = new Map<string, KeyRecord>();
  readonly #walletsMade = new Map<string, number>();
  #transactions = 0;

  constructor() {
    const createdAt = 0 as Instant;
    this.addApp({ app: SYSTEM_APP, id: SYSTEM_APP_ID, name: 'System', isHouse: true, createdAt });
    this.addWallet({ wallet: SYSTEM_WALLET, app: SYSTEM_APP, type: 'System', createdAt });
  }

  app(app: number): AppRecord {
    return defined(this.apps[app], 'every app of the machine has a record');
  }
  wallet(wallet: number): WalletRecord {
    return defined(this.wallets.get(wallet), 'every wallet of the machine has a record');
  }
  appById(id: string): AppRecord | undefined {
    return this.#appById.get(id);
  }
  walletById(id: string): WalletRecord | undefined {
    return this.#walletById.get(id);
  }
  rateById(id: string): CommissionRateRecord | undefined {
    return this.#rateById.get(id);
  }
  keyBySecret(secretHash: string): KeyRecord | undefined {
    return this.#keyBySecret.get(secretHash);
  }

  /** Number of keys ever created for the app and its wallets. */
  keysOf(app: number): number {
    return this.#keysByApp.get(app) ?? 0;
  }

  addApp(record: AppRecord): void {
    this.apps[record.app] = record;
    this.#appById.set(record.id, record);
  }

  /** Adds a wallet. Wallets of one type are numbered from 1 in each app; an escrow has the number of its market. */
  addWallet(made: {
    readonly wallet: number;
    readonly app: number;
    readonly type: WalletType;
    readonly createdAt: Instant;
    readonly market?: number;
    readonly reference?: string;
    readonly description?: string;
  }): WalletRecord {
    const { market, ...same } = made;
    const counter = `${made.app} ${made.type}`;
    const number = (this.#walletsMade.get(counter) ?? 0) + 1;
    this.#walletsMade.set(counter, number);
    const id = walletIdOf(this.app(made.app).id, made.type, market === undefined ? number : market + 1);
    const record: WalletRecord = { ...same, id, transactions: [] };
    this.wallets.set(made.wallet, record);
    this.#walletById.set(id, record);
    return record;
  }

  dropEscrow(app: number, market: number): void {
    const id = walletIdOf(this.app(app).id, 'MarketEscrow', market + 1);
    const record = defined(this.#walletById.get(id), 'every market has its escrow');
    this.#walletById.delete(id);
    this.wallets.delete(record.wallet);
  }

  addRate(rate: number, change: Create<'createCommissionRate'>, createdAt: Instant): void {
    const { app, ratePpm } = change;
    const record = { rate, id: numericId(rate), app, ratePpm, createdAt };
    this.rates[rate] = record;
    this.#rateById.set(record.id, record);
  }

  /** The id of the next transaction. All are counted, also those that are not kept. */
  countTransaction(): number {
    this.#transactions += 1;
    return this.#transactions;
  }

  /** Whether transactions of the wallet are kept: not for the exchange's own apps. */
  keepsHistory(wallet: number): boolean {
    return !this.app(this.wallet(wallet).app).isHouse;
  }

  refuseApp(id: string): ChangeRefusal | undefined {
    if (this.#appById.has(id)) return taken(`app ${id}`);
    return refuseId(id);
  }

  createKey(change: Create<'createKey'>, at: Instant): ChangeRefusal | undefined {
    const { app, wallet, name, secretHash } = change;
    if (this.apps[app] === undefined) return unknown(`app ${app}`);
    const owned = wallet === undefined ? undefined : this.wallets.get(wallet);
    if (wallet !== undefined && owned?.app !== app) return unknown(`wallet ${wallet}`);
    if (owned !== undefined && owned.type !== 'User') return invalid(`a ${owned.type} wallet has no keys`);
    if (this.keys.has(name)) return taken(`key ${name}`);
    if (this.#keyBySecret.has(secretHash)) return taken('the secret');
    const belongs = wallet === undefined ? { app } : { app, wallet };
    const key: KeyRecord = { name, ...belongs, secretHash, active: true, createdAt: at, modifiedAt: at };
    this.keys.set(name, key);
    this.#keyBySecret.set(secretHash, key);
    this.#keysByApp.set(app, this.keysOf(app) + 1);
    return undefined;
  }

  /** Deactivates a key, which ends its sessions too. */
  deactivateKey(name: string, at: Instant): ChangeRefusal | undefined {
    const key = this.keys.get(name);
    if (key === undefined) return unknown(`key ${name}`);
    key.active = false;
    key.modifiedAt = at;
    return undefined;
  }

  openSession(change: Create<'openSession'>, at: Instant): ChangeRefusal | undefined {
    const key = this.keys.get(change.key);
    return key === undefined ? unknown(`key ${change.key}`) : this.#sessions.open(change, key, at);
  }
}

type OpenSession = Extract<RegistryChange, { kind: 'openSession' }>;

/** Expired sessions are searched for from this many tokens on. */
const SWEEP_FROM = 64;
/**
 * The most sessions of one app. A further one ends the app's oldest, whose refresh token would otherwise be kept for a
 * week.
 */
export const SESSIONS_MAX = 10_000;

/** The sessions that can still be used, by the hashes of their tokens. */
class Sessions {
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
