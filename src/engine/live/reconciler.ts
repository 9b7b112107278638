/** Has the ledger compared with the exchange's books again and again, and draws what follows from it. */

import { map, type Observable } from 'rxjs';
import { tick } from '../../core/number/ladder.ts';
import { instant } from '../../core/number/units.ts';
import { isLive } from '../../core/order.ts';
import type { OrderReport } from '../../exchange/gateway.ts';
import type { BookedOrder, BooksReply, ExchangeBooks, LiveGateway } from '../../exchange/live-gateway.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { OwnOrder } from '../ledger/own-order.ts';
import type { Input, Step } from '../ledger/step.ts';
import type { MarketEntry } from '../ledger/strategy-in-market.ts';
import { keptTerms } from '../log/journal-log.ts';
import type { NoteLog, RunLog } from '../log/run-log.ts';
import type { ReconcileSettings } from './bot-settings.ts';
import { DifferenceBook } from './difference-book.ts';
import { compare } from './reconcile.ts';

/** Tried again so soon where the books could not be read, or the bot waits for them. */
const SOON_MS = 1_000;

export interface ReconcilerParts {
  readonly ledger: Ledger;
  readonly gateway: LiveGateway;
  readonly settings: ReconcileSettings;
  readonly log: RunLog & NoteLog;
}

export class Reconciler {
  readonly #parts: ReconcilerParts;
  readonly #differences: DifferenceBook;
  readonly #adopted = new Set<number>();
  #isAsking = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #done = 0;
  #equalAt: number | undefined;
  #provenSince = Number.NEGATIVE_INFINITY;
  #seenSince = Number.NEGATIVE_INFINITY;
  #seenLive = 0;

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
    this.#differences = new DifferenceBook(parts.settings.lastingAfter);
  }

  get done(): number {
    return this.#done;
  }

  /** When the last comparison was asked for that found nothing but what lasts. */
  get provenSince(): number {
    return this.#provenSince;
  }

  /** Orders of our wallets that lived at the exchange by its own books, when they were last read. */
  get seenLive(): number {
    return this.#seenLive;
  }

  /** When the last comparison was asked for, by which no order lives at the exchange but those on the ledger. */
  get seenSince(): number {
    return this.#seenSince;
  }

  get equalAt(): number | undefined {
    return this.#equalAt;
  }

  /** In words. */
  get lasting(): readonly string[] {
    return this.#differences.lasting.map(
      ({ scope, id, marketId, ours, theirs }) => `${scope} ${id} in market ${marketId}: ours ${ours}; theirs ${theirs}`,
    );
  }

  /** What is to be asked of the exchange now. `isWaited`: the bot does not trade before it knows. */
  nextComparison(now: number, isWaited: boolean): Observable<Input> | undefined {
    const everyMs = isWaited ? Math.min(SOON_MS, this.#parts.settings.everyMs) : this.#parts.settings.everyMs;
    if (this.#isAsking || now - this.#askedAt < everyMs) return undefined;
    this.#isAsking = true;
    this.#askedAt = now;
    return this.#parts.gateway.books().pipe(map((reply) => ({ kind: 'books', reply })));
  }

  /** The clock went back: the next comparison is due at once. */
  clockWentBack(): void {
    this.#askedAt = Number.NEGATIVE_INFINITY;
    this.#provenSince = Number.NEGATIVE_INFINITY;
    this.#seenSince = Number.NEGATIVE_INFINITY;
  }

  read(reply: BooksReply, step: Step): void {
    this.#isAsking = false;
    if (reply.kind === 'failed') return;
    const { ledger, log } = this.#parts;
    const { differences, foreignOrders, moving } = compare(ledger, reply.books);
    this.#done += 1;
    const taken = this.#takeForeignOrders(foreignOrders, step) + this.#takeRevived(reply.books, step);
    this.#seenSince = this.#askedAt;
    this.#seenLive = reply.books.orders.filter(({ status }) => isLive(status)).length;
    for (const { difference, verdict } of this.#differences.compared(differences, moving)) {
      const { scope, id, marketId: market, ours, theirs } = difference;
      log.noted(step.at, { kind: 'difference', scope, id, market, ours, theirs, verdict });
      if (verdict === 'lasting' && scope === 'order') this.#takeBack(Number(id), reply.books, step);
    }
    this.#switchMarkets(step);
    // Strays that were taken in just now are compared the next time.
    if (this.#differences.open > 0 || taken > 0) return;
    this.#provenSince = this.#askedAt;
    if (this.#differences.lasting.length === 0) this.#equalAt = step.at;
  }

  /**
   * Orders of ours that live at the exchange and not on the ledger count at once: what had ended there lives again. So does
   * what has matched of them since, though nothing is left to match.
   */
  #takeRevived(books: ExchangeBooks, step: Step): number {
    const { ledger, log, settings } = this.#parts;
    let taken = 0;
    for (const booked of books.orders) {
      const { client } = booked;
      if (client === 0 || ledger.restored.has(client)) continue;
      const own = ledger.order(client);
      if (!isLive(booked.status) && !hasMatchedOn(own, booked)) continue;
      if (own?.isLive === true || (own !== undefined && own.matchedMoney > booked.stakeMatched)) continue;
      if (own === undefined) this.#takeBack(booked.order, books, step);
      else {
        log.reappeared(step.at, own, booked);
        const report = reportOf(booked);
        log.reported(step.at, own, report);
        ledger.revive(own, report, step);
      }
      const now = ledger.order(client);
      if (now === undefined) continue;
      taken += 1;
      if (!now.isLive) continue;
      if (settings.foreignOrders === 'cancel' || ledger.risk.trading !== 'running') ledger.cancel(now, step);
    }
    return taken;
  }

  /**
   * An order under our own reference that was answered with a refusal and exists all the same, as where a proxy sent a
   * request twice: it counts from now on, and is its strategy's again where its reference tells whose it is.
   */
  #takeBack(id: number, { orders }: ExchangeBooks, step: Step): void {
    const { ledger } = this.#parts;
    const booked = orders.find(({ order }) => order === id);
    if (booked === undefined || booked.client === 0 || ledger.order(booked.client) !== undefined) return;
    const entry = ledger.entryById(booked.marketId);
    const outcome = entry?.outcomeById.get(booked.outcomeId);
    if (entry !== undefined && outcome !== undefined) this.#adopt(booked, { entry, outcome }, step);
  }

  /** New orders stop where a difference lasts, and go on where it is gone. */
  #switchMarkets(step: Step): void {
    const { ledger, log } = this.#parts;
    const off = this.#differences.marketsOff;
    for (const entry of ledger.marketEntries()) {
      const { index, facts } = entry.state;
      const difference = off.get(facts.id);
      if ((difference !== undefined) === ledger.risk.marketsOff.has(index)) continue;
      if (difference !== undefined) {
        const cause = `${difference.scope} ${difference.id}: ours ${difference.ours}; theirs ${difference.theirs}`;
        ledger.risk.marketsOff.set(index, cause);
        log.noted(step.at, { kind: 'marketRisk', market: facts.id, isOff: true, cause });
      } else {
        ledger.risk.marketsOff.delete(index);
        log.noted(step.at, { kind: 'marketRisk', market: facts.id, isOff: false, cause: 'the difference is gone' });
        for (const inMarket of entry.watchers) step.call(inMarket, 'status');
      }
    }
  }

  /** Orders of others in our wallets count as ours from now on, because their losses will; by config they are cancelled. */
  #takeForeignOrders(foreignOrders: readonly BookedOrder[], step: Step): number {
    const { ledger, gateway, settings } = this.#parts;
    const unfollowed = new Set<string>();
    let taken = 0;
    for (const foreignOrder of foreignOrders) {
      const entry = ledger.entryById(foreignOrder.marketId);
      const outcome = entry?.outcomeById.get(foreignOrder.outcomeId);
      if (entry === undefined) unfollowed.add(foreignOrder.marketId);
      else if (outcome !== undefined && !this.#adopted.has(foreignOrder.order)) {
        this.#adopted.add(foreignOrder.order);
        taken += 1;
        const own = this.#adopt(foreignOrder, { entry, outcome }, step);
        if (settings.foreignOrders === 'cancel') ledger.cancel(own, step);
      }
    }
    if (unfollowed.size > 0) gateway.follow([...unfollowed]);
    return taken;
  }

  #adopt(foreignOrder: BookedOrder, place: AdoptedPlace, step: Step): OwnOrder {
    const { ledger, gateway, log } = this.#parts;
    const order = adoptedOrder(ledger, foreignOrder, place, step.at);
    const terms = keptTerms(order.terms, ledger.names);
    const named = foreignOrder.reference === undefined ? {} : { foreignReference: foreignOrder.reference };
    log.noted(step.at, { kind: 'adopted', order: foreignOrder.order, ...named, ...terms });
    const report = { ...reportOf(foreignOrder), client: order.id };
    log.reported(step.at, order, report);
    order.apply(report);
    ledger.takeIn(order);
    ledger.risk.orderSent(instant(step.at));
    if (foreignOrder.stakeMatched > 0) ledger.risk.orderMatched(instant(step.at));
    gateway.adopt(foreignOrder.order, order.id);
    const theirs = `${foreignOrder.status} under ${foreignOrder.reference ?? 'no reference'}`;
    log.noted(step.at, {
      ...{ kind: 'difference', scope: 'stray', id: String(foreignOrder.order), market: foreignOrder.marketId },
      ...{ ours: 'not known', theirs, verdict: 'resolved' },
    });
    return order;
  }
}

