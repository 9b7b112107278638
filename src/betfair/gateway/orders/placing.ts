/** Places new orders, sending each once: if an answer is lost, its orders are of unknown fate and are never sent again. */

import { concatMap, defer, forkJoin, from, map, mergeMap, type Observable, tap, timer, toArray } from 'rxjs';
import { assert, defined } from '../../../core/checks/assert.ts';
import { MONEY_SCALE, type Money } from '../../../core/number/units.ts';
import type { OrderRequest, PlaceReply, PlaceReplyItem } from '../../../exchange/gateway.ts';
import type { CallOutcome } from '../../../exchange-live/connection/call-outcome.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import type { KnownOrders } from '../../../exchange-live/orders/known-orders.ts';
import type { Lose, Placements } from '../../../exchange-live/orders/placements.ts';
import type { UnknownOrders } from '../../../exchange-live/orders/unknown-orders.ts';
import type { AnswerOf } from '../../client/call.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import type { OrderMarkets } from './order-markets.ts';
import { placedItems } from './place-answer.ts';
import { instructionOf, type MarketRequests, marketRequests, type SentOrder } from './place-requests.ts';

type Answer = AnswerOf<'placeOrders'>;
/** What became of one request. */
type Replied = PlaceReply & { readonly sent: readonly SentOrder[] };

/** A request under way: when it left, ms on our clock, and for how long Betfair may process it. */
interface SentRequest {
  readonly sent: readonly SentOrder[];
  readonly sentAt: number;
  readonly timeoutMs: number;
  readonly lose: Lose;
}

const STRATEGY_REF_MAX = 15;
const BATCH_MAX = 200;

export interface PlacingParts {
  readonly context: GatewayContext;
  readonly table: MarketTable;
  readonly known: KnownOrders;
  readonly unknown: UnknownOrders;
  readonly placements: Placements;
  readonly markets: OrderMarkets;
}

export class Placing {
  readonly #parts: PlacingParts;
  #replies = 0;

  constructor(parts: PlacingParts) {
    this.#parts = parts;
  }

  /** Counts up with each request that was answered. */
  get answered(): number {
    return this.#replies;
  }

