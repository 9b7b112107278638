/** Who holds what at the sandbox: apps, wallets with their histories, commission rates, keys and sessions. */

import { present } from '../../core/assert.ts';
import type { WalletType } from '../../core/market.ts';
import type { Instant } from '../../core/units.ts';
import { SYSTEM_APP, SYSTEM_WALLET } from '../../matching/accounts.ts';
import type { ChangeRefusal, HolderChange } from './change.ts';
import { numericId, walletIdOf } from './ids.ts';
import type {
  AppRecord,
  CommissionRateRecord,
  KeyRecord,
  SessionRecord,
  TransactionRecord,
  WalletRecord,
} from './records.ts';

type Create<K extends HolderChange['kind']> = Extract<HolderChange, { kind: K }>;

const SYSTEM_APP_ID = 'System';

export class Holders {
  readonly apps: AppRecord[] = [];
  readonly wallets = new Map<number, WalletRecord>();
  readonly rates: CommissionRateRecord[] = [];
  readonly keys = new Map<string, KeyRecord>();
  readonly sessionByAccess = new Map<string, SessionRecord>();
  readonly sessionByRefresh = new Map<string, SessionRecord>();
  readonly #appById = new Map<string, AppRecord>();
  readonly #walletById = new Map<string, WalletRecord>();
  readonly #rateById = new Map<string, CommissionRateRecord>();
  readonly #keyBySecret = new Map<string, KeyRecord>();
  readonly #walletsMade = new Map<string, number>();
  #transactions = 0;

  constructor() {
    const createdAt = 0 as Instant;
    this.addApp({ app: SYSTEM_APP, id: SYSTEM_APP_ID, name: 'System', isHouse: true, createdAt });
    this.addWallet({ wallet: SYSTEM_WALLET, app: SYSTEM_APP, type: 'System', createdAt });
  }

  app(app: number): AppRecord {
    return present(this.apps[app], 'every app of the machine has a record');
  }
  wallet(wallet: number): WalletRecord {
    return present(this.wallets.get(wallet), 'every wallet of the machine has a record');
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

  addApp(record: AppRecord): void {
    this.apps[record.app] = record;
    this.#appById.set(record.id, record);
  }

  /** Wallets of one type are numbered from 1 in each app; an escrow bears its market's id. */
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
    const record: WalletRecord = { ...same, id, transactions: [], orders: [] };
    this.wallets.set(made.wallet, record);
    this.#walletById.set(id, record);
    return record;
  }

  dropWallet(wallet: number): void {
    this.#walletById.delete(this.wallet(wallet).id);
    this.wallets.delete(wallet);
  }

  addRate(rate: number, change: Create<'createCommissionRate'>, createdAt: Instant): void {
    const { app, ratePpm, isDefault } = change;
    const record = { rate, id: numericId(rate), app, ratePpm, isDefault, createdAt };
    this.rates[rate] = record;
    this.#rateById.set(record.id, record);
  }

  addTransaction(entry: Omit<TransactionRecord, 'transaction'>): void {
    this.#transactions += 1;
    const wallet = this.wallet(entry.wallet);
    if (this.app(wallet.app).isHouse) return;
    wallet.transactions.push({ ...entry, transaction: this.#transactions });
  }

  createKey(change: Create<'createKey'>, at: Instant): ChangeRefusal | undefined {
    if (this.keys.has(change.name)) return { code: 'ID_TAKEN', what: `key ${change.name}` };
    const { kind, ...same } = change;
    const key: KeyRecord = { ...same, active: true, createdAt: at, modifiedAt: at };
    this.keys.set(key.name, key);
    this.#keyBySecret.set(key.secretHash, key);
    return undefined;
  }

  /** Ends its sessions too. */
  deactivateKey(name: string, at: Instant): ChangeRefusal | undefined {
    const key = this.keys.get(name);
    if (key === undefined) return { code: 'UNKNOWN_ID', what: `key ${name}` };
    key.active = false;
    key.modifiedAt = at;
    return undefined;
  }

  openSession(change: Create<'openSession'>, at: Instant): ChangeRefusal | undefined {
    const key = this.keys.get(change.key);
    if (key === undefined) return { code: 'UNKNOWN_ID', what: `key ${change.key}` };
    const { accessHash, refreshHash, accessExpiresAt, refreshExpiresAt, replaces } = change;
    const used = replaces === undefined ? undefined : this.sessionByRefresh.get(replaces);
    if (used !== undefined) used.refreshed = true;
    this.#dropExpired(at);
    const session = { key, accessHash, refreshHash, accessExpiresAt, refreshExpiresAt, refreshed: false };
    this.sessionByAccess.set(accessHash, session);
    this.sessionByRefresh.set(refreshHash, session);
    return undefined;
  }

  /** Both maps are in the order of opening, and all sessions live equally long: what has expired stands first. */
  #dropExpired(now: Instant): void {
    for (const [hash, { accessExpiresAt }] of this.sessionByAccess) {
      if (accessExpiresAt > now) break;
      this.sessionByAccess.delete(hash);
    }
    for (const [hash, { refreshExpiresAt }] of this.sessionByRefresh) {
      if (refreshExpiresAt > now) break;
      this.sessionByRefresh.delete(hash);
    }
  }
}
