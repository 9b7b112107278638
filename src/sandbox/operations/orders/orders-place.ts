/**
 * Operations that place orders: the whole request is validated first, then the exchange machine judges each item;
 * answers are in request order.
 */

import { Type } from '@sinclair/typebox';
import { BESIDE_ORDERS } from '../../../betdex/wire/answers.ts';
import type { PlainMeta } from '../../../betdex/wire/basics/meta.ts';
import { type NewOrder, newOrderOf, newOrdersOfBatch } from '../../../betdex/wire/messages/new-order-codec.ts';
import type { Order, OrderFailure } from '../../../betdex/wire/shapes/orders.ts';
import { writer } from '../../../codec/codec-write.ts';
import { faultText, type WireResult } from '../../../codec/fault.ts';
import type { Written } from '../../../codec/notation.ts';
import { isObject } from '../../../codec/schema-node.ts';
import { assert, defined } from '../../../core/checks/assert.ts';
import type { OrderErrorCode } from '../../../core/order.ts';
import type { PlaceRequest } from '../../../matching/messages/command.ts';
import type { CommandRefusal } from '../../../matching/messages/event.ts';
import type { SandboxContext } from '../../context/sandbox-context.ts';
import { orderDocument, orderFailure, refusalText } from '../../documents/orders/order.ts';
import { type BesideOrders, besideOrders } from '../../documents/orders/order-extras.ts';
import type { ChangeRefusal } from '../../world/change.ts';
import { countOfId, numericId } from '../../world/ids.ts';
import type { World } from '../../world/world.ts';
import { plainAnswer } from '../shared/answers.ts';
import { type Call, type Caller, type Operate, type Problem, problem } from '../shared/operation.ts';
import { plainMeta } from '../shared/paging.ts';
import { forbidden, isProblem, mayUse, refusedBy } from '../shared/scope.ts';
import { answerOrders, orderViews } from './orders-read.ts';

type PlaceContext = { readonly context: SandboxContext; readonly caller: Caller };

/** The exchange machine's number of the order, or the code of its failure. */
type Placed = number | OrderErrorCode;

export const createOrders: Operate<'createOrders'> = ({ context, world, caller, body }) => {
  const placed = place({ context, caller }, newOrdersOfBatch(body));
  if (isProblem(placed)) return placed;
  const views = orderViews(
    world,
    placed.filter((each) => typeof each === 'number'),
  );
  let next = 0;
  const orders = placed.map((each) => {
    if (typeof each !== 'number') return orderFailure(each);
    next += 1;
    return orderDocument(world, defined(views[next - 1], 'each order has a view'));
  });
  return { kind: 'text', text: batchText(plainMeta('orders', orders.length), orders, besideOrders(world, views)) };
};

export const createOrder: Operate<'createOrder'> = ({ context, world, caller, body }) => {
  const order = placeOne({ context, caller }, body);
  return typeof order === 'number' ? answerOrders(world, [order]) : order;
};

export const requestOrder: Operate<'requestOrder'> = ({ context, caller, body }) => {
  const order = placeOne({ context, caller }, body);
  if (typeof order !== 'number') return order;
  return plainAnswer('ids', 1, { ids: [numericId(order)] });
};

/** The sandbox processes the requests at once, so the ids are those of the orders, which can be read from now on. */
export const requestOrders: Operate<'requestOrders'> = ({ context, caller, body }) => {
  const placed = place({ context, caller }, newOrdersOfBatch(body));
  if (isProblem(placed)) return placed;
  const ids = placed.map((each) => (typeof each === 'number' ? { id: numericId(each) } : orderFailure(each)));
  return plainAnswer('ids', ids.length, { ids });
};

/**
 * Places a single order. Its answer has no item that could carry a failure, so a failure is 400 with the code as title
 * and its sentence in details; but 503 for INTERRUPTED, which leaves open what became of the order, as no 400 does.
 */
function placeOne(asker: PlaceContext, body: Call<'createOrder'>['body']): number | Problem {
  const read = newOrderOf(body);
  const placed = place(asker, read.kind === 'read' ? { kind: 'read', value: [read.value] } : read);
  if (isProblem(placed)) return placed;
  const order = defined(placed[0], 'one order was placed');
  if (typeof order === 'number') return order;
  return problem(order === 'INTERRUPTED' ? 503 : 400, order, refusalText(order));
}

/** The result by item. A problem concerns the whole request, and then no order is created. */
function place({ context, caller }: PlaceContext, read: WireResult<readonly NewOrder[]>): readonly Placed[] | Problem {
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
  // Order numbers count up: if every item became an order, no event needs to be read as an object.
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

/** 403 where a wallet's key places into another wallet of its app. */
function refuseOtherWallets(world: World, caller: Caller, orders: readonly NewOrder[]): Problem | undefined {
  if (caller.wallet === undefined) return undefined;
  const isOther = ({ walletId }: NewOrder) => {
    const record = world.registry.walletById(walletId);
    return record !== undefined && record.app === caller.app && !mayUse(world, caller, record.wallet);
  };
  const other = orders.find(isOther);
  return other === undefined ? undefined : forbidden(`the key is not one of wallet ${other.walletId}`);
}

/** Placeholder number of a wallet, market or outcome that does not exist; the exchange machine answers "not found". */
const UNKNOWN_NUMBER = -1;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The machine's request of an item. Unknown ids are passed on as placeholders, so that the machine's order of checks
 * decides which is reported. Called for each of the 50 orders of a batch: objects of varying fields are slow to make,
 * so the optional ones are assigned.
 */
function requestOf(context: SandboxContext, caller: Caller, order: NewOrder): PlaceRequest {
  const { catalogue, registry } = context.world;
  const { reference, commissionRateId } = order;
  const market = countOfId(order.marketId) ?? UNKNOWN_NUMBER;
  const named = catalogue.outcomes.get(order.outcomeId);
  const fault = context.takeOrderFault(caller.app);
  const request: Mutable<PlaceRequest> = {
    wallet: registry.walletById(order.walletId)?.wallet ?? UNKNOWN_NUMBER,
    market,
    side: order.side,
    outcome: named?.market === market ? named.outcome : UNKNOWN_NUMBER,
    tick: order.tick,
    stake: order.stake,
    keepWhenInPlay: order.keepWhenInPlay,
    matchBehavior: order.matchBehavior,
  };
  if (reference !== undefined) request.reference = reference;
  if (commissionRateId !== undefined)
    request.commissionRate = registry.rateById(commissionRateId)?.rate ?? UNKNOWN_NUMBER;
  if (fault !== undefined) request.fault = fault;
  return request;
}

type Item = Written<typeof Order> | Written<typeof OrderFailure>;

const writeBeside = writer(Type.Object(BESIDE_ORDERS));

/**
 * The answer to a batch of orders as JSON text, written by itself, since every order that is placed waits for it. The items are not passed
 * through a writer, which halves the cost: `orderDocument` and `orderFailure` produce the same fields in the same order.
 */
function batchText(_meta: Written<typeof PlainMeta>, orders: readonly Item[], beside: BesideOrders): string {
  const besides = writeBeside(beside);
  assert(isObject(besides), 'a writer of an object gives one');
  return JSON.stringify({ _meta, orders, ...besides });
}
