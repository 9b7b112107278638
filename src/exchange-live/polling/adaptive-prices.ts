/** Keeps the books of the followed markets up to date, reading urgent ones more often, within the budget for polling. */

import { Observable, Subscription } from 'rxjs';
import { instant } from '../../core/number/units.ts';
import type { CallLimits } from '../connection/pack-ids.ts';
import type { LiveMarket } from '../markets/live-market.ts';
import type { MarketContext } from '../markets/market-context.ts';
import type { MarketTable } from '../markets/market-table.ts';
import type { AdaptiveChoice } from '../settings.ts';
import type { PollBudget } from './poll-budget.ts';
import { boundFor, type CallsNeeded, callsFor, dueAfterMs, type Pace, paceFor, planPrices } from './price-plan.ts';

/** After a failure a market is read again after this time, ms, and does not wait for its next turn, which may be far away. */
const RETRY_MS = 2_000;

/** Reads the prices of some markets, no more than one call can name. */
export interface PriceReader {
  /** Emits whether there was an answer to apply. */
  read(marketIds: readonly string[]): Observable<boolean>;
}

export interface AdaptivePricesParts {
  readonly context: MarketContext;
  readonly table: MarketTable;
  readonly reading: PriceReader;
  readonly limits: CallLimits;
  readonly choice: AdaptiveChoice;
  readonly budget: PollBudget;
  /** Whether orders of this run in the market are live, being placed or of unknown fate, so that prices are read more often. */
  isBusy(marketId: string): boolean;
}

interface Turn {
  askedAt: number;
  /** When the newest received book was requested, ms. */
  readAt: number;
  isUnderWay: boolean;
  /** When the newest answer failed, ms; undefined if it did not. */
  failedAt: number | undefined;
}

/** Plans the calls anew at each check, from the urgency of each market and the calls left in the budget. */
export class AdaptivePrices {
  /** Reads prices until unsubscribed; it emits nothing. */
  readonly run$: Observable<never>;
  readonly #parts: AdaptivePricesParts;
  readonly #turns = new Map<LiveMarket, Turn>();
  #pace: Pace;
  /** The pace last reported through a notice. */
  #lastReported: Pace;
  #readAllAt = Number.NEGATIVE_INFINITY;

  constructor(parts: AdaptivePricesParts) {
    this.#parts = parts;
    this.#pace = parts.choice;
    this.#lastReported = parts.choice;
    this.run$ = new Observable((subscriber) => this.#start((fault) => subscriber.error(fault)));
  }

  /** Checks what is due at least twice within an urgent market's time, since a market may become urgent at any moment. */
  #start(error: (fault: unknown) => void): Subscription {
    const { context, table, choice, budget } = this.#parts;
    const { clock } = context;
    const all = new Subscription();
    let next: Subscription | undefined;
    const look = (): void => {
      next?.unsubscribe();
      const dueAt = this.#look(all, error);
      const dueMs = dueAt <= clock.now() ? Math.max(1, budget.waitMs()) : dueAt - clock.now();
      next = clock.schedule(look, Math.ceil(Math.max(1, Math.min(choice.urgentMs / 2, dueMs))));
    };
    all.add(() => next?.unsubscribe());
    all.add(
      table.changed$.subscribe((market) => {
        if (market.status === 'Closed') this.#turns.delete(market);
      }),
    );
    // Many markets are often found at the same time: the check comes after all of them.
    all.add(
      table.added$.subscribe(() => {
        next?.unsubscribe();
        next = clock.schedule(look, 0);
      }),
    );
    next = clock.schedule(look, 0);
    return all;
  }

