/** Operations that cancel orders: those that the request selects and the caller may use; others are skipped. */

import type { OrderCommand } from '../../../matching/messages/command.ts';
import type { SandboxContext } from '../../context/sandbox-context.ts';
import { countOfId, numericId } from '../../world/ids.ts';
import type { World } from '../../world/world.ts';
import { plainAnswer } from '../shared/answers.ts';
import type { Call, Caller, Operate } from '../shared/operation.ts';
import { slotOfOrder, slotsOfWallets, walletOfSlot } from './order-scan.ts';
import { answerOrders, ordersWithBeside, orderViews, ownOrder } from './orders-read.ts';

type CancelCommand = Extract<OrderCommand, { kind: 'cancel' }>;

/**
 * `ids` are the orders whose unmatched stake was cancelled now. A Pending order is cancelled, and listed, only when its
 * delay ends.
 */
export const cancelOrders: Operate<'cancelOrders'> = ({ context, world, caller, body }) => {
  const ids = cancel(context, commandOf(world, caller, body)).map(numericId);
  return plainAnswer('ids', ids.length, { ids });
};

export const cancelOrdersInFull: Operate<'cancelOrdersInFull'> = ({ context, world, caller, body }) => {
  const orders = ordersWithBeside(world, orderViews(world, cancel(context, commandOf(world, caller, body))));
  const totalElements = orders.orders.length;
  return plainAnswer('orders', totalElements, { ...orders, totalElements });
};

/** Answers with the order's state afterwards, whether there was anything to cancel or not. */
export const cancelOrder: Operate<'cancelOrder'> = ({ context, world, caller, path }) => {
  const order = ownOrder(world, caller, path.id);
  if (typeof order !== 'number') return order;
  cancel(context, { kind: 'cancel', app: caller.app, orders: [order] });
  return answerOrders(world, [order]);
};

/** Cancels; returns the exchange machine's numbers of the orders that lost their unmatched stake. */
function cancel(context: SandboxContext, command: CancelCommand): readonly number[] {
  const { orders = [], markets = [], events: ofEvents = [], wallets = [] } = command;
  if (orders.length + markets.length + ofEvents.length + wallets.length === 0) return [];
  const { events } = context.apply({ at: context.now(), kind: 'command', command });
  return events.flatMap((event) => (event.kind === 'orderChanged' ? [event.order] : []));
}

/**
 * The command of a request, which selects an order if any of its arrays names it, its wallet, market or event (profile
 * section 2).
 */
function commandOf(world: World, caller: Caller, body: Call<'cancelOrders'>['body']): CancelCommand {
  const { walletIds = [], eventIds = [], marketIds = [], orderIds = [] } = body;
  const wallets = known(walletIds.map((id) => world.registry.walletById(id)?.wallet));
  const selection = {
    orders: known(orderIds.map(countOfId)),
    markets: known(marketIds.map(countOfId)),
    events: known(eventIds.map(countOfId)),
  };
  const base = { kind: 'cancel', app: caller.app } as const;
  if (caller.wallet === undefined) return { ...base, ...selection, wallets };
  return { ...base, orders: ordersOfWallet(world, caller.wallet, { ...selection, wallets }) };
}

type Selection = Required<Pick<CancelCommand, 'orders' | 'markets' | 'events' | 'wallets'>>;

/**
 * The orders of one wallet in a selection. The exchange machine checks only the app, so for a wallet's key every order
 * is listed.
 */
function ordersOfWallet(world: World, wallet: number, { orders, markets, events, wallets }: Selection): number[] {
  const state = world.exchange.inspect();
  const found = orders.filter((order) => {
    const slot = slotOfOrder(state, order);
    return slot !== undefined && walletOfSlot(state, slot) === wallet;
  });
  const isAll = wallets.includes(wallet);
  const isMarket = new Set(markets);
  const isEvent = new Set(events);
  const slots = slotsOfWallets(state, {
    wallets: [wallet],
    isAsked: ({ id, event }) => isAll || isMarket.has(id) || isEvent.has(event.id),
    liveOnly: true,
  });
  for (const slot of slots) found.push(state.orders.id(slot));
  return found;
}

function known(ids: readonly (number | undefined)[]): number[] {
  return ids.filter((id) => id !== undefined);
}
