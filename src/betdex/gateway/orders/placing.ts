/** Places new orders, sending each once: if an answer is lost, its orders are of unknown fate and are never sent again. */

import { defer, finalize, map, mergeMap, type Observable, of, timer } from 'rxjs';
import { assert, defined } from '../../../core/checks/assert.ts';
import { ORDER_ERROR_CODES } from '../../../core/order.ts';
import type { OrderRequest, PlaceReply, PlaceReplyItem } from '../../../exchange/gateway.ts';
import { type CallOutcome, failureOf } from '../../../exchange-live/connection/call-outcome.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import type { KnownOrders } from '../../../exchange-live/orders/known-orders.ts';
import type { OrderFacts, OrderFill } from '../../../exchange-live/orders/order-facts.ts';
import type { References } from '../../../exchange-live/orders/references.ts';
import type { UnknownOrders } from '../../../exchange-live/orders/unknown-orders.ts';
import type { AnswerOf } from '../../client/call.ts';
import { BATCH_MAX } from '../../wire/basics/requests.ts';
import { requestOf } from '../../wire/messages/new-order-codec.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import { factsOfDocument, fillsByOrder } from './order-documents.ts';

type Answer = AnswerOf<'createOrders'>;
type AnswerItem = Answer['orders'][number];
type WireRequest = ReturnType<typeof requestOf>;

/**
 * Failures after which the order may exist all the same. INTERRUPTED: the processing stopped half-way. ORDER_ALREADY_EXISTS: an
 * order has this reference; since each reference is given to one order, it is this order, sent twice by a proxy.
 */
const FATE_OPEN: ReadonlySet<string> = new Set(['INTERRUPTED', 'ORDER_ALREADY_EXISTS']);

/**
 * Minimum pause before a request that failed is reported, ms. Strategies may ask for the same again at once, and a refused
 * session fails without any delay: the pause prevents a tight loop.
 */
const NOT_PLACED_MS = 1_000;

export interface PlacingParts {
  readonly context: GatewayContext;
  readonly table: MarketTable;
  readonly references: References;
  readonly known: KnownOrders;
  readonly unknown: UnknownOrders;
}

/** Places batches of orders, and hands those without a certain answer over to `UnknownOrders`. */
export class Placing {
  readonly #parts: PlacingParts;
  /** Number of requests under way, by market id. */
  readonly #underWay = new Map<string, number>();

  constructor(parts: PlacingParts) {
    this.#parts = parts;
  }

  /** Whether a request with an order for this market has no answer yet. */
  isUnderWayIn(marketId: string): boolean {
    return this.#underWay.has(marketId);
  }

