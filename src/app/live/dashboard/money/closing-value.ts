/** What closing a position now would bring, against the stake that rests in the book: the same profit at every result, and the largest such. */

import type { MarketState } from '../../../../core/market-state.ts';
import { decimalOfTick, NO_TICK, tick } from '../../../../core/number/ladder.ts';
import { moneyToDecimal } from '../../../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../../../core/side.ts';
import type { OpenValue } from '../../../../pages/money-panel.ts';
import type { Position } from '../../../../risk/exposure/position.ts';

/** An outcome that may still win. */
export interface Closable {
  /** What the position brings if it alone wins. */
  readonly profit: number;
  /** The stake of bets that pay so much if it wins; undefined where not so much rests in the book. */
  readonly stakeToBack: (payout: number) => number | undefined;
  readonly stakeToLay: (payout: number) => number | undefined;
}

interface Won {
  /** How many outcomes win. */
  readonly winners: number;
  /** What the position brings if none wins. */
  readonly profitIfNone: number;
}

/**
 * Bets that pay c − profit on each outcome, For where that is positive and Against where it is negative, make the profit the same at
 * every result. At fixed prices it is largest where c is one of the profits, so these are tried. Undefined where none can be reached.
 */
export function closingValue(outcomes: readonly Closable[], { winners, profitIfNone }: Won): number | undefined {
  let best: number | undefined;
  for (const { profit: level } of outcomes) {
    let value = winners * level - (winners - 1) * profitIfNone;
    for (const { profit, stakeToBack, stakeToLay } of outcomes) {
      if (profit < level) value -= stakeToBack(level - profit) ?? Number.POSITIVE_INFINITY;
      else if (profit > level) value += stakeToLay(profit - level) ?? Number.NEGATIVE_INFINITY;
    }
    if (value > (best ?? Number.NEGATIVE_INFINITY)) best = value;
  }
  return best;
}

/** What closing one strategy's position in one market would bring; its unmatched orders count for nothing. */
export function positionValue(state: MarketState, position: Position): number | undefined {
  const closable: Closable[] = [];
  let profitIfNone = 0;
  for (let outcome = 0; outcome < state.facts.outcomes.length; outcome += 1) {
    if (state.outcomeStatus(outcome) === 'Removed') continue;
    profitIfNone += position.matchedStake(outcome, AGAINST) - position.matchedStake(outcome, FOR);
    closable.push({
      profit: moneyToDecimal(position.profitIfWins(outcome)),
      stakeToBack: (payout) => closingStake(state, { outcome, resting: AGAINST, payout }),
      stakeToLay: (payout) => closingStake(state, { outcome, resting: FOR, payout }),
    });
  }
  return closingValue(closable, { winners: state.winners.max, profitIfNone: profitIfNone / 1e6 });
}

interface Payout {
  readonly outcome: number;
  /** The side that is met: a For order meets resting Against stake. */
  readonly resting: SideIndex;
  readonly payout: number;
}

/** The stake of orders that pay so much if the outcome wins; undefined where less rests there. Own stake is not met. */
export function closingStake(state: MarketState, { outcome, resting, payout }: Payout): number | undefined {
  let [left, stake] = [payout, 0];
  for (let at = state.bestTick(outcome, resting); left > 1e-9; at = state.nextTick(outcome, resting, at)) {
    if (at === NO_TICK) return undefined;
    const price = decimalOfTick(tick(at));
    const own = state.ownAt?.(outcome, resting, at).reduce((sum, each) => sum + each.stake, 0) ?? 0;
    const met = Math.min(Math.max(0, state.amountAt(outcome, resting, at) - own) / 1e6, left / price);
    stake += met;
    left -= met * price;
  }
  return stake;
}

export const NOTHING_OPEN: OpenValue = { value: 0, positions: 0, unpriced: 0 };

export function sumOpen(a: OpenValue, b: OpenValue): OpenValue {
  return { value: a.value + b.value, positions: a.positions + b.positions, unpriced: a.unpriced + b.unpriced };
}
