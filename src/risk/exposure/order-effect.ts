/** What one order that is not sent yet would change in what the bot can lose. */

import { defined } from '../../core/checks/assert.ts';
import { unmatchedRisk } from '../../core/exposure.ts';
import { priceOfTick } from '../../core/number/ladder.ts';
import { type Money, profitAt, ZERO } from '../../core/number/units.ts';
import { FOR, type SideIndex, sideIndex } from '../../core/side.ts';
import type { JudgedOrder } from './exposed.ts';
import { figureOf } from './exposure-sums.ts';
import type { MarketExposure, OwnerSums } from './market-exposure.ts';
import type { Position } from './position.ts';

/** A figure without the order, and with its whole stake sent. */
export interface LossChange {
  readonly before: Money;
  readonly after: Money;
}

/** The changes of the bets on the order's outcome, and of its market, event, strategy and wallet. */
type LossChanges = Readonly<Record<'outcome' | 'market' | 'event' | 'strategy' | 'wallet', LossChange>>;

/** Why an order does not reduce: a loss before and with it, and what it may not exceed. Below zero it is a profit. */
interface LossIncrease {
  readonly limit: Money;
  readonly value: Money;
  readonly wouldBe: Money;
}

/**
 * Each figure is measured when a rule first asks for it, and once for an order. The exposure book keeps one such object
 * and begins it anew for each order: what it says holds until the next order, and until the book changes.
 */