  /** Sends the calls that are due; returns when to check next, ms. */
  #look(all: Subscription, error: (fault: unknown) => void): number {
    const { context, table, limits, choice, budget } = this.#parts;
    const now = context.clock.now();
    const markets = new Map(table.priced().map((market) => [market.facts.id, market]));
    const planned = [...markets].map(([id, market]) => {
      const isUrgent = this.#isUrgent(market, now);
      return { id, isUrgent, askedAt: this.#askedAt(market, isUrgent) };
    });
    const needed = callsFor(planned, limits);
    const pace = paceFor(choice, needed, budget.forPrices());
    this.#pace = pace;
    this.#reportPace(pace, needed);
    this.#reportRead();
    const waiting = planned.filter(({ id }) => !this.#isUnderWay(markets.get(id)));
    const { calls, dueAt } = planPrices(waiting, { pace, limits, now, callsMax: budget.free() });
    for (const ids of calls) {
      const asked = ids.flatMap((id) => markets.get(id) ?? []);
      all.add(this.#ask(asked, error));
    }
    return dueAt;
  }

  #ask(markets: readonly LiveMarket[], error: (fault: unknown) => void): Subscription {
    const askedAt = this.#parts.context.clock.now();
    for (const market of markets) {
      const readAt = this.#turns.get(market)?.readAt ?? Number.NEGATIVE_INFINITY;
      this.#turns.set(market, { askedAt, readAt, isUnderWay: true, failedAt: undefined });
    }
    const ids = markets.map(({ facts }) => facts.id);
    return this.#parts.reading.read(ids).subscribe({ next: (isRead) => this.#answered(markets, isRead), error });
  }

  #answered(markets: readonly LiveMarket[], isRead: boolean): void {
    for (const market of markets) {
      const turn = this.#turns.get(market);
      if (turn === undefined) continue;
      turn.isUnderWay = false;
      if (isRead) turn.readAt = turn.askedAt;
      else turn.failedAt = this.#parts.context.clock.now();
    }
    this.#reportRead();
  }

  /** Reports the moment since which every market was read, each time it has moved on. */
  #reportRead(): void {
    const { context, table, choice } = this.#parts;
    const markets = table.priced();
    let readAllAt = context.clock.now();
    if (markets.length === 0 && readAllAt - this.#readAllAt < choice.urgentMs) return;
    for (const market of markets) {
      const readAt = this.#turns.get(market)?.readAt ?? Number.NEGATIVE_INFINITY;
      readAllAt = Math.min(readAllAt, readAt);
    }
    if (readAllAt <= this.#readAllAt) return;
    this.#readAllAt = readAllAt;
    context.emit({ kind: 'read', feed: 'prices', at: instant(Math.floor(readAllAt)) });
  }

  /** When the market counts as last requested, ms. After a failure this lies so far back that the market is due again soon. */
  #askedAt(market: LiveMarket, isUrgent: boolean): number {
    const turn = this.#turns.get(market);
    if (turn === undefined) return Number.NEGATIVE_INFINITY;
    if (turn.failedAt === undefined) return turn.askedAt;
    const ms = isUrgent ? this.#pace.urgentMs : this.#pace.everyMs;
    return Math.min(turn.askedAt, turn.failedAt + RETRY_MS - dueAfterMs(ms));
  }

  /** A pace that the budget allows is none to report, although single readings may wait for others that are due at the same time. */
  #reportPace(pace: Pace, needed: CallsNeeded): void {
    const { context, choice, budget } = this.#parts;
    const isStretched = pace.everyMs > choice.everyMs || pace.urgentMs > choice.urgentMs;
    const { everyMs, urgentMs } = isStretched ? boundFor(pace, needed, budget.forPrices()) : choice;
    if (everyMs === this.#lastReported.everyMs && urgentMs === this.#lastReported.urgentMs) return;
    this.#lastReported = { everyMs, urgentMs };
    context.note({ kind: 'pollingStretched', isStretched, everyMs: Math.ceil(everyMs), urgentMs: Math.ceil(urgentMs) });
  }

  #isUnderWay(market: LiveMarket | undefined): boolean {
    return market !== undefined && this.#turns.get(market)?.isUnderWay === true;
  }

  #isUrgent(market: LiveMarket, now: number): boolean {
    const { choice, isBusy } = this.#parts;
    const isNear = (at: number | undefined): boolean => at !== undefined && Math.abs(at - now) <= choice.nearOffMs;
    if (market.inPlayStatus === 'InPlay' || isNear(market.lockAt) || isNear(market.facts.expectedStartTime))
      return true;
    return isBusy(market.facts.id);
  }
}