/** Of an order that had ended on the ledger: what matched can only have grown, so that more is the newer word. */
function hasMatchedOn(own: OwnOrder | undefined, { stakeMatched }: BookedOrder): boolean {
  return own?.exchangeId !== undefined && !own.isLive && stakeMatched > own.matchedMoney;
}

function reportOf({ order, client, status, at, reason, ...stakes }: BookedOrder): OrderReport {
  const { stakeMatched, winningsMatched, stakeUnmatched, stakeVoided } = stakes;
  const named = reason === undefined ? {} : { reason };
  return { order, client, status, at, ...named, stakeMatched, winningsMatched, stakeUnmatched, stakeVoided };
}

interface AdoptedPlace {
  readonly entry: MarketEntry;
  readonly outcome: number;
}

function adoptedOrder(
  ledger: Ledger,
  foreignOrder: BookedOrder,
  { entry, outcome }: AdoptedPlace,
  at: number,
): OwnOrder {
  return new OwnOrder({
    client: foreignOrder.client === 0 ? ledger.takeClient() : foreignOrder.client,
    // One of ours comes back to its strategy, with which it is halted, or looked after.
    strategy: foreignOrder.strategy ?? ledger.names.strategies.length,
    wallet: foreignOrder.wallet,
    market: entry.state.index,
    marketId: foreignOrder.marketId,
    marketName: entry.state.facts.name,
    outcome,
    outcomeId: foreignOrder.outcomeId,
    outcomeTitle: entry.state.facts.outcomes[outcome]?.title ?? foreignOrder.outcomeId,
    side: foreignOrder.side,
    tick: tick(foreignOrder.tick),
    stake: foreignOrder.stake,
    keepWhenInPlay: true,
    matchBehavior: 'RetainUnmatched',
    sentAt: instant(at),
  });
}
