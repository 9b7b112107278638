/** What closing prices can judge of a run: its bets before the off as if held to settlement, and what else its profit is made of. */

import { type Luck, luckOf, type MarketOfRun } from '../../research/chance/luck.ts';
import { positionProfits } from '../../research/chance/position-profits.ts';
import { winnerDraw } from '../../research/chance/winners.ts';
import { type NotKnown, notKnown } from '../../research/figure/not-known.ts';
import type { JudgedMarkets, ProfitParts } from '../../result/statistics.ts';
import type { UnitResult } from '../result/backtest-result.ts';
import type { CentralBets } from './central-bets.ts';
import type { JudgedMarket } from './judged-market.ts';

interface JudgedPositions {
  readonly judged: JudgedMarkets;
  readonly markets: readonly MarketOfRun[];
  /** Whether the bets of a market before the off are judged, by its index. */
  readonly isJudged: readonly boolean[];
}

/** Positions before the off in all markets that closing prices can judge, and why others cannot be. */
export function judgedPositions(markets: readonly JudgedMarket[], preOff: UnitResult['preOff']): JudgedPositions {
  const positions: MarketOfRun[] = [];
  const leftOut = new Map<string, number>();
  const isJudged = markets.map(({ result, settled }) => {
    const bets = preOff.get(result.id)?.get('central');
    if (bets === undefined) return false;
    if (settled.kind === 'settled' && bets.isEarly) {
      const { closing, winners, share } = settled;
      positions.push({ closing, winners, profit: positionProfits({ winners: winners.length, share, ...bets }) });
      return true;
    }
    const reason = settled.kind === 'notKnown' ? settled.reason : 'Nothing was matched before the off.';
    leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
    return false;
  });
  const reasons = [...leftOut].map(([reason, count]) => ({ reason, markets: count }));
  return { judged: { markets: positions.length, leftOut: reasons }, markets: positions, isJudged };
}

export function luckOfPositions(
  { markets, judged }: JudgedPositions,
  { seed, redraws }: { readonly seed: number; readonly redraws: number },
): Luck | NotKnown {
  if (markets.length > 0) return luckOf({ markets, seed, redraws });
  const [first, ...others] = judged.leftOut;
  if (first === undefined) return notKnown('No bet was matched before the off: there is no verdict.');
  const why =
    others.length === 0 ? first.reason : 'No market with bets before the off has a result and closing prices.';
  return notKnown(`${why.slice(0, -1)}: there is no verdict.`);
}

/** `gross`: of all settled markets. */
export function profitPartsOf(
  { markets, isJudged }: JudgedPositions,
  { paidEarly, paidLate }: CentralBets,
  gross: number,
): ProfitParts {
  let closing = 0;
  let settled = 0;
  for (const market of markets) {
    closing += winnerDraw(market.closing).expectation(market.profit);
    for (const winner of market.winners) settled += market.profit[winner]!;
  }
  const others = paidEarly.reduce((sum, paid, market) => (isJudged[market] ? sum : sum + paid), 0);
  const inPlay = paidLate.reduce((sum, paid) => sum + paid, 0);
  return { gross, closing, luck: settled - closing, inPlay, others };
}
