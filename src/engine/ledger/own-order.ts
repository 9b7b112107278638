/** One order of ours, from the moment it is approved until its market is settled; strategies see it through an OrderWindow. */

import { assert } from '../../core/checks/assert.ts';
import type { ListLink } from '../../core/collections/linked-list.ts';
import type { MarketState } from '../../core/market-state.ts';
import { decimalOfTick } from '../../core/number/ladder.ts';
import { type Instant, instant, type Money, moneyToDecimal, ZERO } from '../../core/number/units.ts';
import { isLive, type OrderStatus } from '../../core/order.ts';
import type { RestoredOrder } from '../../core/run/run-state.ts';
import type { Side } from '../../core/side.ts';
import type { OrderReport, OrderRequest } from '../../exchange/gateway.ts';
import { isOlder } from '../../exchange/report-age.ts';
import type { Stakes } from '../../risk/exposure/exposure-book.ts';
import { payoutMinOf, stakeMinOf } from '../../strategy/views/market-view.ts';
import type { OrderView } from '../../strategy/views/views.ts';
import type { Windows } from '../windows/windows.ts';

/** What an order asks for, with the names by which journal and strategy know its market and outcome. */
export interface OrderTerms extends OrderRequest {
  readonly marketId: string;
  readonly marketName: string;
  readonly eventId: string;
  readonly outcomeId: string;
  readonly outcomeTitle: string;
  readonly sentAt: Instant;
  /** What its strategy wrote on the intent. */
  readonly note?: string | undefined;
}

/** What replaces an order once the cancellation of its remainder is proven. */
export interface Replacement {
  readonly price: number;
  readonly stake: number | undefined;
  readonly note: string | undefined;
  /** What was voided of the order before, which is not placed again. */
  readonly voidedBefore: Money;
}

export class OwnOrder implements OrderView {
  readonly terms: OrderTerms;
  /** The exchange's id, once known. */
  exchangeId: number | undefined;
  /** Its request may have been sent, by this process or an earlier one, as far as the gateway asks before it sends. */
  hasLeft = false;
  /** The strategy asked for its cancellation before the exchange had answered. */
  cancelWanted = false;
  /** The strategy asked for its reduction before the exchange had named the order, or before it rests. */
  reduceWanted: Money | undefined;
  replacement: Replacement | undefined;
  /** Its market; undefined before the ledger has the order. */
  market: MarketState | undefined;
  /** Its links in the list of live orders, and in the list of its market's orders. */
  liveLink: ListLink<OwnOrder> | undefined;
  entryLink: ListLink<OwnOrder> | undefined;
  #window: OrderView | undefined;
  #inFlight: 'place' | 'cancel' | 'reduce' | undefined = 'place';
  /** The answer to its reduction was lost: it counts as under way until the exchange reports the order. */
  #isReductionLost = false;
  #unknown = false;
  #isCancelAccepted = false;
  #refused = false;
  #absent = false;
  #status: OrderStatus | undefined;
  #matched: Money = ZERO;
  #winnings: Money = ZERO;
  #voided: Money = ZERO;
  /** Its state is that of an earlier process, of which nothing was reported in this one. */
  #isAsKept = false;

  constructor(terms: OrderTerms) {
    this.terms = terms;
  }

  /** The order as an earlier process of the run left it. No reply to a request of that process can arrive any more. */
  static restored(terms: OrderTerms, kept: RestoredOrder): OwnOrder {
    const order = new OwnOrder(terms);
    order.hasLeft = true;
    if (kept.report !== undefined) order.applyReport({ ...kept.report, at: instant(kept.report.at) });
    if (kept.fate !== 'known') order.becomeUnknown();
    if (kept.fate === 'absent') order.declareAbsent();
    order.#isAsKept = kept.report !== undefined;
    return order;
  }

  /** The same order in the market that has come, by the indexes that it has there. */
  movedTo(place: Pick<OrderTerms, 'market' | 'outcome'>): OwnOrder {
    const order = new OwnOrder({ ...this.terms, ...place });
    order.exchangeId = this.exchangeId;
    order.hasLeft = this.hasLeft;
    // The answer to a cancellation under way names the order of before.
    order.cancelWanted = this.cancelling;
    order.#inFlight = undefined;
    order.#unknown = this.#unknown;
    order.#refused = this.#refused;
    order.#absent = this.#absent;
    order.#status = this.#status;
    order.#matched = this.#matched;
    order.#winnings = this.#winnings;
    order.#voided = this.#voided;
    order.#isAsKept = this.#isAsKept;
    return order;
  }

