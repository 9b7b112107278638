/** The accounts of the exchange: one for each user name, opened at its first login with money to bet with. */

import { defined } from '../../core/checks/assert.ts';
import { MONEY_SCALE, type Money, money } from '../../core/number/units.ts';
import type { SandboxContext } from '../../sandbox/context/sandbox-context.ts';
import { hashOfSecret } from '../../sandbox/operations/accounts/secret-hash.ts';
import { applyChange, mainCurrency } from '../../sandbox/traffic/market-maker.ts';
import type { World } from '../../sandbox/world/world.ts';

export interface Account {
  readonly username: string;
  /** The exchange machine's numbers. */
  readonly app: number;
  readonly wallet: number;
}

/** What a new account has to bet with. */
const OPENING_BALANCE = money(10_000 * MONEY_SCALE);
const USERNAME_MAX = 100;
/** How the ids of accounts begin: the world has other apps. */
const ACCOUNT = 'Account-';

/**
 * The account that a user name and a password open. A new name gets an account, which has that password from then on: this is
 * a sandbox, and nobody else is to be kept out. Undefined where the password is another one.
 */
export function accountOf(context: SandboxContext, username: string, password: string): Account | undefined {
  if (username === '' || username.length > USERNAME_MAX || password === '') return undefined;
  const secretHash = hashOfSecret(`${username}\n${password}`);
  const known = context.world.registry.keys.get(username);
  if (known === undefined) return openAccount(context, username, secretHash);
  return known.secretHash === secretHash ? accountOfApp(context.world, username, known.app) : undefined;
}

function openAccount(context: SandboxContext, username: string, secretHash: string): Account {
  const { world } = context;
  const id = `${ACCOUNT}${world.registry.apps.length}`;
  applyChange(context, { kind: 'createApp', id, name: username });
  const { app } = defined(world.registry.appById(id), 'the app was made');
  applyChange(context, { kind: 'createWallet', app });
  const account = accountOfApp(world, username, app);
  const { currency } = mainCurrency(world);
  const deposit = { kind: 'deposit', wallet: account.wallet, currency, amount: OPENING_BALANCE } as const;
  applyChange(context, { kind: 'command', command: deposit });
  applyChange(context, { kind: 'createKey', app, name: username, secretHash });
  return account;
}

/** All accounts, in the order in which they were opened. */
export function* accountsIn(world: World): IterableIterator<Account> {
  const { registry } = world;
  for (const [username, { app }] of registry.keys)
    if (registry.app(app).id.startsWith(ACCOUNT)) yield accountOfApp(world, username, app);
}

function accountOfApp(world: World, username: string, app: number): Account {
  return { username, app, wallet: defined(world.exchange.app(app)?.wallets[0], 'an account has its wallet') };
}

/** The account's money: what it may bet with, and what its bets may lose. */
export function fundsOf(world: World, { wallet }: Account): { readonly available: Money; readonly exposure: Money } {
  const held = world.exchange.account(wallet, mainCurrency(world).currency);
  let exposure = 0;
  for (const { required } of world.exchange.positionsOfWallet(wallet)) exposure += required;
  return { available: held?.balanceAvailable ?? (0 as Money), exposure: exposure as Money };
}
