/** Sends new orders, once: a lost answer leaves orders of unknown fate, and nothing is ever sent again. */

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
 * Failures after which the order may exist all the same: the processing stopped half-way, or an order already has this
 * reference, which we give once only, so that it is this very order (a proxy sent the request twice).
 */
const FATE_OPEN: ReadonlySet<string> = new Set(['INTERRUPTED', 'ORDER_ALREADY_EXISTS']);

/**
 * Whoever hears that a request failed may ask for the same at once, and a session that is refused fails in no time at all:
 * that is not to be met faster than this.
 */
const NOT_PLACED_MS = 1_000;

export interface PlacingParts {
  readonly context: GatewayContext;
  readonly table: MarketTable;
  readonly references: References;
  readonly known: KnownOrders;
  readonly unknown: UnknownOrders;
}

export class Placing {
  readonly #parts: PlacingParts;
  /** Requests under way, by market id. */
  readonly #underWay = new Map<string, number>();

  constructor(parts: PlacingParts) {
    this.#parts = parts;
  }

  /** Whether a request with an order for it has no answer yet. */
  isUnderWayIn(marketId: string): boolean {
    return this.#underWay.has(marketId);
  }

  place(batch: readonly OrderRequest[], mayLeave?: () => boolean): Observable<PlaceReply> {
    assert(batch.length > 0 && batch.length <= BATCH_MAX, `a batch holds 1 to ${BATCH_MAX} orders`);
    const { context, table, unknown } = this.#parts;
    return defer(() => {
      const marketIds = batch.map(({ market }) => table.idOf(market));
      // The answer may wait for the in-play delay of the slowest market (specification: Pending while it runs).
      const delayMs = Math.max(...marketIds.map((id) => unknown.delayMs(id)));
      const timeoutMs = context.settings.timeouts.placeTimeoutMs + delayMs;
      const body = { requests: batch.map((request) => this.#toWire(request)) };
      return context.calls.call('createOrders', { body, timeoutMs, ...(mayLeave && { mayLeave }) }).pipe(
        mergeMap((outcome) => this.#inTime(outcome, this.#reply(batch, outcome, timeoutMs))),
        this.#counted(marketIds),
      );
    });
  }

  /** What we withheld ourselves will not be asked for again. */
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
      ...{ side, tick, stake, keepWhenInPlay, matchBehavior },
      walletId: defined(wallets[wallet], `there is no wallet ${wallet}`),
      marketId: table.idOf(market),
      // A market that was closed meanwhile is refused by the exchange, whatever the outcome is called.
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
    // A lost connection says nothing of how long the exchange still works on the request: its time counts in full.
    const isOver = outcome.kind === 'failed' && outcome.code === 'TIMEOUT';
    const deadline = clock.now() + (isOver ? 0 : timeoutMs);
    for (const request of batch) this.#parts.unknown.add(request, deadline);
    return { kind: 'unknown', code, details };
  }

  /**
   * Items pair with requests by position (profile section 2), and a failure names none: where an order does not sit in its
   * place, or the count differs, the answer is not one to this batch, and nothing in it is believed.
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

  /** An order that cannot be read may sit anywhere; one that can names the reference that it was given. */
  #fits({ client, strategy }: OrderRequest, read: ItemRead | undefined): boolean {
    if (read === undefined || read.kind === 'failure' || read.facts === undefined) return true;
    return read.facts.reference === this.#parts.references.of(client, strategy);
  }

  /** A failure of a code that we do not know may be of any kind, such as one after the order was created. */
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
  /** Undefined where the document makes no sense. */
  | { readonly kind: 'order'; readonly facts: OrderFacts | undefined };

/** Whether a failure proves that the order does not exist: one of the specification's codes, and not of an open fate. */
function isNotPlaced(code: string): boolean {
  return ORDER_ERROR_CODES.some((known: string) => known === code) && !FATE_OPEN.has(code);
}
