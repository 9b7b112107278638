/** The outcomes of a market as the result has them, from what the simulations of its pieces kept. */

import { decimalOfTick, NO_TICK, type Tick } from '../../core/number/ladder.ts';
import { type Money, moneyToDecimal } from '../../core/number/units.ts';
import type { BetWorth } from '../../matching/life/bet-worth.ts';
import { type ByBound, mapBounds } from '../../result/figures/bounds.ts';
import type { OutcomeEnd, OutcomePosition, PreOff } from '../../result/figures/outcome-end.ts';
import type { PreOffPrices } from '../../simulator/replay/pre-off-prices.ts';
import type { CollectedMarket } from '../simulation/backtest-collector.ts';

export function outcomeEnds(market: CollectedMarket, worth: ByBound<BetWorth>): readonly OutcomeEnd[] {
  const hasBets = Object.values(worth).some(({ betsIfWins }) => betsIfWins.length > 0);
  const hasVolume = market.grade === 'A' || market.grade === 'B';
  return market.outcomes.map(({ id, title, result, winShare, startingPrice }, outcome) => {
    const end: { -readonly [Key in keyof OutcomeEnd]: OutcomeEnd[Key] } = { id, title };
    if (result !== undefined) end.result = result;
    if (winShare !== undefined) end.winShare = winShare;
    if (startingPrice !== undefined) end.startingPrice = startingPrice;
    if (market.preOff !== undefined) end.preOff = preOffOf(market.preOff, outcome, hasVolume);
    if (hasBets && result !== 'Removed') end.position = mapBounds(worth, (bets) => positionOf(bets, outcome));
    return end;
  });
}

/** What the bets of two simulations are worth together: each strategy had the market to itself. */
export function bothWorths(a: BetWorth, b: BetWorth): BetWorth {
  if (a.betsIfWins.length === 0) return b;
  if (b.betsIfWins.length === 0) return a;
  return {
    betsIfWins: bothColumns(a.betsIfWins, b.betsIfWins),
    betsIfLoses: bothColumns(a.betsIfLoses, b.betsIfLoses),
    profitIfWins: bothColumns(a.profitIfWins, b.profitIfWins),
    commissionIfWins: bothColumns(a.commissionIfWins, b.commissionIfWins),
  };
}

function bothColumns(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((amount, outcome) => amount + (b[outcome] ?? 0));
}

function preOffOf(prices: PreOffPrices, outcome: number, hasVolume: boolean): PreOff {
  const preOff: { -readonly [Key in keyof PreOff]: PreOff[Key] } = {};
  const [bestFor, bestAgainst] = [priceOf(prices.bestFor[outcome]), priceOf(prices.bestAgainst[outcome])];
  const lastPrice = priceOf(prices.lastTick[outcome]);
  if (bestFor !== undefined) preOff.bestFor = bestFor;
  if (bestAgainst !== undefined) preOff.bestAgainst = bestAgainst;
  if (lastPrice !== undefined) preOff.lastPrice = lastPrice;
  if (hasVolume) preOff.traded = moneyToDecimal((prices.traded[outcome] ?? 0) as Money);
  return preOff;
}

function priceOf(tick: number = NO_TICK): number | undefined {
  return tick === NO_TICK ? undefined : decimalOfTick(tick as Tick);
}

function positionOf(bets: BetWorth, outcome: number): OutcomePosition {
  const of = (column: Float64Array): number => column[outcome] ?? 0;
  const gross = of(bets.profitIfWins);
  return {
    profitIfWins: moneyToDecimal(gross as Money),
    profitIfWinsNet: moneyToDecimal((gross - of(bets.commissionIfWins)) as Money),
    betsIfWins: moneyToDecimal(of(bets.betsIfWins) as Money),
    betsIfLoses: moneyToDecimal(of(bets.betsIfLoses) as Money),
  };
}
