/** Orders in an answer and in the stream, read into facts; what cannot be read is reported by a notice and left out. */

import { ORDER_STATUSES, type OrderStatus } from '../../../core/order.ts';
import { SIDES } from '../../../core/side.ts';
import type { GatewayNotice } from '../../../exchange-live/notice.ts';
import type { OrderFacts, OrderFill } from '../../../exchange-live/orders/order-facts.ts';
import { figureFault, figuresNotice } from '../../../exchange-live/orders/order-figures.ts';
import type { AnswerOf } from '../../client/call.ts';
import { partFromWire, priceFromWire, tickFromWire } from '../../wire/codec/decimals.ts';
import { FaultList, faultText, read, type WireResult } from '../../wire/codec/fault.ts';
import { idFromWire } from '../../wire/codec/ids.ts';
import { instantFromWire } from '../../wire/codec/instants.ts';
import { type OrderDocument, orderOfDocument } from '../../wire/messages/order-codec.ts';
import type { ServerMessage } from '../../wire/messages/stream-codec.ts';

type TradeSummary = AnswerOf<'listOrders'>['trades'][number];
export type OrderUpdate = Extract<ServerMessage, { readonly type: 'OrderUpdate' }>;
type Note = (notice: GatewayNotice) => void;

/** The fills in an answer, by order id. */
export function fillsByOrder(trades: readonly TradeSummary[], note: Note): ReadonlyMap<string, readonly OrderFill[]> {
  const fills = new Map<string, OrderFill[]>();
  for (const trade of trades) {
    const fill = taken(fillOf(trade), `trade ${trade.id}`, note);
    const order = trade.order._ids[0];
    if (fill === undefined || order === undefined) continue;
    const known = fills.get(order);
    if (known === undefined) fills.set(order, [fill]);
    else known.push(fill);
  }
  return fills;
}

/** The facts of an order, or undefined if its document makes no sense. */
export function factsOfDocument(
  document: OrderDocument,
  fills: ReadonlyMap<string, readonly OrderFill[]>,
  note: Note,
): OrderFacts | undefined {
  const order = taken(orderOfDocument(document), `order ${document.id}`, note);
  if (order === undefined) return undefined;
  const status = statusOf(order.status, document.id, note);
  const { id, marketId, outcomeId, side, tick, stake, stakeUnmatched, stakeVoided, modifiedAt } = order;
  return possible(
    {
      id,
      marketId,
      outcomeId,
      side,
      tick,
      stake,
      stakeUnmatched,
      stakeVoided,
      status,
      modifiedAt,
      reference: order.reference,
      walletId: order.walletId,
      reason: order.cancellationReason,
      fills: fills.get(document.id) ?? [],
    },
    note,
  );
}

/** The facts of an order in the stream, or undefined, with a notice, if the update makes no sense. */
export function factsOfUpdate(update: OrderUpdate, note: Note): OrderFacts | undefined {
  const faults = new FaultList();
  const id = faults.take(idFromWire(update.orderId), 'orderId');
  const side = SIDES.find((each) => each === update.side) ?? faults.add('UNKNOWN_WORD', 'side');
  const tick = faults.take(tickFromWire(update.price), 'price');
  const stake = faults.take(partFromWire(update.stake), 'stake');
  const stakeUnmatched = faults.take(partFromWire(update.stakeUnmatched), 'stakeUnmatched');
  const stakeVoided = faults.take(partFromWire(update.stakeVoided), 'stakeVoided');
  const modifiedAt = faults.take(instantFromWire(update.modifiedAt), 'modifiedAt');
  const fills = update.trades.map((trade, index) => faults.take(fillOf(trade), `trades[${index}]`));
  const isComplete =
    id !== undefined &&
    side !== undefined &&
    tick !== undefined &&
    stake !== undefined &&
    stakeUnmatched !== undefined &&
    stakeVoided !== undefined &&
    modifiedAt !== undefined;
  taken(faults.result(update), `update of order ${update.orderId}`, note);
  if (!isComplete) return undefined;
  const status = statusOf(update.status, update.orderId, note);
  return possible(
    {
      id,
      side,
      tick,
      stake,
      stakeUnmatched,
      stakeVoided,
      modifiedAt,
      reference: update.reference,
      walletId: update.walletId,
      marketId: update.marketId,
      outcomeId: update.outcomeIndexId,
      status,
      reason: update.cancellationReason,
      fills: fills.filter((fill) => fill !== undefined),
    },
    note,
  );
}

/** The facts, or undefined if their figures are impossible: then what was known of the order before stays valid. */
function possible(facts: OrderFacts, note: Note): OrderFacts | undefined {
  const fault = figureFault(facts);
  if (fault === undefined) return facts;
  note(figuresNotice(facts.id, fault));
  return undefined;
}

function fillOf(trade: { readonly price: number; readonly stake: number }): WireResult<OrderFill> {
  const price = priceFromWire(trade.price);
  if (price.kind !== 'read') return price;
  const stake = partFromWire(trade.stake);
  return stake.kind === 'read' ? read({ price: price.value, stake: stake.value }) : stake;
}

/**
 * A half result settles an order like a whole one, since its money moves with the wallet and not with the report (profile
 * section 6).
 */
const HALF_RESULTS: ReadonlyMap<string, OrderStatus> = new Map<string, OrderStatus>([
  ['HalfWon', 'Won'],
  ['HalfLost', 'Lost'],
  ['Push', 'Voided'],
]);

/** The status, or undefined with a notice if the word is newer than this client. */
function statusOf(word: string, order: string, note: Note): OrderStatus | undefined {
  const status = ORDER_STATUSES.find((each) => each === word) ?? HALF_RESULTS.get(word);
  if (status === undefined)
    note({ kind: 'unreadable', what: `order ${order}`, details: `a status newer than this client: ${word}` });
  return status;
}

function taken<T>(result: WireResult<T>, what: string, note: Note): T | undefined {
  if (result.kind === 'read') return result.value;
  note({ kind: 'unreadable', what, details: result.faults.map(faultText).join('; ') });
  return undefined;
}
