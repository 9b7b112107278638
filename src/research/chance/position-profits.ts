/** A position in one market, written as amounts whose sum over the winners is its profit. */

import { assert } from '../../core/checks/assert.ts';
import { type Figures, sumOf } from '../figure/moments.ts';

/**
 * What the bets on each outcome bring if it is among the winners and if it is not. With one winner the amounts are the
 * profit of the whole position if that outcome wins; with several, each winner adds its amount. They are gross:
 * commission on the net winnings of a market with several winners is no such sum.
 */
export function positionProfits({
  winners,
  share = 1,
  ifWins,
  ifLoses,
}: {
  /** How many outcomes win. */
  readonly winners: number;
  /** The part of a bet on a winner that is paid as won: below 1 in a dead heat. */
  readonly share?: number;
  readonly ifWins: Figures;
  readonly ifLoses: Figures;
}): Float64Array {
  assert(winners >= 1 && winners <= ifWins.length, `there are 1 to ${ifWins.length} winners, got ${winners}`);
  assert(ifWins.length === ifLoses.length, 'each outcome has a profit for both cases');
  const shared = sumOf(ifLoses) / winners;
  return Float64Array.from(ifWins, (wins, outcome) => shared + share * (wins - ifLoses[outcome]!));
}
