/** What a caller may see and use: an app's key all of its app, a wallet's key that wallet alone. */

import type { ChangeRefusal } from '../../world/change.ts';
import type { WalletRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { type Caller, type Problem, problem } from './operation.ts';

export function isProblem(value: object): value is Problem {
  return 'kind' in value && value.kind === 'problem';
}

/** 404: nobody is told whether an id that is not of his app names anything. */
export function unknown(what: string): Problem {
  return problem(404, 'Not found', `there is no ${what}`);
}

/** 403: what is of the caller's app, but not for this key (profile section 7). */
export function forbidden(why: string): Problem {
  return problem(403, 'Forbidden', why);
}

/** 400: the world did not make a change, which says what was wrong with it. */
export function refusedBy({ what }: ChangeRefusal): Problem {
  return problem(400, 'Bad request', what);
}

/** A problem where a wallet's key calls for what only the app's keys may do. */
export function refuseWalletKey(caller: Caller): Problem | undefined {
  return caller.wallet === undefined ? undefined : forbidden('only a key of the app may do this, not one of a wallet');
}

/** Whether a wallet of any app is the caller's to use. */
export function mayUse(world: World, caller: Caller, wallet: number): boolean {
  if (caller.wallet !== undefined) return caller.wallet === wallet;
  return world.holders.wallets.get(wallet)?.app === caller.app;
}

/** The User wallets that the caller may use, by the machine's ids, the oldest first. */
export function userWalletsOf(world: World, caller: Caller): readonly number[] {
  return caller.wallet === undefined ? (world.exchange.app(caller.app)?.wallets ?? []) : [caller.wallet];
}

/** Those of them that a list of the API's ids names; all where there is no list. Other ids name nothing. */
export function userWalletsNamed(world: World, caller: Caller, ids: readonly string[] | undefined): readonly number[] {
  const own = userWalletsOf(world, caller);
  if (ids === undefined) return own;
  const named = new Set(ids.map((id) => world.holders.walletById(id)?.wallet));
  return own.filter((wallet) => named.has(wallet));
}

/** The wallet that an address names. */
export function ownWallet(world: World, caller: Caller, id: string): WalletRecord | Problem {
  const record = world.holders.walletById(id);
  if (record === undefined || record.app !== caller.app) return unknown(`wallet ${id}`);
  return mayUse(world, caller, record.wallet) ? record : forbidden(`the key is not one of wallet ${id}`);
}
