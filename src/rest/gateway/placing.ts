/** Sends new orders, once: a lost answer leaves orders of unknown fate, and nothing is ever sent again. */

import { defer, finalize, map, mergeMap, type Observable, of, timer } from 'rxjs';
import { assert, present } from '../../core/assert.ts';
import type { OrderRequest, PlaceReply, PlaceReplyItem } from '../../exchange/gateway.ts';
import { requestOf } from '../../wire/new-order-codec.ts';
import { BATCH_MAX } from '../../wire/requests.ts';
import type { AnswerOf, CallOutcome } from '../call.ts';
import type { KnownOrders } from './known-orders.ts';
import type { MarketTable } from './market-table.ts';
import { factsOfDocument, fillsByOrder } from './order-documents.ts';
import type { OrderFill } from './order-facts.ts';
import type { References } from './references.ts';
import type { UnknownOrders } from './unknown-orders.ts';
import { failureOf } from './whole-lists.ts';
import type { Wiring } from './wiring.ts';

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
  readonly wiring: Wiring;
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
    const { wiring, table, unknown } = this.#parts;
    return defer(() => {
      const marketIds = batch.map(({ market }) => table.idOf(market));
      // The answer may wait for the in-play delay of the slowest market (specification: Pending while it runs).
      const delayMs = Math.max(...marketIds.map((id) => unknown.delayMs(id)));
      const timeoutMs = wiring.settings.margins.placeTimeoutMs + delayMs;
      const body = { requests: batch.map((request) => this.#toWire(request)) };
      return wiring.calls.call('createOrders', { body, timeoutMs, ...(mayLeave && { mayLeave }) }).pipe(
        mergeMap((outcome) => this.#inTime(outcome, this.#reply(batch, outcome, timeoutMs))),
        this.#counted(marketIds),
      );
    });
  }

  /** What we withheld ourselves will not be asked for again. */
  #inTime(outcome: CallOutcome<Answer>, reply: PlaceReply): Observable<PlaceReply> {
    if (reply.kind !== 'notPlaced' || (outcome.kind === 'failed' && outcome.code === 'WITHHELD')) return of(reply);
    return timer(NOT_PLACED_MS, this.#parts.wiring.clock).pipe(map(() => reply));
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
    const { wiring, table, references } = this.#parts;
    const { wallets, commissionRateId } = wiring.settings;
    const { client, strategy, wallet, market, outcome, side, tick, stake, keepWhenInPlay, matchBehavior } = request;
    return requestOf({
      ...{ side, tick, stake, keepWhenInPlay, matchBehavior },
      walletId: present(wallets[wallet], `there is no wallet ${wallet}`),
      marketId: table.idOf(market),
      // A market that was closed meanwhile is refused by the exchange, whatever the outcome is called.
      outcomeId: table.at(market)?.facts.outcomes[outcome]?.id ?? `outcome-${outcome}`,
      reference: references.of(client, strategy),
      ...(commissionRateId === undefined ? {} : { commissionRateId }),
    });
  }

  #reply(batch: readonly OrderRequest[], outcome: CallOutcome<Answer>, timeoutMs: number): PlaceReply {
    const { clock } = this.#parts.wiring;
    if (outcome.kind === 'answered') return this.#answered(batch, outcome.answer);
    const { code, details } = failureOf(outcome);
    if (!outcome.mayHaveActed) return { kind: 'notPlaced', code, details };
    // A lost connection says nothing of how long the exchange still works on the request: its time counts in full.
    const isOver = outcome.kind === 'failed' && outcome.code === 'TIMEOUT';
    const deadline = clock.now() + (isOver ? 0 : timeoutMs);
    for (const request of batch) this.#parts.unknown.add(request, deadline);
    return { kind: 'unknown', code, details };
  }

  #answered(batch: readonly OrderRequest[], answer: Answer): PlaceReply {
    const { wiring, unknown } = this.#parts;
    const fills = fillsByOrder(answer.trades, wiring.note);
    const isWhole = answer.orders.length === batch.length;
    const items = batch.map((request, index) => this.#item(request, isWhole ? answer.orders[index] : undefined, fills));
    for (const [index, item] of items.entries()) {
      const request = batch[index];
      if (item.kind === 'unknown' && request !== undefined) unknown.add(request, wiring.clock.now());
    }
    return { kind: 'placed', items };
  }

  /** Items pair with requests by position (profile section 2); an order that names another reference is not ours. */
  #item(
    { client, strategy }: OrderRequest,
    item: AnswerItem | undefined,
    fills: ReadonlyMap<string, readonly OrderFill[]>,
  ): PlaceReplyItem {
    const { wiring, references, known } = this.#parts;
    if (item === undefined) return { kind: 'unknown', client, code: 'BAD_ANSWER' };
    if ('errorCode' in item) {
      const { errorCode: code } = item;
      return { kind: FATE_OPEN.has(code) ? 'unknown' : 'refused', client, code };
    }
    const facts = factsOfDocument(item, fills, wiring.note);
    const reference = references.of(client, strategy);
    if (facts === undefined || (facts.reference ?? reference) !== reference)
      return { kind: 'unknown', client, code: 'BAD_ANSWER' };
    const report = present(known.reply({ ...facts, reference }), 'an order under our reference is ours');
    return { kind: 'accepted', report };
  }
}
