/** What the bot stands to lose, now: per market, event, strategy and wallet, from every own order not yet settled. */

import { AssertionFailure, assert, fail } from '../../core/checks/assert.ts';
import { unmatchedRisk } from '../../core/exposure.ts';
import type { WinnersRange } from '../../core/market.ts';
import { NO_TICK, priceOfTick } from '../../core/number/ladder.ts';
import { type Money, profitAt, ZERO } from '../../core/number/units.ts';
import { type SideIndex, sideIndex } from '../../core/side.ts';
import type { ExposureMarket, ExposureOrder } from './exposed.ts';
import { LiveOrders } from './live-orders.ts';
import { type EventSum, MarketRow, type OwnerSums } from './market-row.ts';
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

/** Losses in money: of the bets on the order's outcome, of its market, event, strategy and wallet. */
export interface Losses {
  readonly outcome: Money;
  readonly market: Money;
  readonly event: Money;
  readonly strategy: Money;
  readonly wallet: Money;
}

/**
 * Each market has up to three kinds of position: of the market as a whole, of each strategy in it and of each wallet in
 * it. A change touches one of each (one object, while one strategy trades there with one wallet), at a cost that depends
 * on the market's outcomes alone; sums follow by difference. Amounts of wallets in different currencies are added as they are.
 */
export class ExposureBook {
  readonly #columns = new PositionColumns();
  readonly #rowByMarket = new Map<number, MarketRow>();
  /** The row asked for last: the next question is nearly always of the same market. */
  #lastRow: MarketRow | undefined;
  readonly #sumByEvent = new Map<string, EventSum>();
  readonly #sums: OwnerSums = { byStrategy: [], byWallet: [] };
  /** What the report at hand changes: written anew for each. */
  readonly #change = { unmatchedStake: ZERO, unmatchedRisk: ZERO, stake: ZERO, winnings: ZERO };
  #liveOrders = 0;

