/** New orders: the shape of the whole request first, then each item by the machine, answered in request order. */

import { faultText, type WireResult } from '../../../betdex/wire/codec/fault.ts';
import { type NewOrder, newOrderOf, newOrdersOfBatch } from '../../../betdex/wire/messages/new-order-codec.ts';
import { present } from '../../../core/checks/assert.ts';
import type { OrderErrorCode } from '../../../core/order.ts';
import type { PlaceRequest } from '../../../matching/messages/command.ts';
import type { CommandRefusal } from '../../../matching/messages/event.ts';
import type { SandboxContext } from '../../context/sandbox-context.ts';
import { batchText } from '../../documents/orders/batch-text.ts';
import { orderDocument, orderFailure, refusalText } from '../../documents/orders/order.ts';
import { besideOrders } from '../../documents/orders/order-extras.ts';
import type { ChangeRefusal } from '../../world/change.ts';
import { countOfId, numericId } from '../../world/ids.ts';
import type { World } from '../../world/world.ts';
import { type Call, type Caller, type Operate, type Problem, problem } from '../shared/operation.ts';
import { plainMeta } from '../shared/paging.ts';
import { forbidden, isProblem, mayUse, refusedBy } from '../shared/scope.ts';
import { answerOrders, orderViews } from './orders-read.ts';

type Asker = { readonly context: SandboxContext; readonly caller: Caller };

/** The machine's id of the order, or why there is none. */
type Placed = number | OrderErrorCode;

export const createOrders: Operate<'createOrders'> = ({ context, caller, body }) => {
  const placed = place({ context, caller }, newOrdersOfBatch(body));
  if (isProblem(placed)) return placed;
  const { world } = context;
  const views = orderViews(
    world,
    placed.filter((each) => typeof each === 'number'),
  );
  let next = 0;
  const orders = placed.map((each) => {
    if (typeof each !== 'number') return orderFailure(each);
    next += 1;
    return orderDocument(world, present(views[next - 1], 'each order has a view'));
  });
  return { kind: 'text', text: batchText(plainMeta('orders', orders.length), orders, besideOrders(world, views)) };
};

export const createOrder: Operate<'createOrder'> = ({ context, caller, body }) => {
  const order = placeOne({ context, caller }, body);
  return typeof order === 'number' ? answerOrders(context.world, [order]) : order;
};

export const requestOrder: Operate<'requestOrder'> = ({ context, caller, body }) => {
  const order = placeOne({ context, caller }, body);
  if (typeof order !== 'number') return order;
  return { kind: 'answer', answer: { _meta: plainMeta('ids', 1), ids: [numericId(order)] } };
};

/** The sandbox processes the requests at once: the ids are those of the orders, which are found from now on. */
export const requestOrders: Operate<'requestOrders'> = ({ context, caller, body }) => {
  const placed = place({ context, caller }, newOrdersOfBatch(body));
  if (isProblem(placed)) return placed;
  const ids = placed.map((each) => (typeof each === 'number' ? { id: numericId(each) } : orderFailure(each)));
  return { kind: 'answer', answer: { _meta: plainMeta('ids', ids.length), ids } };
};

/**
 * The rule for one order alone, where no item can carry its failure: 400 with the code as the title and its sentence
 * in details; but 503 for INTERRUPTED, which leaves open what became of the order, as no 400 does.
 */
function placeOne(asker: Asker, body: Call<'createOrder'>['body']): number | Problem {
  const read = newOrderOf(body);
  const placed = place(asker, read.kind === 'read' ? { kind: 'read', value: [read.value] } : read);
  if (isProblem(placed)) return placed;
  const order = present(placed[0], 'one order was placed');
  if (typeof order === 'number') return order;
  return problem(order === 'INTERRUPTED' ? 503 : 400, order, refusalText(order));
}

/** By item. A problem concerns the whole request, of which nothing is then created. */
function place({ context, caller }: Asker, read: WireResult<readonly NewOrder[]>): readonly Placed[] | Problem {
  if (read.kind === 'faults') return problem(400, 'Bad request', ...read.faults.map(faultText));
  const { world } = context;
  const refusal = refuseOtherWallets(world, caller, read.value);
  if (refusal !== undefined) return refusal;
  const requests = read.value.map((order) => requestOf(context, caller, order));
  const { orders } = world.exchange.inspect();
  const first = orders.created;
  const command = { kind: 'place', app: caller.app, requests } as const;
  const changed = context.apply({ at: context.now(), kind: 'command', command });
  if (changed.kind === 'refused') return refusalOf(changed.refusal);
  // Ids count up, so that where every item became an order no event need be made into an object to be read.
  if (orders.created - first === requests.length) return requests.map((_, item) => first + item);
  const placed: Placed[] = [];
  for (const event of changed.events) {
    if (event.kind === 'orderAccepted') placed[event.item] = event.order;
    else if (event.kind === 'orderRefused') placed[event.item] = event.code;
  }
  return placed;
}

function refusalOf(refusal: ChangeRefusal): Problem {
  const isBlocked = refusal.what === ('HEARTBEAT_LAPSED' satisfies CommandRefusal);
  return isBlocked ? forbidden('the heartbeat has lapsed: orders are blocked until it is deleted') : refusedBy(refusal);
}

/** A wallet's key places into its wallet; that the app has others is no secret from it, but they are not for it. */
function refuseOtherWallets(world: World, caller: Caller, orders: readonly NewOrder[]): Problem | undefined {
  if (caller.wallet === undefined) return undefined;
  const isOther = ({ walletId }: NewOrder) => {
    const record = world.holders.walletById(walletId);
    return record !== undefined && record.app === caller.app && !mayUse(world, caller, record.wallet);
  };
  const other = orders.find(isOther);
  return other === undefined ? undefined : forbidden(`the key is not one of wallet ${other.walletId}`);
}

/** What the machine finds by no id. */
const NOBODY = -1;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Ids that name nothing go to the machine as such, so that its order of checks decides which of them is told. Made for
 * each of the 50 orders of a batch: written out, because an object without some of another's fields is made slowly.
 */
function requestOf(context: SandboxContext, caller: Caller, order: NewOrder): PlaceRequest {
  const { catalogue, holders } = context.world;
  const { reference, commissionRateId } = order;
  const market = countOfId(order.marketId) ?? NOBODY;
  const named = catalogue.outcomes.get(order.outcomeId);
  const fault = context.takeOrderFault(caller.app);
  const request: Mutable<PlaceRequest> = {
    wallet: holders.walletById(order.walletId)?.wallet ?? NOBODY,
    market,
    side: order.side,
    outcome: named?.market === market ? named.outcome : NOBODY,
    tick: order.tick,
    stake: order.stake,
    keepWhenInPlay: order.keepWhenInPlay,
    matchBehavior: order.matchBehavior,
  };
  if (reference !== undefined) request.reference = reference;
  if (commissionRateId !== undefined) request.commissionRate = holders.rateById(commissionRateId)?.rate ?? NOBODY;
  if (fault !== undefined) request.fault = fault;
  return request;
}
