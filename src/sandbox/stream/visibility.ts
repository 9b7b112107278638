/** What a caller of the stream may see of markets, orders and wallets. */

import type { OrderView } from '../../matching/state/views.ts';
import type { Caller } from '../operations/shared/operation.ts';
import { countOfId, numericId } from '../world/ids.ts';
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

/** Whether an id of orders names what is another app's alone: an app's id before a colon, or an order of another's. */
export function isForeignOrderTopic(world: World, { app }: Pick<Caller, 'app'>, id: string): boolean {
  const colon = id.indexOf(':');
  if (colon >= 0) return id.slice(0, colon) !== world.holders.app(app).id;
  const order = countOfId(id);
  const owner = order === undefined ? undefined : world.exchange.order(order)?.app;
  return owner !== undefined && owner !== app;
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
