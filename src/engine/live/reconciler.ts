/** Compares the ledger with the exchange's account snapshot, again and again, and acts on the differences. */

import { map, type Observable } from 'rxjs';
import { tick } from '../../core/number/ladder.ts';
import { instant } from '../../core/number/units.ts';
import { isLive } from '../../core/order.ts';
import type { OrderReport } from '../../exchange/gateway.ts';
import type { AccountSnapshot, AccountSnapshotReply, BookedOrder, LiveGateway } from '../../exchange/live-gateway.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { OwnOrder } from '../ledger/own-order.ts';
import type { Input, Step } from '../ledger/step.ts';
import type { MarketEntry } from '../ledger/strategy-in-market.ts';
import { keptTerms } from '../log/journal-log.ts';
import type { NoteLog, RunLog } from '../log/run-log.ts';
import type { ReconcileSettings } from './bot-settings.ts';
import { DifferenceBook } from './difference-book.ts';
import { compare } from './reconcile.ts';

/** Pause before the next comparison if the bot waits for one. */
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
  #leftAlone: readonly BookedOrder[] = [];

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
    this.#differences = new DifferenceBook(parts.settings.lastingAfter);
  }

  get done(): number {
    return this.#done;
  }

  /** When the last comparison was asked for that found no new difference. */
  get provenSince(): number {
    return this.#provenSince;
  }

  /** How many orders of our wallets, but for those that are left alone, were live in the last account snapshot. */
  get seenLive(): number {
    return this.#seenLive;
  }

  /** Orders of others in our wallets, in the last account snapshot, that are left alone. */
  get leftAlone(): readonly BookedOrder[] {
    return this.#leftAlone;
  }

  /** When the last comparison was asked for; no order is live at the exchange since but those on the ledger. */
  get seenSince(): number {
    return this.#seenSince;
  }

  get equalAt(): number | undefined {
    return this.#equalAt;
  }

  /** Texts of the differences that last. */
  get lasting(): readonly string[] {
    return this.#differences.lasting.map(
      ({ scope, id, marketId, ours, theirs }) => `${scope} ${id} in market ${marketId}: ours ${ours}; theirs ${theirs}`,
    );
  }

  /** The request for an account snapshot, if one is due. `isWaited`: the run waits for it, so it is due earlier. */
  nextComparison(now: number, isWaited: boolean): Observable<Input> | undefined {
    const everyMs = isWaited ? Math.min(SOON_MS, this.#parts.settings.everyMs) : this.#parts.settings.everyMs;
    if (this.#isAsking || now - this.#askedAt < everyMs) return undefined;
    this.#isAsking = true;
    this.#askedAt = now;
    return this.#parts.gateway.accountSnapshot().pipe(map((reply) => ({ kind: 'books', reply })));
  }

  /** The clock was set back: the next comparison is due at once, and earlier ones prove nothing. */
  onClockSetBack(): void {
    this.#askedAt = Number.NEGATIVE_INFINITY;
    this.#provenSince = Number.NEGATIVE_INFINITY;
    this.#seenSince = Number.NEGATIVE_INFINITY;
  }

  /** Compares the ledger with an account snapshot that has arrived. */
  onBooks(reply: AccountSnapshotReply, step: Step): void {
    this.#isAsking = false;
    if (reply.kind === 'failed') return;
    const { ledger, log, settings } = this.#parts;
    const { differences, foreignOrders, moving } = compare(ledger, reply.books, settings);
    this.#done += 1;
    const isLeft = settings.foreignOrders === 'leave';
    this.#leftAlone = isLeft ? foreignOrders : [];
    const adopted = isLeft ? 0 : this.#adoptForeignOrders(foreignOrders, step);
    const added = adopted + this.#reviveOrders(reply.books, step);
    this.#seenSince = this.#askedAt;
    this.#seenLive = reply.books.orders.filter(
      (order) => isLive(order.status) && !this.#leftAlone.includes(order),
    ).length;
    for (const { difference, verdict } of this.#differences.compared(differences, moving)) {
      const { scope, id, marketId: market, ours, theirs } = difference;
      log.noted(step.at, { kind: 'difference', scope, id, market, ours, theirs, verdict });
      if (verdict === 'lasting' && scope === 'order') this.#addMissing(Number(id), reply.books, step);
    }
    this.#switchMarkets(step);
    // Orders that were added just now are compared the next time.
    if (this.#differences.open > 0 || added > 0) return;
    this.#provenSince = this.#askedAt;
    if (this.#differences.lasting.length === 0) this.#equalAt = step.at;
  }

  /**
   * Orders of ours that had ended on the ledger and are live at the exchange, or have matched more there, count again at once.
   * Returns how many.
   */
  #reviveOrders(books: AccountSnapshot, step: Step): number {
    const { ledger, log, settings } = this.#parts;
    let added = 0;
    for (const booked of books.orders) {
      const { client } = booked;
      if (client === 0 || ledger.restored.has(client)) continue;
      const own = ledger.order(client);
      if (!isLive(booked.status) && !hasMatchedOn(own, booked)) continue;
      if (own?.isLive === true || (own !== undefined && own.matchedMoney > booked.stakeMatched)) continue;
      if (own === undefined) this.#addMissing(booked.order, books, step);
      else {
        const { at } = step;
        const report = reportOf(booked);
        log.logEvent({ kind: 'reappeared', at, order: own, report });
        log.logEvent({ kind: 'reported', at, order: own, report });
        ledger.revive(own, report, step);
      }
      const now = ledger.order(client);
      if (now === undefined) continue;
      added += 1;
      if (!now.isLive) continue;
      if (settings.foreignOrders === 'cancel' || ledger.risk.trading !== 'running') ledger.cancel(now, step);
    }
    return added;
  }

  /**
   * Adds an order under our own reference that the ledger does not have: its request was answered with a refusal and it exists
   * all the same, as when a proxy sends a request twice. It is its strategy's again if its reference names the strategy.
   */
  #addMissing(id: number, { orders }: AccountSnapshot, step: Step): void {
    const { ledger } = this.#parts;
    const booked = orders.find(({ order }) => order === id);
    if (booked === undefined || booked.client === 0 || ledger.order(booked.client) !== undefined) return;
    const entry = ledger.entryById(booked.marketId);
    const outcome = entry?.outcomeById.get(booked.outcomeId);
    if (entry !== undefined && outcome !== undefined) this.#adopt(booked, { entry, outcome }, step);
  }

  /** Switches off markets in which a difference lasts, and switches on those in which it is gone. */
  #switchMarkets(step: Step): void {
    const { ledger, log } = this.#parts;
    const off = this.#differences.marketsOff;
    for (const entry of ledger.marketEntries()) {
      const { index, facts } = entry.state;
      const difference = off.get(facts.id);
      if ((difference !== undefined) === ledger.risk.marketsOff.has(index)) continue;
      if (difference !== undefined) {
        const cause = `${difference.scope} ${difference.id}: ours ${difference.ours}; theirs ${difference.theirs}`;
        ledger.risk.switchMarketOff(index, cause);
        log.noted(step.at, { kind: 'marketRisk', market: facts.id, isOff: true, cause });
      } else {
        ledger.risk.switchMarketOn(index);
        log.noted(step.at, { kind: 'marketRisk', market: facts.id, isOff: false, cause: 'the difference is gone' });
        for (const inMarket of entry.watchers) step.call(inMarket, 'status');
      }
    }
  }

  /**
   * Adds orders in our wallets that this run did not place, because their losses are ours; cancels them if configured so.
   * Returns how many.
   */
  #adoptForeignOrders(foreignOrders: readonly BookedOrder[], step: Step): number {
    const { ledger, gateway, settings } = this.#parts;
    const unfollowed = new Set<string>();
    let added = 0;
    for (const foreignOrder of foreignOrders) {
      const entry = ledger.entryById(foreignOrder.marketId);
      const outcome = entry?.outcomeById.get(foreignOrder.outcomeId);
      if (entry === undefined) unfollowed.add(foreignOrder.marketId);
      else if (outcome !== undefined && !this.#adopted.has(foreignOrder.order)) {
        this.#adopted.add(foreignOrder.order);
        added += 1;
        const own = this.#adopt(foreignOrder, { entry, outcome }, step);
        if (settings.foreignOrders === 'cancel') ledger.cancel(own, step);
      }
    }
    if (unfollowed.size > 0) gateway.follow([...unfollowed]);
    return added;
  }

  #adopt(foreignOrder: BookedOrder, place: AdoptedPlace, step: Step): OwnOrder {
    const { ledger, gateway, log } = this.#parts;
    const order = adoptedOrder(ledger, foreignOrder, place, step.at);
    const terms = keptTerms(order.terms, ledger.names);
    const named = foreignOrder.reference === undefined ? {} : { foreignReference: foreignOrder.reference };
    log.noted(step.at, { kind: 'adopted', order: foreignOrder.order, ...named, ...terms });
    const report = { ...reportOf(foreignOrder), client: order.id };
    log.logEvent({ kind: 'reported', at: step.at, order, report });
    order.applyReport(report);
    ledger.addAdopted(order, instant(step.at));
    gateway.adopt(foreignOrder.order, order.id);
    const theirs = `${foreignOrder.status} under ${foreignOrder.reference ?? 'no reference'}`;
    log.noted(step.at, {
      kind: 'difference',
      scope: 'stray',
      id: String(foreignOrder.order),
      market: foreignOrder.marketId,
      ours: 'not known',
      theirs,
      verdict: 'resolved',
    });
    return order;
  }
}

/** Whether an order that had ended on the ledger has matched more at the exchange: matched stake only grows, so that is newer. */
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
    // An order of ours belongs to its strategy again, and is cancelled when that is halted.
    strategy: foreignOrder.strategy ?? ledger.names.strategies.length,
    wallet: foreignOrder.wallet,
    market: entry.state.index,
    marketId: foreignOrder.marketId,
    marketName: entry.state.facts.name,
    eventId: entry.state.facts.eventId,
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
