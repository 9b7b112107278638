/** What the bot stands to lose, now: per market, event, strategy and wallet, from every own order not yet settled. */

import { shownStake } from '../../core/book/shown-stake.ts';
import { AssertionFailure, assert, fail } from '../../core/checks/assert.ts';
import { unmatchedRisk } from '../../core/exposure.ts';
import type { WinnersRange } from '../../core/market.ts';
import { NO_TICK, priceOfTick } from '../../core/number/ladder.ts';
import { type Money, ZERO } from '../../core/number/units.ts';
import { type SideIndex, sideIndex } from '../../core/side.ts';
import type { ExposureMarket, ExposureOrder, JudgedOrder } from './exposed.ts';
import { figureOf, newSum } from './exposure-sums.ts';
import { LiveOrders } from './live-orders.ts';
import { type EventSum, MarketExposure, type OwnerSums } from './market-exposure.ts';
import { OrderEffect } from './order-effect.ts';
import type { Position } from './position.ts';
import { PositionColumns } from './position-columns.ts';

/** What an own order holds. An `OrderReport` is one, and so is any record of an order with these three fields. */
export interface Stakes {
  /** May still match: resting, Pending, on its way, or unknown. */
  readonly stakeUnmatched: Money;
  readonly stakeMatched: Money;
  /** Backer's profit of the matched stake at the prices really got. */
  readonly winningsMatched: Money;
}

export const NO_STAKES: Stakes = { stakeUnmatched: ZERO, stakeMatched: ZERO, winningsMatched: ZERO };

/**
 * Each market has up to three kinds of position: of the market as a whole, of each strategy in it and of each wallet in
 * it. A change touches one of each (one object, while one strategy trades there with one wallet), at a cost that depends
 * on the market's outcomes alone; sums follow by difference. Amounts of wallets in different currencies are added as they are.
 */
export class ExposureBook {
  readonly #columns = new PositionColumns();
  readonly #exposureByMarket = new Map<number, MarketExposure>();
  /** The market asked for last: the next question is nearly always about that market too. */
  #lastAsked: MarketExposure | undefined;
  readonly #sumByEvent = new Map<string, EventSum>();
  readonly #sums: OwnerSums = { byStrategy: [], byWallet: [] };
  /** What the report at hand changes: one object, written anew for each. */
  readonly #change = { unmatchedStake: ZERO, unmatchedRisk: ZERO, stake: ZERO, winnings: ZERO };
  readonly #effect = new OrderEffect(this.#sums);
  #liveOrders = 0;