  place(batch: readonly OrderRequest[], mayLeave?: () => boolean): Observable<PlaceReply> {
    assert(batch.length > 0 && batch.length <= BATCH_MAX, `a batch holds 1 to ${BATCH_MAX} orders`);
    return defer(() => {
      const orders = batch.flatMap((request) => this.#written(request) ?? []);
      for (const { terms } of orders) this.#parts.known.keepTerms(terms);
      const requests = marketRequests(orders);
      const lost: Parameters<Lose>[] = [];
      const lose: Lose = (...order) => lost.push(order);
      const replies$ =
        requests.length === 0
          ? timer(0, this.#parts.context.clock).pipe(map(() => []))
          : this.#sendAll(requests, mayLeave, lose);
      return replies$.pipe(
        // Only now, with the reply to all of the batch: what becomes of an order is told after the reply that it is not known.
        tap(() => {
          for (const order of lost) this.#parts.unknown.add(...order);
        }),
        mergeMap((replies) => this.#parts.placements.inTime(this.#latest(together(batch, replies)))),
      );
    });
  }

  /** A report that came while the other requests of the batch were under way is newer than the answer to the order. */
  #latest(reply: PlaceReply): PlaceReply {
    if (reply.kind !== 'placed') return reply;
    const items = reply.items.map((item) =>
      item.kind === 'accepted' ? { ...item, report: this.#parts.known.latest(item.report) } : item,
    );
    return { kind: 'placed', items };
  }

  /** Markets side by side, the requests of each one after the other, since an earlier order may meet a later one. */
  #sendAll(
    markets: readonly MarketRequests[],
    mayLeave: (() => boolean) | undefined,
    lose: Lose,
  ): Observable<readonly Replied[]> {
    return forkJoin(
      markets.map(({ marketId, requests }) =>
        from(requests).pipe(
          concatMap((sent) => this.#send(marketId, sent, mayLeave, lose)),
          toArray(),
          this.#parts.placements.counted([marketId]),
        ),
      ),
    ).pipe(map((replies) => replies.flat()));
  }

  #send(
    marketId: string,
    sent: readonly SentOrder[],
    mayLeave: (() => boolean) | undefined,
    lose: Lose,
  ): Observable<Replied> {
    const { context, unknown } = this.#parts;
    const { settings, calls } = context;
    // The answer comes after the in-play delay.
    const timeoutMs = settings.timeouts.placeTimeoutMs + unknown.delayMs(marketId);
    const params = {
      marketId,
      instructions: sent.map(({ instruction }) => instruction),
      // A request that somebody on the way sends twice is a duplicate by this.
      customerRef: defined(sent[0], 'a request has orders').terms.reference,
      customerStrategyRef: settings.referencePrefix.slice(0, STRATEGY_REF_MAX),
    };
    const sentAt = context.clock.now();
    return calls.call('placeOrders', params, { timeoutMs, mayLeave }).pipe(
      tap(() => {
        this.#replies += 1;
      }),
      map((outcome) => ({ ...this.#reply({ sent, sentAt, timeoutMs, lose }, outcome), sent })),
    );
  }

  /** Undefined for an outcome that the market does not have: it has no name by which Betfair could refuse it. */
  #written(request: OrderRequest): SentOrder | undefined {
    const { table, placements } = this.#parts;
    const live = table.at(request.market);
    const outcomeId = live?.facts.outcomes[request.outcome]?.id;
    if (outcomeId === undefined) return undefined;
    const terms = placements.termsOf(request, outcomeId);
    const minimumStake = live?.minimumStake ?? { stake: MONEY_SCALE as Money };
    const instruction = instructionOf(request, { outcomeId, reference: terms.reference, minimumStake });
    return instruction === undefined ? undefined : { request, terms, instruction };
  }

  #reply(request: SentRequest, outcome: CallOutcome<Answer>): PlaceReply {
    if (outcome.kind === 'answered') return this.#answered(request, outcome.answer);
    const { sent, timeoutMs, lose } = request;
    const batch = sent.map(({ request }) => request);
    const reply = this.#parts.placements.unanswered(batch, outcome, timeoutMs, lose);
    return outcome.kind === 'refused' && outcome.isOwn ? { ...reply, code: outcome.title } : reply;
  }

  #answered({ sent, sentAt, lose }: SentRequest, answer: Answer): PlaceReply {
    const { context, known, markets } = this.#parts;
    const now = context.clock.now();
    const items = placedItems(sent, answer, now).map((placed, index): PlaceReplyItem => {
      const { request } = defined(sent[index], 'each order has its item');
      const { client } = request;
      if (placed.kind !== 'placed') {
        if (placed.kind === 'refused') known.dropTerms(client);
        else lose(request, now);
        return { kind: placed.kind, client, code: placed.code };
      }
      markets.note(placed.facts.id, placed.facts.marketId);
      const report = defined(known.reply(placed.facts, sentAt), 'an order under our reference is ours');
      return { kind: 'accepted', report };
    });
    return { kind: 'placed', items };
  }
}

/** One reply to the batch: what was not placed or is not known of only some of its requests is told order by order. */
function together(batch: readonly OrderRequest[], replies: readonly Replied[]): PlaceReply {
  const [first] = replies;
  const isWhole = first !== undefined && first.sent.length === batch.length;
  if (first !== undefined && isWhole && first.kind !== 'placed') {
    const { sent: _, ...reply } = first;
    return reply;
  }
  const items = new Map<number, PlaceReplyItem>();
  for (const reply of replies)
    for (const [index, { request }] of reply.sent.entries()) {
      const { client } = request;
      if (reply.kind === 'placed') items.set(client, defined(reply.items[index], 'each order has its item'));
      else items.set(client, { kind: reply.kind === 'unknown' ? 'unknown' : 'refused', client, code: reply.code });
    }
  const absent = (client: number): PlaceReplyItem => ({ kind: 'refused', client, code: 'MARKET_OUTCOME_NOT_FOUND' });
  return { kind: 'placed', items: batch.map(({ client }) => items.get(client) ?? absent(client)) };
}
