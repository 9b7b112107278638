/** Orders in an answer and in the stream, read into facts; what cannot be read is reported by a notice and left out. */

import { FaultList, faultsText, read, type WireResult } from '../../../codec/fault.ts';
import { instantFromWire } from '../../../codec/instants.ts';
import { sortedOut, Unreadable } from '../../../codec/lenient.ts';
import { type Instant, type Money, ZERO } from '../../../core/number/units.ts';
import { ORDER_STATUSES, type OrderStatus } from '../../../core/order.ts';
import { SIDES } from '../../../core/side.ts';
import type { GatewayNotice } from '../../../exchange-live/notice.ts';
import type { OrderFacts, OrderFill, OrderTerms, TermsOf } from '../../../exchange-live/orders/order-facts.ts';
import { figureFault, figuresNotice } from '../../../exchange-live/orders/order-figures.ts';
import type { UnreadableOrder } from '../../../exchange-live/orders/order-source.ts';
import type { LenientAnswerOf } from '../../client/call.ts';
import { partFromWire, priceFromWire, tickFromWire } from '../../wire/codec/decimals.ts';
import { idFromWire } from '../../wire/codec/ids.ts';
import type { ServerMessage } from '../../wire/messages/stream-codec.ts';

type TradeSummary = LenientAnswerOf<'listOrders'>['trades'][number];
export type OrderDocument = Exclude<LenientAnswerOf<'listOrders'>['orders'][number], Unreadable>;
export type OrderUpdate = Extract<ServerMessage, { readonly type: 'OrderUpdate' }>;
type Note = (notice: GatewayNotice) => void;

/** The fills in an answer, by order id. */
export function fillsByOrder(trades: readonly TradeSummary[], note: Note): ReadonlyMap<string, readonly OrderFill[]> {
  const fills = new Map<string, OrderFill[]>();
  for (const trade of trades) {
    // Matched stake without a fill counts at the order's limit.
    if (trade instanceof Unreadable) {
      note({
        kind: 'unreadable',
        what: `trade ${trade.part.id ?? 'without an id'}`,
        details: faultsText(trade.faults),
      });
      continue;
    }
    const fill = taken(fillOf(trade), `trade ${trade.id ?? 'without an id'}`, note);
    const order = trade.order._ids[0];
    if (fill === undefined || order === undefined) continue;
    const known = fills.get(order);
    if (known === undefined) fills.set(order, [fill]);
    else known.push(fill);
  }
  return fills;
}

/** What an order is read with: its fills, what is known of it if it is ours, and when it was read. */
export interface OrderBackground {
  readonly fills: ReadonlyMap<string, readonly OrderFill[]>;
  readonly termsOf: TermsOf;
  readonly readAt: Instant;
}

/** The facts of an order, or undefined, with a notice, if its document makes no sense. */
export function factsOfDocument(
  document: OrderDocument | Unreadable<OrderDocument>,
  { fills, termsOf, readAt }: OrderBackground,
  note: Note,
): OrderFacts | undefined {
  const { id: name = 'without an id' } = document instanceof Unreadable ? document.part : document;
  const what = `order ${name}`;
  if (document instanceof Unreadable) {
    note({ kind: 'unreadable', what, details: faultsText(document.faults) });
    return undefined;
  }
  const faults = new FaultList();
  const id = faults.take(idFromWire(document.id), 'id');
  const known = termsOf({ id, reference: document.reference });
  const figures = figuresOf(document, known, faults);
  const marketIds = document.market?._ids ?? [];
  const marketId = marketIds[0] ?? known?.marketId ?? faults.add('MISSING', 'market');
  if (marketIds.length > 1) faults.add('OUT_OF_RANGE', 'market._ids');
  const outcomeId = document.outcomeId ?? known?.outcomeId ?? faults.add('MISSING', 'outcomeId');
  const modifiedAt =
    document.modifiedAt === undefined ? readAt : faults.take(instantFromWire(document.modifiedAt), 'modifiedAt');
  const status = document.status === undefined ? undefined : statusOf(document.status, document.id, note);
  const facts = {
    id,
    marketId,
    outcomeId,
    ...figures,
    status,
    modifiedAt,
    reference: document.reference ?? known?.reference,
    walletId: document.walletId ?? known?.walletId,
    reason: document.cancellationReason,
    fills: fills.get(document.id) ?? [],
  };
  // Each field is defined unless it left a fault, and then the value is not returned.
  const read = taken(faults.result(facts as OrderFacts), what, note);
  return read === undefined ? undefined : possible(read, note);
}

