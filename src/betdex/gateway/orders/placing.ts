/** Places new orders, sending each once: if an answer is lost, its orders are of unknown fate and are never sent again. */

import { defer, finalize, map, mergeMap, type Observable, of, timer } from 'rxjs';
import { assert, defined } from '../../../core/checks/assert.ts';
import { ORDER_ERROR_CODES } from '../../../core/order.ts';
import type { OrderRequest, PlaceReply, PlaceReplyItem } from '../../../exchange/gateway.ts';
import { type CallOutcome, failureOf } from '../../../exchange-live/connection/call-outcome.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import type { KnownOrders } from '../../../exchange-live/orders/known-orders.ts';
import type { OrderTerms } from '../../../exchange-live/orders/order-facts.ts';
import type { References } from '../../../exchange-live/orders/references.ts';
import type { UnknownOrders } from '../../../exchange-live/orders/unknown-orders.ts';
import type { LenientAnswerOf } from '../../client/call.ts';
import { BATCH_MAX } from '../../wire/basics/requests.ts';
import { requestOf } from '../../wire/messages/new-order-codec.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import { pairedItems, type ReadItem } from './batch-answer.ts';

type Answer = LenientAnswerOf<'createOrders'>;
type WireRequest = ReturnType<typeof requestOf>;

/**
 * Failures after which the order may exist all the same. INTERRUPTED: the processing stopped half-way. ORDER_ALREADY_EXISTS: an
 * order has this reference; since each reference is given to one order, it is this order, sent twice by a proxy.
 */
const FATE_OPEN: ReadonlySet<string> = new Set(['INTERRUPTED', 'ORDER_ALREADY_EXISTS']);

/** The status with which the exchange refuses new orders after the heartbeat lapsed (profile section 4). */
const BLOCKED = 403;

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
    const { context, table, unknown, known } = this.#parts;
    return defer(() => {
      const terms = batch.map((request) => this.#termsOf(request));
      for (const each of terms) known.keepTerms(each);
      const marketIds = batch.map(({ market }) => table.idOf(market));
      // The answer may take as long as the in-play delay of the slowest market (the specification has orders Pending while it
      // runs).
      const delayMs = Math.max(...marketIds.map((id) => unknown.delayMs(id)));
      const timeoutMs = context.settings.timeouts.placeTimeoutMs + delayMs;
      const requests = batch.map((request, index) =>
        this.#toWire(request, defined(terms[index], 'each has its terms')),
      );
      const body = { requests };
      return context.calls.call('createOrders', { body, timeoutMs, ...(mayLeave && { mayLeave }) }).pipe(
        mergeMap((outcome) => this.#inTime(outcome, this.#reply({ batch, terms, requests }, outcome, timeoutMs))),
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

  #termsOf(request: OrderRequest): NamedTerms {
    const { context, table, references } = this.#parts;
    const { client, strategy, wallet, market, outcome, side, tick, stake } = request;
    return {
      client,
      strategy,
      side,
      tick,
      stake,
      walletId: defined(context.settings.wallets[wallet], `there is no wallet ${wallet}`),
      marketId: table.idOf(market),
      // If the market was closed meanwhile, the exchange refuses the order, whatever the outcome id is.
      outcomeId: table.at(market)?.facts.outcomes[outcome]?.id ?? `outcome-${outcome}`,
      reference: references.of(client, strategy),
    };
  }

  #toWire(request: OrderRequest, terms: NamedTerms): WireRequest {
    const { commissionRateId } = this.#parts.context.settings;
    const { keepWhenInPlay, matchBehavior } = request;
    const { client: _ours, strategy: _whose, ...told } = terms;
    return requestOf({
      ...told,
      keepWhenInPlay,
      matchBehavior,
      ...(commissionRateId === undefined ? {} : { commissionRateId }),
    });
  }

  #reply(sent: SentBatch, outcome: CallOutcome<Answer>, timeoutMs: number): PlaceReply {
    const { clock } = this.#parts.context;
    const { unknown, known } = this.#parts;
    if (outcome.kind === 'answered') return this.#answered(sent, outcome.answer);
    const { code, details } = failureOf(outcome);
    if (!outcome.mayHaveActed) {
      for (const { client } of sent.batch) known.dropTerms(client);
      const isBlocked = outcome.kind === 'refused' && outcome.status === BLOCKED;
      return { kind: 'notPlaced', code, details, ...(isBlocked && { isBlocked }) };
    }
    // A lost connection says nothing about how long the exchange still processes the request: its whole time counts.
    const isOver = outcome.kind === 'failed' && outcome.code === 'TIMEOUT';
    const deadline = clock.now() + (isOver ? 0 : timeoutMs);
    for (const request of sent.batch) unknown.add(request, deadline);
    return { kind: 'unknown', code, details };
  }

  #answered({ batch, terms, requests }: SentBatch, answer: Answer): PlaceReply {
    const { context, unknown, known } = this.#parts;
    const paired = pairedItems({ terms, requests, answer, note: context.note, readAt: context.clock.now() });
    const items = batch.map((request, index) => {
      const item = this.#item(request, paired[index]);
      if (item.kind === 'unknown') unknown.add(request, context.clock.now());
      if (item.kind === 'refused') known.dropTerms(request.client);
      return item;
    });
    return { kind: 'placed', items };
  }

  /** A failure with an unknown code may mean anything, also that the order was created and something failed later. */
  #item({ client }: OrderRequest, read: ReadItem | undefined): PlaceReplyItem {
    if (read?.kind === 'failure')
      return { kind: isNotPlaced(read.code) ? 'refused' : 'unknown', client, code: read.code };
    const report = read === undefined ? undefined : this.#parts.known.reply(read.facts);
    return report === undefined ? { kind: 'unknown', client, code: 'BAD_ANSWER' } : { kind: 'accepted', report };
  }
}

type NamedTerms = OrderTerms & { readonly reference: string };

/** A batch on its way: the orders asked for, their terms, and the requests as they are written. */
interface SentBatch {
  readonly batch: readonly OrderRequest[];
  readonly terms: readonly OrderTerms[];
  readonly requests: readonly WireRequest[];
}

/**
 * Whether a failure proves that the order does not exist: its code is one of the specification's, and not one after which the
 * order may exist.
 */
function isNotPlaced(code: string): boolean {
  return ORDER_ERROR_CODES.some((known: string) => known === code) && !FATE_OPEN.has(code);
}