  openMarket(facts: ExposureMarket): void {
    assert(!this.#exposureByMarket.has(facts.market), `market ${facts.market} is already open`);
    assert(facts.outcomes > 0, `market ${facts.market} has no outcomes`);
    const event = this.#sumByEvent.get(facts.event) ?? { ...newSum(), markets: 0 };
    event.markets += 1;
    this.#sumByEvent.set(facts.event, event);
    this.#exposureByMarket.set(facts.market, new MarketExposure(facts, event, this.#columns, this.#sums));
  }

  isOpen(market: number): boolean {
    return this.#exposureIfOpen(market) !== undefined;
  }

  /** Drops all that is held in a market, settled or not. Costs its positions times its outcomes, once. */
  closeMarket(market: number): void {
    const exposure = this.#exposureIn(market);
    this.#exposureByMarket.delete(market);
    this.#lastAsked = undefined;
    exposure.drop();
    this.#liveOrders -= exposure.live?.total ?? 0;
    exposure.event.markets -= 1;
    if (exposure.event.markets === 0) this.#sumByEvent.delete(exposure.facts.event);
  }

  /** The outcome cannot win any more. Its bets are voided by the reports of their orders, not by this. */
  removeOutcome(market: number, outcome: number): void {
    this.#exposureIn(market).removeOutcome(outcome);
  }

  /** The number of winners became known, or changed. */
  setWinners(market: number, winners: WinnersRange): void {
    this.#exposureIn(market).setWinners(winners);
  }

  /** An order is about to be sent: its whole stake counts from now on. */
  reserve(order: ExposureOrder, stake: Money): void {
    this.change(order, NO_STAKES, { stakeUnmatched: stake, stakeMatched: ZERO, winningsMatched: ZERO });
  }

  /**
   * An order held `from` and now holds `to`; both are absolute. The unmatched risk is computed anew from the remaining
   * stake (profile section 6), so truncation leaves no dust and equal stakes change nothing.
   */
  change(order: ExposureOrder, from: Stakes, to: Stakes): void {
    const side = sideIndex(order.side);
    const limit = priceOfTick(order.tick);
    const riskBefore = unmatchedRisk(side, from.stakeUnmatched, limit);
    const change = this.#change;
    change.unmatchedStake = (to.stakeUnmatched - from.stakeUnmatched) as Money;
    change.unmatchedRisk = (unmatchedRisk(side, to.stakeUnmatched, limit) - riskBefore) as Money;
    change.stake = (to.stakeMatched - from.stakeMatched) as Money;
    change.winnings = (to.winningsMatched - from.winningsMatched) as Money;
    if (change.unmatchedStake === 0 && change.stake === 0 && change.winnings === 0) return;
    const exposure = this.#exposureOf(order);
    const isLive = to.stakeUnmatched > 0;
    if (from.stakeUnmatched > 0 !== isLive) this.#countLive(exposure, isLive);
    const isShown = shownStake(to.stakeUnmatched) > 0;
    if (shownStake(from.stakeUnmatched) > 0 !== isShown)
      liveOf(exposure).shows(order.outcome, side, order.tick, isShown);
    exposure.apply(order, side, change);
  }

  /** What sending the order would change; changes nothing. One object is used again and again: it holds until the next call. */
  effectOf(order: JudgedOrder): OrderEffect {
    return this.#effect.begin(order, this.#exposureOf(order));
  }

  /** Own orders, of all strategies, that may still match. */
  get liveOrders(): number {
    return this.#liveOrders;
  }

  liveOrdersInMarket(market: number): number {
    return this.#exposureIn(market).live?.total ?? 0;
  }

  /** The tick of ours that a taker on this outcome meets first among live orders of this side; NO_TICK without one. */
  bestOwnTick(market: number, outcome: number, side: SideIndex): number {
    return this.#exposureIn(market).live?.best(outcome, side) ?? NO_TICK;
  }

  /** The most that can be lost, whatever is filled and whichever outcomes win: over a strategy's markets. */
  lossOfStrategy(strategy: number): Money {
    return figureOf(this.#sums.byStrategy, strategy, 'possible');
  }

  lossOfWallet(wallet: number): Money {
    return figureOf(this.#sums.byWallet, wallet, 'possible');
  }

  /** The loss of a market as a whole; zero before its first order, and where every result is a profit. */
  lossOfMarket(market: number): Money {
    return atLeastZero(this.#exposureIn(market).whole?.possibleLoss);
  }

  lossOfEvent(event: string): Money {
    return (this.#sumByEvent.get(event)?.possible ?? 0) as Money;
  }

  /** The most that the bets on one outcome can lose by themselves. */
  outcomeLoss(market: number, outcome: number): Money {
    return atLeastZero(this.#exposureIn(market).whole?.outcomeLoss(outcome));
  }

  /** R: what the exchange holds for the wallet's matched and unmatched bets. */
  requiredOfWallet(wallet: number): Money {
    return figureOf(this.#sums.byWallet, wallet, 'required');
  }

  /** M: what the wallet's matched bets can lose, which the exchange has moved to escrow. */
  matchedOfWallet(wallet: number): Money {
    return figureOf(this.#sums.byWallet, wallet, 'matched');
  }

  /** A strategy's position in a market; undefined before its first order there. Do not keep it: it ends with the market. */
  position(market: number, strategy: number): Position | undefined {
    return this.#exposureIn(market).byStrategy[strategy];
  }

  /** Profit or loss of a strategy's matched bets in a market if this outcome alone wins. */
  profitIfWins(at: { readonly market: number; readonly strategy: number; readonly outcome: number }): Money {
    return this.position(at.market, at.strategy)?.profitIfWins(at.outcome) ?? ZERO;
  }

  /** Profit or loss of a wallet's matched bets in a market, over all strategies, if this outcome alone wins. */
  walletProfitIfWins(at: { readonly market: number; readonly wallet: number; readonly outcome: number }): Money {
    return this.#exposureIn(at.market).byWallet[at.wallet]?.profitIfWins(at.outcome) ?? ZERO;
  }

  worstLoss(market: number, strategy: number): Money {
    return atLeastZero(this.position(market, strategy)?.possibleLoss);
  }

  isFlat(market: number, strategy: number): boolean {
    return this.position(market, strategy)?.isFlat ?? true;
  }

  /** Slots held by positions of open markets. */
  get slotsInUse(): number {
    return this.#columns.slotsInUse;
  }

  /** Slots that were ever made: with reuse, the most that were held at once. */
  get slotsMade(): number {
    return this.#columns.slotsMade;
  }

  /** Whether nothing is left anywhere, in no column and no sum. */
  isZero(): boolean {
    const sums = [...this.#sumByEvent.values(), ...this.#sums.byStrategy, ...this.#sums.byWallet];
    const isEmpty = sums.every(({ possible, required, matched }) => possible === 0 && required === 0 && matched === 0);
    return this.#liveOrders === 0 && this.#columns.isZero() && isEmpty;
  }

  /** An order is live as long as it holds unmatched stake. */
  #countLive(exposure: MarketExposure, isLive: boolean): void {
    const change = isLive ? 1 : -1;
    liveOf(exposure).total += change;
    this.#liveOrders += change;
  }

  #exposureIfOpen(market: number): MarketExposure | undefined {
    if (this.#lastAsked?.facts.market === market) return this.#lastAsked;
    this.#lastAsked = this.#exposureByMarket.get(market);
    return this.#lastAsked;
  }

  #exposureIn(market: number): MarketExposure {
    const exposure = this.#exposureIfOpen(market);
    if (exposure === undefined) throw new AssertionFailure(`market ${market} is not open in the exposure book`);
    return exposure;
  }

  #exposureOf({ market, outcome }: ExposureOrder): MarketExposure {
    const exposure = this.#exposureIn(market);
    if (outcome < 0 || outcome >= exposure.facts.outcomes) fail(`market ${market} has no outcome ${outcome}`);
    return exposure;
  }
}

function atLeastZero(loss: Money | undefined): Money {
  return Math.max(0, loss ?? 0) as Money;
}

function liveOf(exposure: MarketExposure): LiveOrders {
  exposure.live ??= new LiveOrders(exposure.facts.outcomes);
  return exposure.live;
}
