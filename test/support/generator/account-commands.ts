/** Draws commands of apps, wallets, money and heartbeats. */

import type { Money } from '../../../src/core/number/units.ts';
import type { Timeless } from '../command-generator.ts';
import type { World } from '../oracle/world.ts';
import type { Random } from '../random.ts';

const APPS = 3;
const WALLETS_PER_APP = 2;
export const CURRENCIES = [0, 1];
/** All deposits of a currency stay below this, so that every sum is a whole number that a double holds exactly. */
const DEPOSITED_MAX = 4_000_000_000n * 1_000_000n;

const WEIGHTS = {
  heartbeat: 16,
  deleteHeartbeat: 6,
  deposit: 26,
  withdraw: 9,
  transfer: 9,
  adjust: 6,
  setOverdraft: 5,
  createCommissionRate: 4,
  createWallet: 3,
  openAccount: 3,
  createApp: 1,
};

export class AccountCommands {
  readonly #random: Random;
  readonly #world: World;

  constructor(random: Random, world: World) {
    this.#random = random;
    this.#world = world;
  }

  /** The commands that must come before any other makes sense; undefined once they were drawn. */
  setup(): Timeless | undefined {
    const { apps, rates, wallets } = this.#world;
    if (apps.length <= APPS) return { kind: 'createApp' };
    const users = wallets.filter((wallet) => wallet.type === 'User');
    if (users.length < APPS * WALLETS_PER_APP)
      // The second wallet of each app is settled in hundredths, or in whole units.
      return {
        kind: 'createWallet',
        app: 1 + (users.length % APPS),
        ...(users.length < APPS ? {} : { moneyStep: users.length === APPS ? 1_000_000 : 10_000 }),
      };
    if (rates.length < 3) {
      const ratePpm = this.#random.pick([10_000, 20_000, 50_000, 33_333]);
      return { kind: 'createCommissionRate', app: 1 + (rates.length % 2), ratePpm, isDefault: rates.length < 2 };
    }
    for (const currency of CURRENCIES) {
      // The last wallet has no account in the second currency.
      const owners = currency === 0 ? users : users.slice(0, -1);
      const bare = owners.slice(0, 6).find((user) => user.accounts.every((account) => account.currency !== currency));
      if (bare !== undefined) return { kind: 'openAccount', wallet: bare.id, currency };
      const poor = owners.slice(0, 5).find((user) => user.accounts.every((one) => one.balance === 0n));
      if (poor !== undefined)
        return { kind: 'deposit', wallet: poor.id, currency, amount: this.#fortune(currency, 50_000_000_000) };
    }
    return undefined;
  }

  /** Lifts the block of a lapsed heartbeat after a while, so that the app can trade on. */
  repair(): Timeless | undefined {
    const blocked = this.#world.apps.find((app) => app.heartbeat?.active === false);
    if (blocked === undefined || !this.#random.chance(0.3)) return undefined;
    return { kind: 'deleteHeartbeat', app: blocked.id };
  }

  next(): Timeless {
    const kind = this.#random.weighted(WEIGHTS);
    const app = this.#random.chance(0.04) ? 99 : this.#random.between(0, this.#world.apps.length - 1);
    switch (kind) {
      case 'createApp':
        return { kind };
      case 'createWallet':
      case 'deleteHeartbeat':
        return { kind, app };
      case 'heartbeat':
        return { kind, app, timeoutMs: this.#random.pick([10_000, 15_000, 60_000, 60_000, 300_000, 9_999, 300_001]) };
      case 'createCommissionRate': {
        const ratePpm = this.#random.pick([0, 1, 10_000, 65_000, 1_000_000, 12_345, -1]);
        return { kind, app, ratePpm, isDefault: this.#random.chance(0.4) };
      }
      default:
        return this.#money(kind);
    }
  }

  #money(kind: 'openAccount' | 'deposit' | 'withdraw' | 'transfer' | 'adjust' | 'setOverdraft'): Timeless {
    const currency = this.#random.pick(CURRENCIES);
    const wallet = this.#wallet();
    const small = this.#random.pick([0, -5_000_000, 1, 999, 250_000, 10_000_000, 100_000_123, 5_000_000_000]) as Money;
    switch (kind) {
      case 'openAccount':
        return { kind, wallet, currency };
      case 'deposit':
        return { kind, wallet, currency, amount: this.#random.chance(0.7) ? this.#fortune(currency) : small };
      case 'setOverdraft':
        return { kind, wallet, currency, overdraft: small };
      case 'transfer':
        return { kind, from: wallet, to: this.#wallet(), currency, amount: small };
      case 'withdraw':
      case 'adjust':
        return { kind, wallet, currency, amount: small };
    }
  }

  /** Mostly a user's wallet, now and then a commission wallet or one that does not exist. */
  #wallet(): number {
    if (this.#random.chance(0.03)) return this.#random.pick([999, -1]);
    const kinds = this.#random.chance(0.05) ? ['User', 'Commission'] : ['User'];
    return this.#random.pick(this.#world.wallets.filter((wallet) => kinds.includes(wallet.type))).id;
  }

  #fortune(currency: number, least = 0): Money {
    const system = this.#world.wallets[0]?.accounts.find((account) => account.currency === currency);
    const room = DEPOSITED_MAX + (system?.balance ?? 0n) > 1_100_000_000n * 1_000_000n;
    const amounts = [40_000, 5_000_000, 400_000_001, 9_000_000_000, 30_000_000_000, 90_000_000_000, 800_000_000_000];
    if (room && this.#random.chance(currency === 1 ? 0.4 : 0.05)) return 1_000_000_000_000_000 as Money;
    return this.#random.pick(amounts.filter((amount) => amount >= least)) as Money;
  }
}
