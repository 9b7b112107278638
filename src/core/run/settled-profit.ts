/** What a bet won or lost, from what its exchange reports of it. */

import type { Side } from '../side.ts';

interface ReportedBet {
  readonly side: Side;
  readonly status: string;
  readonly stakeMatched: number;
  readonly winningsMatched: number;
}

/** Before commission; undefined while the order is not settled. In a dead heat it is that of a whole win or loss. */
export function settledProfit({ side, status, stakeMatched, winningsMatched }: ReportedBet): number | undefined {
  const [won, lost] = side === 'For' ? [winningsMatched, stakeMatched] : [stakeMatched, winningsMatched];
  if (status === 'Won') return won;
  if (status === 'Lost') return -lost;
  return status === 'Voided' ? 0 : undefined;
}
