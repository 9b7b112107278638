/** Places new orders, sending each once: if an answer is lost, its orders are of unknown fate and are never sent again. */

import { defer, mergeMap, type Observable } from 'rxjs';
import { assert, defined } from '../../../core/checks/assert.ts';
import { ORDER_ERROR_CODES } from '../../../core/order.ts';
import type { OrderRequest, PlaceReply, PlaceReplyItem } from '../../../exchange/gateway.ts';
import type { CallOutcome } from '../../../exchange-live/connection/call-outcome.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import type { KnownOrders } from '../../../exchange-live/orders/known-orders.ts';
import type { OrderTerms } from '../../../exchange-live/orders/order-facts.ts';
import type { NamedTerms, Placements } from '../../../exchange-live/orders/placements.ts';
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

export interface PlacingParts {
  readonly context: GatewayContext;
  readonly table: MarketTable;
  readonly known: KnownOrders;
  readonly unknown: UnknownOrders;
  readonly placements: Placements;
}

/** Places batches of orders, and hands those without a certain answer over to `UnknownOrders`. */
export class Placing {
  readonly #parts: PlacingParts;

  constructor(parts: PlacingParts) {
    this.#parts = parts;
  }

  place(batch: readonly OrderRequest[], mayLeave?: () => boolean): Observable<PlaceReply> {
    assert(batch.length > 0 && batch.length <= BATCH_MAX, `a batch holds 1 to ${BATCH_MAX} orders`);
    const { context, table, unknown, known, placements } = this.#parts;
    return defer(() => {
      const terms = batch.map((request) => {
        const { market, outcome } = request;
        // If the market was closed meanwhile, the exchange refuses the order, whatever the outcome id is.
        return placements.termsOf(request, table.at(market)?.facts.outcomes[outcome]?.id ?? `outcome-${outcome}`);
      });
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
      const sentAt = context.clock.now();
      return context.calls.call('createOrders', { body, timeoutMs, ...(mayLeave && { mayLeave }) }).pipe(
        mergeMap((outcome) => placements.inTime(this.#reply({ batch, terms, requests, sentAt }, outcome, timeoutMs))),
        placements.counted(marketIds),
      );
    });
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
    if (outcome.kind === 'answered') return this.#answered(sent, outcome.answer);
    const reply = this.#parts.placements.unanswered(sent.batch, outcome, timeoutMs);
    const isBlocked = reply.kind === 'notPlaced' && outcome.kind === 'refused' && outcome.status === BLOCKED;
    return isBlocked ? { ...reply, isBlocked } : reply;
  }

  #answered({ batch, terms, requests, sentAt }: SentBatch, answer: Answer): PlaceReply {
    const { context, unknown, known } = this.#parts;
    const paired = pairedItems({ terms, requests, answer, note: context.note, readAt: context.clock.now() });
    const items = batch.map((request, index) => {
      const item = this.#item(request, paired[index], sentAt);
      if (item.kind === 'unknown') unknown.add(request, context.clock.now());
      if (item.kind === 'refused') known.dropTerms(request.client);
      return item;
    });
    return { kind: 'placed', items };
  }

  /** A failure with an unknown code may mean anything, also that the order was created and something failed later. */
  #item({ client }: OrderRequest, read: ReadItem | undefined, sentAt: number): PlaceReplyItem {
    if (read?.kind === 'failure')
      return { kind: isNotPlaced(read.code) ? 'refused' : 'unknown', client, code: read.code };
    const report = read === undefined ? undefined : this.#parts.known.reply(read.facts, sentAt);
    return report === undefined ? { kind: 'unknown', client, code: 'BAD_ANSWER' } : { kind: 'accepted', report };
  }
}

/** A batch on its way: the orders asked for, their terms, and the requests as they are written. */
interface SentBatch {
  readonly batch: readonly OrderRequest[];
  readonly terms: readonly OrderTerms[];
  readonly requests: readonly WireRequest[];
  /** When the request left, ms on our clock. */
  readonly sentAt: number;
}

/**
 * Whether a failure proves that the order does not exist: its code is one of the specification's, and not one after which the
 * order may exist.
 */
function isNotPlaced(code: string): boolean {
  return ORDER_ERROR_CODES.some((known: string) => known === code) && !FATE_OPEN.has(code);
}