  place(batch: readonly OrderRequest[], mayLeave?: () => boolean): Observable<PlaceReply> {
    assert(batch.length > 0 && batch.length <= BATCH_MAX, `a batch holds 1 to ${BATCH_MAX} orders`);
    const { context, table, unknown } = this.#parts;
    return defer(() => {
      const marketIds = batch.map(({ market }) => table.idOf(market));
      // The answer may take as long as the in-play delay of the slowest market (the specification has orders Pending while it
      // runs).
      const delayMs = Math.max(...marketIds.map((id) => unknown.delayMs(id)));
      const timeoutMs = context.settings.timeouts.placeTimeoutMs + delayMs;
      const body = { requests: batch.map((request) => this.#toWire(request)) };
      return context.calls.call('createOrders', { body, timeoutMs, ...(mayLeave && { mayLeave }) }).pipe(
        mergeMap((outcome) => this.#inTime(outcome, this.#reply(batch, outcome, timeoutMs))),
        this.#counted(marketIds),
      );
    });
  }

  /**
   * Delays the reply to a request that was not placed by NOT_PLACED_MS. All other replies come at once, and so does the reply
   * to a request that this program withheld itself, because it is not repeated.
   */
  #inTime(outcome: CallOutcome<Answer>, reply: PlaceReply): Observable<PlaceReply> {
    if (reply.kind !== 'notPlaced' || (outcome.kind === 'failed' && outcome.code === 'WITHHELD')) return of(reply);
    return timer(NOT_PLACED_MS, this.#parts.context.clock).pipe(map(() => reply));
  }

  #counted<T>(marketIds: readonly string[]) {
    const count = (by: number): void => {
      for (const id of marketIds) {
        const requests = (this.#underWay.get(id) ?? 0) + by;
        if (requests > 0) this.#underWay.set(id, requests);
        else this.#underWay.delete(id);
      }
    };
    count(1);
    return finalize<T>(() => count(-1));
  }

  #toWire(request: OrderRequest): WireRequest {
    const { context, table, references } = this.#parts;
    const { wallets, commissionRateId } = context.settings;
    const { client, strategy, wallet, market, outcome, side, tick, stake, keepWhenInPlay, matchBehavior } = request;
    return requestOf({
      side,
      tick,
      stake,
      keepWhenInPlay,
      matchBehavior,
      walletId: defined(wallets[wallet], `there is no wallet ${wallet}`),
      marketId: table.idOf(market),
      // If the market was closed meanwhile, the exchange refuses the order, whatever the outcome id is.
      outcomeId: table.at(market)?.facts.outcomes[outcome]?.id ?? `outcome-${outcome}`,
      reference: references.of(client, strategy),
      ...(commissionRateId === undefined ? {} : { commissionRateId }),
    });
  }

  #reply(batch: readonly OrderRequest[], outcome: CallOutcome<Answer>, timeoutMs: number): PlaceReply {
    const { clock } = this.#parts.context;
    if (outcome.kind === 'answered') return this.#answered(batch, outcome.answer);
    const { code, details } = failureOf(outcome);
    if (!outcome.mayHaveActed) return { kind: 'notPlaced', code, details };
    // A lost connection says nothing about how long the exchange still processes the request: its whole time counts.
    const isOver = outcome.kind === 'failed' && outcome.code === 'TIMEOUT';
    const deadline = clock.now() + (isOver ? 0 : timeoutMs);
    for (const request of batch) this.#parts.unknown.add(request, deadline);
    return { kind: 'unknown', code, details };
  }

  /**
   * Items pair with requests by position (profile section 2), and a failure names no order. If an order does not sit in its
   * place, or the counts differ, the answer does not belong to this batch, and nothing in it is believed.
   */
  #answered(batch: readonly OrderRequest[], answer: Answer): PlaceReply {
    const { context, unknown } = this.#parts;
    const fills = fillsByOrder(answer.trades, context.note);
    const read = answer.orders.map((item) => this.#read(item, fills));
    const isPaired = read.length === batch.length && batch.every((request, index) => this.#fits(request, read[index]));
    const items = batch.map((request, index) => this.#item(request, isPaired ? read[index] : undefined));
    for (const [index, item] of items.entries()) {
      const request = batch[index];
      if (item.kind === 'unknown' && request !== undefined) unknown.add(request, context.clock.now());
    }
    return { kind: 'placed', items };
  }

  #read(item: AnswerItem, fills: ReadonlyMap<string, readonly OrderFill[]>): ItemRead {
    if ('errorCode' in item) return { kind: 'failure', code: item.errorCode };
    return { kind: 'order', facts: factsOfDocument(item, fills, this.#parts.context.note) };
  }

  /**
   * Whether an item may belong to this request. An unreadable order may sit anywhere; a readable one must have the reference
   * that was given to this request.
   */
  #fits({ client, strategy }: OrderRequest, read: ItemRead | undefined): boolean {
    if (read === undefined || read.kind === 'failure' || read.facts === undefined) return true;
    return read.facts.reference === this.#parts.references.of(client, strategy);
  }

  /** A failure with an unknown code may mean anything, also that the order was created and something failed later. */
  #item({ client }: OrderRequest, read: ItemRead | undefined): PlaceReplyItem {
    if (read === undefined) return { kind: 'unknown', client, code: 'BAD_ANSWER' };
    if (read.kind === 'failure')
      return { kind: isNotPlaced(read.code) ? 'refused' : 'unknown', client, code: read.code };
    const report = read.facts === undefined ? undefined : this.#parts.known.reply(read.facts);
    return report === undefined ? { kind: 'unknown', client, code: 'BAD_ANSWER' } : { kind: 'accepted', report };
  }
}

type ItemRead =
  | { readonly kind: 'failure'; readonly code: string }
  /** Undefined if the document makes no sense. */
  | { readonly kind: 'order'; readonly facts: OrderFacts | undefined };

/**
 * Whether a failure proves that the order does not exist: its code is one of the specification's, and not one after which the
 * order may exist.
 */
function isNotPlaced(code: string): boolean {
  return ORDER_ERROR_CODES.some((known: string) => known === code) && !FATE_OPEN.has(code);
}
