/** The accounts of the exchange: one for each user name, opened at its first login with money to bet with. */

import { defined } from '../../core/checks/assert.ts';
import { type Money, ZERO } from '../../core/number/units.ts';
import type { SandboxContext } from '../../sandbox/context/sandbox-context.ts';
import { hashOfSecret } from '../../sandbox/operations/accounts/secret-hash.ts';
import { applyChange, mainCurrency } from '../../sandbox/traffic/market-maker.ts';
import type { AppRecord } from '../../sandbox/world/records.ts';
import type { World } from '../../sandbox/world/world.ts';
import { type AccountTerms, USUAL_TERMS } from '../names/account-terms.ts';
import { amountOf, sizeOf, sumOf } from '../names/amounts.ts';
import { POUND, pennyOf } from '../names/currencies.ts';

export interface Account {
  readonly username: string;
  /** The exchange machine's numbers. */
  readonly app: number;
  readonly wallet: number;
  readonly currency: string;
  /** A hundredth of the currency, in 10⁻⁶ of a pound. */
  readonly penny: number;
}

/** What accounts are opened by. */
interface Opening {
  readonly context: SandboxContext;
  /** The terms of some accounts, by user name; all others have the usual ones. */
  readonly settings: { readonly accounts: ReadonlyMap<string, AccountTerms> };
}

/** What a new account has to bet with, in pennies of its currency. */
const OPENING_PENNIES = 1_000_000;
const USERNAME_MAX = 100;
/** The ids of accounts begin so, and those in another currency than pounds end with it: the world has other apps. */
const ACCOUNT = 'Account-';

/**
 * The account that a user name and a password open. A new name gets an account, which has that password from then on: this is
 * a sandbox, and nobody else is to be kept out. Undefined where the password is another one.
 */
export function accountOf(face: Opening, username: string, password: string): Account | undefined {
  if (username === '' || username.length > USERNAME_MAX || password === '') return undefined;
  const { world } = face.context;
  const secretHash = hashOfSecret(`${username}\n${password}`);
  const known = world.registry.keys.get(username);
  if (known === undefined) return openAccount(face, username, secretHash);
  return known.secretHash === secretHash ? accountOfApp(world, username, known.app) : undefined;
}

export function termsOf({ settings }: Pick<Opening, 'settings'>, username: string): AccountTerms {
  return settings.accounts.get(username) ?? USUAL_TERMS;
}

function openAccount({ context, settings }: Opening, username: string, secretHash: string): Account {
  const { world } = context;
  const { currency } = termsOf({ settings }, username);
  const penny = defined(pennyOf(currency), 'the currencies of accounts are known');
  const id = `${ACCOUNT}${world.registry.apps.length}${currency === POUND ? '' : `-${currency}`}`;
  applyChange(context, { kind: 'createApp', id, name: username });
  const { app } = defined(world.registry.appById(id), 'the app was made');
  applyChange(context, { kind: 'createWallet', app, moneyStep: penny });
  const account = accountOfApp(world, username, app);
  const { currency: pounds } = mainCurrency(world);
  const amount = (OPENING_PENNIES * penny) as Money;
  applyChange(context, {
    kind: 'command',
    command: { kind: 'deposit', wallet: account.wallet, currency: pounds, amount },
  });
  applyChange(context, { kind: 'createKey', app, name: username, secretHash });
  return account;
}

/** Whether an app of the world is an account, and no traffic of the sandbox. */
export function isAccount({ id }: Pick<AppRecord, 'id'>): boolean {
  return id.startsWith(ACCOUNT);
}

/** All accounts, in the order in which they were opened. */
export function* accountsIn(world: World): IterableIterator<Account> {
  const { registry } = world;
  for (const [username, { app }] of registry.keys)
    if (isAccount(registry.app(app))) yield accountOfApp(world, username, app);
}

function accountOfApp(world: World, username: string, app: number): Account {
  const wallet = defined(world.exchange.app(app)?.wallets[0], 'an account has its wallet');
  const [, , currency = POUND] = world.registry.app(app).id.split('-');
  return { username, app, wallet, currency, penny: defined(pennyOf(currency), 'an account has a known currency') };
}

/** The account's money in its own currency: what it may bet with, and what its bets may lose, which add up to all of it. */
export function fundsOf(
  world: World,
  { wallet, penny }: Account,
): { readonly available: number; readonly exposure: number } {
  const held = world.exchange.account(wallet, mainCurrency(world).currency)?.balanceAvailable ?? ZERO;
  let required = 0;
  for (const position of world.exchange.positionsOfWallet(wallet)) required += position.required;
  const available = sizeOf(held, penny);
  return { available, exposure: sumOf([amountOf(held + required, penny), -available]) };
}
