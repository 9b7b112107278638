/** Reduces a resting order, and changes whether it stays in play. */

import type { OrderCommand } from '../../../src/matching/messages/command.ts';
import type { CommandRefusal } from '../../../src/matching/messages/event.ts';
import { emitOrder } from './fills.ts';
import { isResting, voidUnmatched } from './orders.ts';
import { disturb, type OracleOrder, type World } from './world.ts';

type Reduce = Extract<OrderCommand, { kind: 'reduce' }>;
type SetKeep = Extract<OrderCommand, { kind: 'setKeep' }>;

export function reduce(world: World, command: Reduce): CommandRefusal | undefined {
  if (command.stake <= 0 || command.stake % 1000 !== 0) return 'INVALID_ARGUMENT';
  const order = namedOrder(world, command);
  if (typeof order === 'string') return order;
  const stake = BigInt(command.stake);
  if (stake >= order.unmatched) {
    voidUnmatched(world, order, 'UserRequest');
    return undefined;
  }
  order.unmatched -= stake;
  order.voided += stake;
  disturb(world, order.market);
  emitOrder(world, order);
  return undefined;
}

export function setKeep(world: World, command: SetKeep): CommandRefusal | undefined {
  const order = namedOrder(world, command);
  if (typeof order === 'string') return order;
  if (order.keepWhenInPlay === command.keepWhenInPlay) return undefined;
  order.keepWhenInPlay = command.keepWhenInPlay;
  emitOrder(world, order);
  return undefined;
}

function namedOrder(world: World, { app, order: id }: Reduce | SetKeep): OracleOrder | CommandRefusal {
  const order = world.orders[id];
  if (order?.app !== app || order.market.forgotten) return 'UNKNOWN_ID';
  return isResting(order) && order.market.status === 'Open' ? order : 'INVALID_MOVE';
}
