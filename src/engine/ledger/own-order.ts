/** One order of ours, from the moment it is approved until its market is settled; strategies see it through an OrderWindow. */

import { assert } from '../../core/checks/assert.ts';
import type { ListLink } from '../../core/collections/linked-list.ts';
import { decimalOfTick } from '../../core/number/ladder.ts';
import { type Instant, instant, type Money, moneyToDecimal, ZERO } from '../../core/number/units.ts';
import { isLive, type OrderStatus } from '../../core/order.ts';
import type { RestoredOrder } from '../../core/run/run-state.ts';
import type { Side } from '../../core/side.ts';
import type { OrderReport, OrderRequest } from '../../exchange/gateway.ts';
import { isOlder } from '../../exchange/report-age.ts';
import type { Stakes } from '../../risk/exposure/exposure-book.ts';
import type { OrderView } from '../../strategy/views/views.ts';
import { OrderWindow } from '../windows/order-window.ts';

/** What is asked of risk layer and gateway, and what a strategy is shown of it. */
export interface OrderTerms extends OrderRequest {
  readonly marketId: string;
  readonly marketName: string;
  readonly outcomeId: string;
  readonly outcomeTitle: string;
  readonly sentAt: Instant;
}

/** What replaces an order once the cancellation of its remainder is proven. */
export interface Replacement {
  readonly price: number;
  readonly stake: number | undefined;
}

export class OwnOrder implements OrderView {
  readonly terms: OrderTerms;
  /** The exchange's id, once known. */
  exchangeId: number | undefined;
  /** The strategy asked for its cancellation before the exchange had answered. */
  cancelWanted = false;
  replacement: Replacement | undefined;
  /** Its place among the ledger's live orders, and among those of its market. */
  liveLink: ListLink<OwnOrder> | undefined;
  entryLink: ListLink<OwnOrder> | undefined;
  #window: OrderView | undefined;
  #inFlight: 'place' | 'cancel' | undefined = 'place';
  #unknown = false;
  #isCancelTaken = false;
  #refused = false;
  #absent = false;
  #status: OrderStatus | undefined;
  #matched: Money = ZERO;
  #winnings: Money = ZERO;
  #voided: Money = ZERO;

  constructor(terms: OrderTerms) {
    this.terms = terms;
  }

  /** As an earlier process of the run left it: whatever was on its way then is answered by nobody any more. */
  static restored(terms: OrderTerms, kept: RestoredOrder): OwnOrder {
    const order = new OwnOrder(terms);
    if (kept.report !== undefined) order.apply({ ...kept.report, at: instant(kept.report.at) });
    if (kept.fate !== 'known') order.becomeUnknown();
    if (kept.fate === 'absent') order.declareAbsent();
    return order;
  }

  /** What its strategy is given of it; made when it first asks. */
  get window(): OrderView {
    this.#window ??= new OrderWindow(this);
    return this.#window;
  }

  get id(): number {
    return this.terms.client;
  }
  get marketId(): string {
    return this.terms.marketId;
  }
  get outcomeId(): string {
    return this.terms.outcomeId;
  }
  get side(): Side {
    return this.terms.side;
  }
  get price(): number {
    return decimalOfTick(this.terms.tick);
  }
  get stake(): number {
    return moneyToDecimal(this.terms.stake);
  }
  get stakeMatched(): number {
    return moneyToDecimal(this.#matched);
  }
  get stakeUnmatched(): number {
    return moneyToDecimal(this.unmatchedMoney);
  }
  get stakeVoided(): number {
    return moneyToDecimal(this.#voided);
  }
  get averagePrice(): number | undefined {
    return this.#matched === 0 ? undefined : 1 + this.#winnings / this.#matched;
  }
  get status(): OrderStatus | undefined {
    return this.#status;
  }
  get inFlight(): 'place' | 'cancel' | undefined {
    return this.#inFlight;
  }
  get unknown(): boolean {
    return this.#unknown;
  }
  get placedAt(): number {
    return this.terms.sentAt;
  }

  /** What it holds now, for the exposure book. */
  held(): Stakes {
    return this.holdInto({ stakeUnmatched: ZERO, stakeMatched: ZERO, winningsMatched: ZERO });
  }

  /** The same, written into an object that is used again. */
  holdInto(stakes: { -readonly [Field in keyof Stakes]: Stakes[Field] }): Stakes {
    stakes.stakeUnmatched = this.unmatchedMoney;
    stakes.stakeMatched = this.#matched;
    stakes.winningsMatched = this.#winnings;
    return stakes;
  }

  get matchedMoney(): Money {
    return this.#matched;
  }
  get voidedMoney(): Money {
    return this.#voided;
  }
  get unmatchedMoney(): Money {
    return this.#refused ? ZERO : (Math.max(0, this.terms.stake - this.#matched - this.#voided) as Money);
  }

  /** Its place call was lost and the exchange is proven not to have it. */
  get isAbsent(): boolean {
    return this.#absent;
  }

  /** Whether stake of it may still match, as far as we know: unanswered and unknown orders may. */
  get isLive(): boolean {
    if (this.#refused) return false;
    return this.#status === undefined || isLive(this.#status);
  }

  /** Folds what the exchange says. A report older than one already heard is ignored: it says less, or leads back. */
  apply(report: OrderReport): void {
    assert(report.client === this.terms.client, 'a report is folded into the order it speaks of');
    this.exchangeId = report.order;
    if (this.#inFlight === 'place') this.#inFlight = undefined;
    this.#unknown = false;
    this.#refused = false;
    this.#absent = false;
    if (this.#status !== undefined && this.#isOlder(report, this.#status)) return;
    this.#status = report.status;
    this.#matched = report.stakeMatched;
    this.#winnings = report.winningsMatched;
    this.#voided = report.stakeVoided;
    if (!isLive(report.status)) this.#inFlight = undefined;
  }

  /** What was heard of its end counts no more: the report that says so is the newer one, whatever it says. */
  revive(): void {
    this.#status = undefined;
    this.#isCancelTaken = false;
  }

  #isOlder(report: OrderReport, status: OrderStatus): boolean {
    return isOlder(report, { status, stakeMatched: this.#matched, stakeVoided: this.#voided });
  }

  /** The exchange created nothing: none of its stake counts any more. */
  refuse(): void {
    this.#refused = true;
    this.#inFlight = undefined;
    this.#unknown = false;
  }

  /** The same, proven for an order of unknown fate. A report may still say otherwise. */
  declareAbsent(): void {
    assert(this.#unknown, 'only an order of unknown fate is proven absent');
    this.refuse();
    this.#absent = true;
  }

  /** Nobody knows whether it exists: its exposure stays until proven. */
  becomeUnknown(): void {
    this.#inFlight = undefined;
    this.#unknown = true;
  }

  cancelSent(): void {
    this.#inFlight = 'cancel';
    this.cancelWanted = false;
  }

  /** Pending, and the exchange has taken its cancellation: what does not match when its delay ends is cancelled. */
  get isCancelTaken(): boolean {
    return this.#isCancelTaken && this.#status === 'Pending';
  }

  cancelTaken(): void {
    this.#isCancelTaken = true;
  }

  cancelAnswered(): void {
    if (this.#inFlight === 'cancel') this.#inFlight = undefined;
  }
}