  openMarket(facts: ExposureMarket): void {
    assert(!this.#rowByMarket.has(facts.market), `market ${facts.market} is already open`);
    assert(facts.outcomes > 0, `market ${facts.market} has no outcomes`);
    const event = this.#sumByEvent.get(facts.event) ?? { required: 0, matched: 0, markets: 0 };
    event.markets += 1;
    this.#sumByEvent.set(facts.event, event);
    this.#rowByMarket.set(facts.market, new MarketRow(facts, event, this.#columns, this.#sums));
  }

  isOpen(market: number): boolean {
    return this.#rowIfOpen(market) !== undefined;
  }

  /** Drops all that is held in a market, settled or not. Costs its positions times its outcomes, once. */
  closeMarket(market: number): void {
    const row = this.#row(market);
    this.#rowByMarket.delete(market);
    this.#lastRow = undefined;
    row.drop();
    this.#liveOrders -= row.live?.total ?? 0;
    row.event.markets -= 1;
    if (row.event.markets === 0) this.#sumByEvent.delete(row.facts.event);
  }

  /** The outcome cannot win any more. Its bets are voided by the reports of their orders, not by this. */
  removeOutcome(market: number, outcome: number): void {
    this.#row(market).removeOutcome(outcome);
  }

  /** The number of winners became known, or changed. */
  setWinners(market: number, winners: WinnersRange): void {
    this.#row(market).setWinners(winners);
  }

  /** An order is about to be sent: its whole stake counts from now on. */
  reserve(order: ExposureOrder, stake: Money): void {
    this.change(order, NO_STAKES, { stakeUnmatched: stake, stakeMatched: ZERO, winningsMatched: ZERO });
  }

  /** What is unmatched can match no more: cancelled, voided, refused, or proven never to have arrived. */
  release(order: ExposureOrder, held: Stakes): void {
    const { stakeMatched, winningsMatched } = held;
    this.change(order, held, { stakeUnmatched: ZERO, stakeMatched, winningsMatched });
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
    const row = this.#rowOf(order);
    const isLive = to.stakeUnmatched > 0;
    if (from.stakeUnmatched > 0 !== isLive) this.#countLive(row, order, side, isLive);
    row.apply(order, side, change);
  }

  /** The losses that an order of this stake belongs to, without it. */
  losses(order: ExposureOrder): Losses {
    const row = this.#row(order.market);
    return {
      outcome: row.whole?.outcomeLoss(order.outcome) ?? ZERO,
      market: row.whole?.required ?? ZERO,
      event: row.event.required as Money,
      strategy: this.requiredOfStrategy(order.strategy),
      wallet: this.requiredOfWallet(order.wallet),
    };
  }

  /** The same losses had this stake been sent; changes nothing. */
  lossesWith(order: ExposureOrder, stake: Money): Losses {
    const side = sideIndex(order.side);
    const risk = unmatchedRisk(side, stake, priceOfTick(order.tick));
    const row = this.#rowOf(order);
    const { outcome } = order;
    const whole = row.ofMarket(order);
    const strategy = row.ofStrategy(order);
    const wallet = row.ofWallet(order);
    const market = whole.requiredWith(outcome, side, risk);
    const strategyRise = strategy.requiredWith(outcome, side, risk) - strategy.required;
    const walletRise = wallet.requiredWith(outcome, side, risk) - wallet.required;
    return {
      outcome: whole.outcomeLossWith(outcome, side, risk),
      market,
      event: (row.event.required + market - whole.required) as Money,
      strategy: (this.requiredOfStrategy(order.strategy) + strategyRise) as Money,
      wallet: (this.requiredOfWallet(order.wallet) + walletRise) as Money,
    };
  }

  /** By how much R of the order's wallet would rise had this stake been sent; changes nothing. */
  walletRise(order: ExposureOrder, stake: Money): Money {
    return riseOf(this.#rowOf(order).ofWallet(order), order, stake);
  }

  /** The same of its market. */
  marketRise(order: ExposureOrder, stake: Money): Money {
    return riseOf(this.#rowOf(order).ofMarket(order), order, stake);
  }

  /** Whether an order, matched in full at its limit, would lower what the strategy's matched bets there can lose. */
  isHedge(order: ExposureOrder, stake: Money): boolean {
    const position = this.#row(order.market).byStrategy[order.strategy];
    if (position === undefined || position.matched === 0) return false;
    return position.matchedWith(order.outcome, sideIndex(order.side), matchAtLimit(order, stake)) < position.matched;
  }

  /** What the strategy's matched bets in the order's market lose in their worst result; below zero it is a profit. */
  lossAtWorst(order: ExposureOrder): Money {
    return this.#row(order.market).byStrategy[order.strategy]?.lossAtWorst() ?? ZERO;
  }

  /** The same had this stake matched in full at the order's limit; changes nothing. */
  lossAtWorstWith(order: ExposureOrder, stake: Money): Money {
    const position = this.#rowOf(order).ofStrategy(order);
    return position.lossAtWorstWith(order.outcome, sideIndex(order.side), matchAtLimit(order, stake));
  }

  /** The first of the order's market, strategy and wallet (there) that could lose more with it than without. */
  possibleRise(order: ExposureOrder, stake: Money): { value: Money; wouldBe: Money } | undefined {
    const side = sideIndex(order.side);
    const risk = unmatchedRisk(side, stake, priceOfTick(order.tick));
    const row = this.#rowOf(order);
    const { outcome } = order;
    for (const position of [row.ofMarket(order), row.ofStrategy(order), row.ofWallet(order)]) {
      const value = position.possibleLoss();
      const wouldBe = position.possibleLossWith(outcome, side, risk);
      if (wouldBe > value) return { value, wouldBe };
    }
    return undefined;
  }

  /** Own orders, of all strategies, that may still match. */
  get liveOrders(): number {
    return this.#liveOrders;
  }

  liveOrdersInMarket(market: number): number {
    return this.#row(market).live?.total ?? 0;
  }

  /** The tick of ours that a taker on this outcome meets first among live orders of this side; NO_TICK without one. */
  bestOwnTick(market: number, outcome: number, side: SideIndex): number {
    return this.#row(market).live?.best(outcome, side) ?? NO_TICK;
  }

  requiredInMarket(market: number): Money {
    return this.#row(market).whole?.required ?? ZERO;
  }

  /** The sum over the event's markets: their results are not assumed to go together. */
  requiredInEvent(event: string): Money {
    return (this.#sumByEvent.get(event)?.required ?? 0) as Money;
  }

  requiredOfStrategy(strategy: number): Money {
    return (this.#sums.byStrategy[strategy]?.required ?? 0) as Money;
  }

  requiredOfWallet(wallet: number): Money {
    return (this.#sums.byWallet[wallet]?.required ?? 0) as Money;
  }

  /** M: what the wallet's matched bets can lose, which the exchange has moved to escrow. */
  matchedOfWallet(wallet: number): Money {
    return (this.#sums.byWallet[wallet]?.matched ?? 0) as Money;
  }

  /** The bets on one outcome by themselves, over all strategies. */
  outcomeLoss(market: number, outcome: number): Money {
    return this.#row(market).whole?.outcomeLoss(outcome) ?? ZERO;
  }

  /** A strategy's position in a market; undefined before its first order there. Do not keep it: it ends with the market. */
  position(market: number, strategy: number): Position | undefined {
    return this.#row(market).byStrategy[strategy];
  }

  profitIfWins(at: { readonly market: number; readonly strategy: number; readonly outcome: number }): Money {
    return this.position(at.market, at.strategy)?.profitIfWins(at.outcome) ?? ZERO;
  }

  /** The same of a wallet, over all strategies. */
  walletProfitIfWins(at: { readonly market: number; readonly wallet: number; readonly outcome: number }): Money {
    return this.#row(at.market).byWallet[at.wallet]?.profitIfWins(at.outcome) ?? ZERO;
  }

  worstLoss(market: number, strategy: number): Money {
    return this.position(market, strategy)?.required ?? ZERO;
  }

  isFlat(market: number, strategy: number): boolean {
    return this.position(market, strategy)?.isFlat ?? true;
  }

  /** Cells held by positions of open markets. */
  get cellsInUse(): number {
    return this.#columns.cellsInUse;
  }

  /** Cells that were ever made: with reuse, the most that were held at once. */
  get cellsMade(): number {
    return this.#columns.cellsMade;
  }

  /** Whether nothing is left anywhere, in no column and no sum. */
  isZero(): boolean {
    const sums = [...this.#sumByEvent.values(), ...this.#sums.byStrategy, ...this.#sums.byWallet];
    return (
      this.#liveOrders === 0 && this.#columns.isZero() && sums.every((sum) => sum.required === 0 && sum.matched === 0)
    );
  }

  /** An order is live as long as it holds unmatched stake. */
  #countLive(row: MarketRow, order: ExposureOrder, side: SideIndex, isLive: boolean): void {
    row.live ??= new LiveOrders(row.facts.outcomes);
    if (isLive) row.live.opened(order.outcome, side, order.tick);
    else row.live.ended(order.outcome, side, order.tick);
    this.#liveOrders += isLive ? 1 : -1;
  }

  #rowIfOpen(market: number): MarketRow | undefined {
    if (this.#lastRow?.facts.market === market) return this.#lastRow;
    this.#lastRow = this.#rowByMarket.get(market);
    return this.#lastRow;
  }

  #row(market: number): MarketRow {
    const row = this.#rowIfOpen(market);
    if (row === undefined) throw new AssertionFailure(`market ${market} is not open in the exposure book`);
    return row;
  }

  #rowOf({ market, outcome }: ExposureOrder): MarketRow {
    const row = this.#row(market);
    if (outcome < 0 || outcome >= row.facts.outcomes) fail(`market ${market} has no outcome ${outcome}`);
    return row;
  }
}

function riseOf(position: Position, { outcome, side, tick }: ExposureOrder, stake: Money): Money {
  const index = sideIndex(side);
  const risk = unmatchedRisk(index, stake, priceOfTick(tick));
  return (position.requiredWith(outcome, index, risk) - position.required) as Money;
}

function matchAtLimit(order: ExposureOrder, stake: Money): { stake: Money; winnings: Money } {
  return { stake, winnings: profitAt(stake, priceOfTick(order.tick)) };
}
