/** Apps, their wallets and commission rates, and each wallet's account per currency. */

import { assert, defined } from '../../core/checks/assert.ts';
import type { WalletType } from '../../core/market.ts';
import type { Instant, Money } from '../../core/number/units.ts';
import { grownFloats, grownInts, SlotPool } from '../columns/columns.ts';
import type { EventLog } from '../messages/event-log.ts';

/** The app and the wallet that exist from the start; the wallet holds the recorded participants' side of fills. */
export const SYSTEM_APP = 0;
export const SYSTEM_WALLET = 0;
/**
 * An overdraft that no order exhausts: `setOverdraft` with it makes a wallet unlimited. Replays of a fixed order flow
 * need it, since every order that the central run accepted must be accepted again. It keeps sums exact, below 2⁵³.
 */
export const UNLIMITED_OVERDRAFT = (2 ** 51) as Money;

/** An app's heartbeat. After `lastSeenAt + timeoutMs` (ms) it lapses and `active` is false until it is deleted. */
export interface Heartbeat {
  timeoutMs: number;
  lastSeenAt: Instant;
  active: boolean;
}

/** An app with its wallets. `orderByReference` maps the references of remembered orders to order ids. */
export interface App {
  readonly id: number;
  readonly commissionWallet: number;
  /** Ids of the app's User wallets, in the order of creation. */
  readonly wallets: number[];
  readonly orderByReference: Map<string, number>;
  defaultRate: number | undefined;
  heartbeat: Heartbeat | undefined;
}

/** A wallet of an app, with one account in each currency it uses. */
export interface Wallet {
  readonly id: number;
  readonly app: number;
  readonly type: WalletType;
  /** The smallest amount that a settlement pays the wallet or charges it, in 10⁻⁶: see life/payout.ts. */
  readonly moneyStep: number;
  /** Account slots by currency. */
  readonly accounts: Map<number, number>;
  /** The slot of the newest position; `Positions.walletNext` links the older ones. */
  firstPosition: number;
}

export interface CommissionRate {
  readonly id: number;
  readonly app: number;
  readonly ratePpm: number;
}

/** All apps, rates, wallets and accounts. Amounts are in 10⁻⁶, in columns by account slot. */
export class Accounts {
  readonly apps: App[] = [];
  readonly rates: CommissionRate[] = [];
  readonly wallets = new Map<number, Wallet>();
  wallet = new Int32Array(64);
  currency = new Int32Array(64);
  balance = new Float64Array(64);
  overdraft = new Float64Array(64);
  /** By account: the sum over the wallet's markets of R − M, in 10⁻⁶. */
  unmatchedExposure = new Float64Array(64);
  readonly #slots = new SlotPool();
  readonly #log: EventLog;
  #nextWallet = 0;

  constructor(log: EventLog) {
    this.#log = log;
    const wallet = this.#newWallet(SYSTEM_APP, 'System', 1);
    assert(wallet.id === SYSTEM_WALLET, 'the System wallet is the first');
    this.apps.push(newApp(SYSTEM_APP, SYSTEM_WALLET));
  }

  createApp(): App {
    const id = this.apps.length;
    this.#log.appCreated(id);
    const app = newApp(id, this.createWallet(id, 'Commission').id);
    this.apps.push(app);
    return app;
  }

  createRate(app: App, ratePpm: number): CommissionRate {
    const rate = { id: this.rates.length, app: app.id, ratePpm };
    this.rates.push(rate);
    this.#log.commissionRateCreated(app.id, rate.id, ratePpm);
    return rate;
  }

  createWallet(app: number, type: WalletType, moneyStep = 1): Wallet {
    const wallet = this.#newWallet(app, type, moneyStep);
    if (type === 'User') defined(this.apps[app], 'a User wallet has an app').wallets.push(wallet.id);
    this.#log.walletCreated(app, wallet.id, type);
    return wallet;
  }

  /** The slot of the wallet's account in a currency. Where there was none, it is opened and an event reports it. */
  open(wallet: Wallet, currency: number): number {
    const known = wallet.accounts.get(currency);
    if (known !== undefined) return known;
    const account = this.#slots.acquire();
    if (account >= this.wallet.length) this.#grow(this.wallet.length * 2);
    this.wallet[account] = wallet.id;
    this.currency[account] = currency;
    this.balance[account] = 0;
    this.overdraft[account] = 0;
    this.unmatchedExposure[account] = 0;
    wallet.accounts.set(currency, account);
    this.#log.accountOpened(wallet.id, currency);
    return account;
  }

  /** Removes the escrow wallet of a forgotten market, which settlement has emptied. */
  dropEscrow(id: number): void {
    const wallet = this.defined(id);
    for (const account of wallet.accounts.values()) {
      assert(this.balance[account] === 0, 'only an empty wallet is dropped');
      this.#slots.release(account);
    }
    this.wallets.delete(id);
  }

  defined(wallet: number): Wallet {
    return defined(this.wallets.get(wallet), 'a wallet in use exists');
  }

  balanceOf(account: number): Money {
    return (this.balance[account] ?? 0) as Money;
  }

  overdraftOf(account: number): Money {
    return (this.overdraft[account] ?? 0) as Money;
  }

  /** The sum over the wallet's markets of R − M. */
  exposureOf(account: number): Money {
    return (this.unmatchedExposure[account] ?? 0) as Money;
  }

  available(account: number): Money {
    return (this.balanceOf(account) + this.overdraftOf(account) - this.exposureOf(account)) as Money;
  }

  /** The money step of an account's wallet. */
  stepOf(account: number): number {
    return this.defined(this.wallet[account] ?? -1).moneyStep;
  }

  /** Whether the wallet has any credit in any currency. */
  hasCredit(wallet: Wallet): boolean {
    for (const account of wallet.accounts.values()) if (this.available(account) > 0) return true;
    return false;
  }

  /**
   * Posts one pair: `amount` leaves one account and enters the other, reported in that order. `first` is the wallet of
   * the first posting, whichever way the money goes: a negative amount is taken from `second`.
   */
  post(first: number, second: number, code: number, amount: number, market: number): void {
    assert(Number.isSafeInteger(amount), 'a posting is a whole number of 10⁻⁶');
    this.balance[first] = this.balanceOf(first) - amount;
    this.balance[second] = this.balanceOf(second) + amount;
    this.#log.transaction(this.wallet[first] ?? 0, this.currency[first] ?? 0, code, -amount, market);
    this.#log.transaction(this.wallet[second] ?? 0, this.currency[second] ?? 0, code, amount, market);
  }

  #newWallet(app: number, type: WalletType, moneyStep: number): Wallet {
    const accounts = new Map<number, number>();
    const wallet = { id: this.#nextWallet, app, type, moneyStep, accounts, firstPosition: -1 };
    this.#nextWallet += 1;
    this.wallets.set(wallet.id, wallet);
    return wallet;
  }

  #grow(capacity: number): void {
    this.wallet = grownInts(this.wallet, capacity);
    this.currency = grownInts(this.currency, capacity);
    this.balance = grownFloats(this.balance, capacity);
    this.overdraft = grownFloats(this.overdraft, capacity);
    this.unmatchedExposure = grownFloats(this.unmatchedExposure, capacity);
  }
}

function newApp(id: number, commissionWallet: number): App {
  const wallets: number[] = [];
  return { id, commissionWallet, wallets, orderByReference: new Map(), defaultRate: undefined, heartbeat: undefined };
}