  /** The read-only view that its strategy is given, made by `windows` when it is first read. */
  windowIn(windows: Windows): OrderView {
    this.#window ??= windows.order(this);
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
  get inFlight(): 'place' | 'cancel' | 'reduce' | undefined {
    return this.#inFlight;
  }
  get unknown(): boolean {
    return this.#unknown;
  }
  get cancelling(): boolean {
    if (this.#inFlight !== 'cancel' && !this.cancelWanted && !this.isCancelAccepted) return false;
    return this.isLive;
  }
  /** Whether a part of it is being cancelled, or is to be. */
  get reducing(): boolean {
    return this.isLive && (this.#inFlight === 'reduce' || this.reduceWanted !== undefined);
  }
  get placedAt(): number {
    return this.terms.sentAt;
  }
  get stakeMin(): number | undefined {
    return this.market && stakeMinOf(this.market);
  }
  get payoutMin(): number | undefined {
    return this.market && payoutMinOf(this.market);
  }
  get note(): string | undefined {
    return this.terms.note;
  }

  /** The stakes that it holds now, as the exposure book counts them. */
  held(): Stakes {
    return this.holdInto({ stakeUnmatched: ZERO, stakeMatched: ZERO, winningsMatched: ZERO });
  }

  /** Writes the stakes that it holds now into an object that is used again. */
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

  /** Applies what the exchange reports. Figures of a report that is older than the last one are ignored. */
  applyReport(report: OrderReport): void {
    assert(report.client === this.terms.client, 'a report is applied to the order it names');
    this.#isAsKept = false;
    this.exchangeId = report.order;
    if (this.#inFlight === 'place' || this.#isReductionLost) this.#inFlight = undefined;
    this.#isReductionLost = false;
    this.#unknown = false;
    this.#refused = false;
    this.#absent = false;
    const { stakeMatched, winningsMatched, stakeVoided } = report;
    const status = this.#status;
    if (status !== undefined && isOlder(report, { status, stakeMatched: this.#matched, stakeVoided: this.#voided }))
      return;
    this.#status = report.status;
    this.#matched = stakeMatched;
    this.#winnings = winningsMatched;
    this.#voided = stakeVoided;
    if (!isLive(report.status)) this.#inFlight = undefined;
  }

  /** Whether the order is known to have ended just so by an earlier process, as most orders are that a restarted run reads again. */
  hasEndedAs({ status, stakeMatched, winningsMatched, stakeVoided }: OrderReport): boolean {
    if (!this.#isAsKept || this.isLive || this.#refused || this.#absent || this.#unknown || this.#status !== status)
      return false;
    return this.#matched === stakeMatched && this.#winnings === winningsMatched && this.#voided === stakeVoided;
  }

  /** The order turned out not to have ended: the report that shows it counts as newer than all before, whatever it says. */
  revive(): void {
    this.#status = undefined;
    this.#isCancelAccepted = false;
  }

  /** The exchange created nothing: none of its stake counts any more. */
  refuse(): void {
    this.#refused = true;
    this.#inFlight = undefined;
    this.#unknown = false;
  }

  /** Marks an order of unknown fate as never created. A later report of it still wins. */
  declareAbsent(): void {
    assert(this.#unknown, 'only an order of unknown fate is proven absent');
    this.refuse();
    this.#absent = true;
  }

  /** It is not known whether the exchange created it: its exposure counts until one or the other is proven. */
  becomeUnknown(): void {
    this.#inFlight = undefined;
    this.#unknown = true;
  }

  cancelSent(): void {
    this.#inFlight = 'cancel';
    this.#isReductionLost = false;
    this.cancelWanted = false;
    this.reduceWanted = undefined;
  }

  reduceSent(): void {
    this.#inFlight = 'reduce';
    this.reduceWanted = undefined;
  }

  reduceAnswered(isKnown: boolean): void {
    if (this.#inFlight !== 'reduce') return;
    if (isKnown) this.#inFlight = undefined;
    else this.#isReductionLost = true;
  }

  /** The order waits out its in-play delay and the exchange has accepted its cancellation: what does not match at the end of the delay is cancelled. */
  get isCancelAccepted(): boolean {
    return this.#isCancelAccepted && this.#status === 'Pending';
  }

  cancelAccepted(): void {
    this.#isCancelAccepted = true;
  }

  cancelAnswered(): void {
    if (this.#inFlight === 'cancel') this.#inFlight = undefined;
  }
}
