/** What a caller of the stream may see of markets, orders and wallets. */

import type { OrderView } from '../../matching/views.ts';
import type { Caller } from '../operations/operation.ts';
import { numericId } from '../world/ids.ts';
import type { WalletRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { ALL } from './subscriptions.ts';

/** An unpublished market is its owner's alone (profile section 6). */
export function seesMarket(caller: Pick<Caller, 'app'>, owner: number, published: boolean): boolean {
  return published || caller.app === owner;
}

export function seesWallet(caller: Pick<Caller, 'app' | 'wallet'>, { wallet, app }: WalletRecord): boolean {
  return caller.wallet === undefined ? caller.app === app : caller.wallet === wallet;
}

/** The ids under which an order is subscribed to: all, its own, all of its app, all of its wallet. */
export function orderTopics(world: World, order: OrderView): readonly string[] {
  const app = world.holders.app(order.app).id;
  return [ALL, numericId(order.id), `${app}:${ALL}`, `${app}:${world.holders.wallet(order.wallet).id}`];
}

/** A wallet's key sees its own wallet's orders alone; house apps' orders are invisible but for the books. */
export function orderViewFor(
  world: World,
  caller: Pick<Caller, 'app' | 'wallet'>,
  order: Pick<OrderView, 'app' | 'wallet'>,
): 'own' | 'foreign' | undefined {
  if (caller.wallet !== undefined) return caller.wallet === order.wallet ? 'own' : undefined;
  if (caller.app === order.app) return 'own';
  return world.holders.app(order.app).isHouse ? undefined : 'foreign';
}
