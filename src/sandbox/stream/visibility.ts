/** Decides which markets, orders and wallets a caller of the stream may see. */

import type { OrderView } from '../../matching/state/views.ts';
import type { Caller } from '../operations/shared/operation.ts';
import { countOfId, numericId } from '../world/ids.ts';
import type { World } from '../world/world.ts';
import { ALL } from './subscriptions.ts';

/** The ids under which an order can be subscribed to: all orders, this order, all of its app, all of its wallet. */
export function orderTopics(world: World, order: OrderView): readonly string[] {
  const app = world.registry.app(order.app).id;
  return [ALL, numericId(order.id), `${app}:${ALL}`, `${app}:${world.registry.wallet(order.wallet).id}`];
}

/** Whether a subscription id names orders of another app: by an app id before a colon, or by an order's id. */
export function isForeignOrderTopic(world: World, { app }: Pick<Caller, 'app'>, id: string): boolean {
  const colon = id.indexOf(':');
  if (colon >= 0) return id.slice(0, colon) !== world.registry.app(app).id;
  const order = countOfId(id);
  const owner = order === undefined ? undefined : world.exchange.order(order)?.app;
  return owner !== undefined && owner !== app;
}

/**
 * How a caller sees an order; undefined: not at all. A wallet's key sees only its wallet's orders. Orders of the
 * exchange's own apps are hidden from others and show in the books only.
 */
export function orderViewFor(
  world: World,
  caller: Pick<Caller, 'app' | 'wallet'>,
  order: Pick<OrderView, 'app' | 'wallet'>,
): 'own' | 'foreign' | undefined {
  if (caller.wallet !== undefined) return caller.wallet === order.wallet ? 'own' : undefined;
  if (caller.app === order.app) return 'own';
  return world.registry.app(order.app).isHouse ? undefined : 'foreign';
}