/** Side, price and stakes. What the document leaves out is what was asked for, or what its status says of it. */
function figuresOf(document: OrderDocument, known: OrderTerms | undefined, faults: FaultList) {
  const side = SIDES.find((each) => each === (document.side ?? known?.side));
  if (side === undefined) faults.add(document.side === undefined ? 'MISSING' : 'UNKNOWN_WORD', 'side');
  const tick = document.price === undefined ? known?.tick : faults.take(tickFromWire(document.price), 'price');
  if (document.price === undefined && tick === undefined) faults.add('MISSING', 'price');
  const stake = partOf(document.stake, 'stake', faults) ?? known?.stake;
  if (document.stake === undefined && stake === undefined) faults.add('MISSING', 'stake');
  const told = stake === undefined ? undefined : STAKES_BY_STATUS.get(document.status ?? '')?.(stake);
  const stakeUnmatched = partOf(document.stakeUnmatched, 'stakeUnmatched', faults) ?? told?.stakeUnmatched;
  if (document.stakeUnmatched === undefined && stakeUnmatched === undefined) faults.add('MISSING', 'stakeUnmatched');
  const stakeVoided = partOf(document.stakeVoided, 'stakeVoided', faults) ?? told?.stakeVoided;
  if (document.stakeVoided === undefined && stakeVoided === undefined) faults.add('MISSING', 'stakeVoided');
  return { side, tick, stake, stakeUnmatched, stakeVoided };
}

function partOf(value: number | undefined, path: string, faults: FaultList): Money | undefined {
  return value === undefined ? undefined : faults.take(partFromWire(value), path);
}

type StakeParts = { readonly stakeUnmatched?: Money; readonly stakeVoided?: Money };

/** The parts of the stake that a status alone decides (specification, Order status). */
const STAKES_BY_STATUS = new Map<string, (stake: Money) => StakeParts>([
  ['Pending', (stake: Money) => ({ stakeUnmatched: stake, stakeVoided: ZERO })],
  ['Unmatched', (stake: Money) => ({ stakeUnmatched: stake, stakeVoided: ZERO })],
  ['PartiallyMatched', () => ({ stakeVoided: ZERO })],
  ['Matched', () => ({ stakeUnmatched: ZERO })],
  ['Cancelled', (stake: Money) => ({ stakeUnmatched: ZERO, stakeVoided: stake })],
  ['Failed', (stake: Money) => ({ stakeUnmatched: ZERO, stakeVoided: stake })],
]);

/** What can be read of an order that makes no sense. */
export function namesOf(document: OrderDocument | Unreadable<OrderDocument>): UnreadableOrder {
  const { id, reference } = document instanceof Unreadable ? document.part : document;
  const number = idFromWire(id);
  return { id: number.kind === 'read' ? number.value : undefined, reference };
}

/** The facts of an order in the stream, or undefined, with a notice, if the update makes no sense. */
export function factsOfUpdate(
  update: OrderUpdate,
  background: Omit<OrderBackground, 'fills'>,
  note: Note,
): OrderFacts | undefined {
  const what = `update of order ${update.orderId}`;
  const { orderId: id, outcomeIndexId, marketId, trades = [], ...same } = update;
  const { read: readable, unreadable } = sortedOut(trades);
  for (const { faults } of unreadable) note({ kind: 'unreadable', what, details: faultsText(faults) });
  const fills = readable.flatMap((trade) => taken(fillOf(trade), what, note) ?? []);
  const document: OrderDocument = {
    ...same,
    id,
    ...(outcomeIndexId === undefined ? {} : { outcomeId: outcomeIndexId }),
    ...(marketId === undefined ? {} : { market: { _ids: [marketId] } }),
  };
  return factsOfDocument(document, { ...background, fills: new Map([[id, fills]]) }, note);
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
  note({ kind: 'unreadable', what, details: faultsText(result.faults) });
  return undefined;
}