export class OrderEffect {
  readonly #sums: OwnerSums;
  #order: JudgedOrder | undefined;
  #market: MarketExposure | undefined;
  #side: SideIndex = FOR;
  #ownLoss: Money = ZERO;
  readonly #losses = {
    outcome: { before: ZERO, after: ZERO },
    market: { before: ZERO, after: ZERO },
    event: { before: ZERO, after: ZERO },
    strategy: { before: ZERO, after: ZERO },
    wallet: { before: ZERO, after: ZERO },
  };
  #hasLosses = false;
  readonly #required = { before: ZERO, after: ZERO };
  #increase: LossIncrease | undefined;
  #hasIncrease = false;

  constructor(sums: OwnerSums) {
    this.#sums = sums;
  }

  /** Measures another order from now on. */
  begin(order: JudgedOrder, market: MarketExposure): this {
    this.#order = order;
    this.#market = market;
    this.#side = sideIndex(order.side);
    this.#ownLoss = unmatchedRisk(this.#side, order.stake, priceOfTick(order.tick));
    this.#hasLosses = false;
    this.#hasIncrease = false;
    return this;
  }

  /** What the order can lose by itself: its stake for For, stake × (limit price − 1) for Against. No loss rises by more. */
  get ownLoss(): Money {
    return this.#ownLoss;
  }

  /** The most that can be lost, whatever is filled and whichever outcomes win; never below zero. */
  get losses(): LossChanges {
    if (!this.#hasLosses) this.#measureLosses();
    this.#hasLosses = true;
    return this.#losses;
  }

  /** R of the wallet, which the exchange holds: it may rise where nothing more can be lost. */
  get required(): LossChange {
    const order = this.#measured();
    const { outcome, wallet } = order;
    const position = this.#exposure().ofWallet(order);
    const rise = position.requiredWith(outcome, this.#side, this.#ownLoss) - position.required;
    setChange(this.#required, figureOf(this.#sums.byWallet, wallet, 'required'), rise);
    return this.#required;
  }

  /** Whether the order, matched in full at its limit, would lower what the strategy's matched bets there can lose. */
  get isHedge(): boolean {
    const order = this.#measured();
    const position = this.#exposure().byStrategy[order.strategy];
    if (position === undefined || position.matched === 0) return false;
    return position.matchedWith(order.outcome, this.#side, matchAtLimit(order, order.stake)) < position.matched;
  }

  /**
   * Why the order does not reduce risk: the first figure that stands against it; undefined where it reduces. It reduces
   * where both hold:
   * 1. What can be lost at most, whatever is filled and whichever outcome wins, rises neither for its market over all
   *    strategies nor for its strategy or its wallet there. A profit that is certain must not shrink either.
   * 2. Matched in full at its limit it betters the worst result of the strategy's matched bets there, and half of it would
   *    not better that more. So nothing new grows behind a resting order that risks more, no profit that is certain is
   *    risked again, and what closes a position does not turn it round.
   *
   * No fill, in part or at a better price, and no cancellation raises what can be lost at most: what is accepted now
   * cannot raise it later either.
   */
  get lossIncrease(): LossIncrease | undefined {
    if (!this.#hasIncrease) this.#increase = this.#possibleIncrease() ?? this.#worstResultIncrease();
    this.#hasIncrease = true;
    return this.#increase;
  }

  #measureLosses(): void {
    const order = this.#measured();
    const market = this.#exposure();
    const { outcome, strategy, wallet } = order;
    const { byStrategy, byWallet } = this.#sums;
    const whole = market.ofMarket(order);
    const ofStrategy = market.ofStrategy(order);
    const ofWallet = market.ofWallet(order);
    const marketRise = this.#riseOf(whole, outcome);
    // While one strategy trades here with one wallet, the three are one object.
    const strategyRise = ofStrategy === whole ? marketRise : this.#riseOf(ofStrategy, outcome);
    const walletRise = ofWallet === whole ? marketRise : this.#riseOf(ofWallet, outcome);
    const losses = this.#losses;
    losses.outcome.before = atLeastZero(whole.outcomeLoss(outcome));
    losses.outcome.after = atLeastZero(whole.outcomeLossWith(outcome, this.#side, this.#ownLoss));
    setChange(losses.market, atLeastZero(whole.possibleLoss), marketRise);
    setChange(losses.event, market.event.possible, marketRise);
    setChange(losses.strategy, figureOf(byStrategy, strategy, 'possible'), strategyRise);
    setChange(losses.wallet, figureOf(byWallet, wallet, 'possible'), walletRise);
  }

  #riseOf(position: Position, outcome: number): number {
    const after = position.possibleLossWith(outcome, this.#side, this.#ownLoss);
    return atLeastZero(after) - atLeastZero(position.possibleLoss);
  }

  /** The first of the order's market, strategy and wallet there that could lose more with it than without. */
  #possibleIncrease(): LossIncrease | undefined {
    const order = this.#measured();
    const market = this.#exposure();
    for (const position of [market.ofMarket(order), market.ofStrategy(order), market.ofWallet(order)]) {
      const value = position.possibleLoss;
      const wouldBe = position.possibleLossWith(order.outcome, this.#side, this.#ownLoss);
      if (wouldBe > value) return { limit: value, value, wouldBe };
    }
    return undefined;
  }

  #worstResultIncrease(): LossIncrease | undefined {
    const order = this.#measured();
    const position = this.#exposure().ofStrategy(order);
    const value = position.lossAtWorst();
    const wouldBe = position.lossAtWorstWith(order.outcome, this.#side, matchAtLimit(order, order.stake));
    if (wouldBe >= value) return { limit: value, value, wouldBe };
    const half = Math.floor(order.stake / 2) as Money;
    const limit = position.lossAtWorstWith(order.outcome, this.#side, matchAtLimit(order, half));
    return wouldBe > limit ? { limit, value, wouldBe } : undefined;
  }

  #measured(): JudgedOrder {
    return defined(this.#order, 'an effect is of an order');
  }

  #exposure(): MarketExposure {
    return defined(this.#market, 'an effect is in a market');
  }
}

function setChange(change: { before: Money; after: Money }, before: number, rise: number): void {
  change.before = before as Money;
  change.after = (before + rise) as Money;
}

function matchAtLimit(order: JudgedOrder, stake: Money): { readonly stake: Money; readonly winnings: Money } {
  return { stake, winnings: profitAt(stake, priceOfTick(order.tick)) };
}

function atLeastZero(loss: Money): Money {
  return Math.max(0, loss) as Money;
}
