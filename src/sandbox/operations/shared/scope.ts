/** Decides what a caller may see and use: with an app's key its whole app, with a wallet's key that wallet only. */

import type { ChangeRefusal } from '../../world/change.ts';
import type { WalletRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { type Caller, type Problem, problem } from './operation.ts';

export function isProblem(value: object): value is Problem {
  return 'kind' in value && value.kind === 'problem';
}

/** 404, also for ids of other apps, so that nobody learns whether they exist. */
export function unknown(what: string): Problem {
  return problem(404, 'Not found', `there is no ${what}`);
}

/** 403 for something of the caller's app that this key may not use (profile section 7). */
export function forbidden(why: string): Problem {
  return problem(403, 'Forbidden', why);
}

/** 400 with the reason why the world refused a change. */
export function refusedBy({ what }: ChangeRefusal): Problem {
  return problem(400, 'Bad request', what);
}

/** Makes an operation that only keys of an app may call: the answer to a wallet's key is a problem. */
export function appKeyOnly<C extends { readonly caller: Caller }, R>(operate: (call: C) => R) {
  return (call: C): R | Problem =>
    call.caller.wallet === undefined
      ? operate(call)
      : forbidden('only a key of the app may do this, not one of a wallet');
}

/** Whether the caller may use the wallet. */
export function mayUse(world: World, caller: Pick<Caller, 'app' | 'wallet'>, wallet: number): boolean {
  if (caller.wallet !== undefined) return caller.wallet === wallet;
  return world.registry.wallets.get(wallet)?.app === caller.app;
}

/** The User wallets that the caller may use, by the exchange machine's numbers, the oldest first. */
function userWalletsOf(world: World, caller: Caller): readonly number[] {
  return caller.wallet === undefined ? (world.exchange.app(caller.app)?.wallets ?? []) : [caller.wallet];
}

/**
 * Those of the caller's User wallets that are in a list of ids; all where there is no list. Other ids match nothing.
 */
export function userWalletsNamed(world: World, caller: Caller, ids: readonly string[] | undefined): readonly number[] {
  const own = userWalletsOf(world, caller);
  if (ids === undefined) return own;
  const named = new Set(ids.map((id) => world.registry.walletById(id)?.wallet));
  return own.filter((wallet) => named.has(wallet));
}

/** The wallet with an id; a problem where the caller may not use it. */
export function ownWallet(world: World, caller: Caller, id: string): WalletRecord | Problem {
  const record = world.registry.walletById(id);
  if (record === undefined || record.app !== caller.app) return unknown(`wallet ${id}`);
  return mayUse(world, caller, record.wallet) ? record : forbidden(`the key is not one of wallet ${id}`);
}
