/** What a ladder is, and what it is not, in a line. */

import type { ViewMarket, ViewWelcome } from '../../../pages/view-data.ts';

const TRUTH: Readonly<Record<ViewWelcome['kind'], string>> = {
  backtest:
    'The ladder is the recorded book of the others: your orders are not in it, and what they took in the simulation is not taken from it.',
  paper:
    'The ladder is the recorded book of the others: the orders of a paper run are not in it, and what they took in the simulation is not taken from it.',
  live: 'The ladder is the book as the exchange showed it: what rested of your own orders is in it, and the columns beside it say how much that was.',
};

interface TruthParts {
  readonly welcome: ViewWelcome;
  readonly market: ViewMarket;
}

export function Truth({ welcome: { kind }, market: { refusal, ownPrices } }: TruthParts) {
  if (refusal !== undefined)
    return (
      <p class="truth">
        No run plays this market: it can be looked at alone ({refusal}). The ladder is the recorded book.
        {ownPrices !== undefined &&
          ' It has the prices that came in the recording, which are not those of the odds ladder'}
        {ownPrices !== undefined && (refusal.startsWith('LINE:') ? ': points, at which bets are at even odds.' : '.')}
      </p>
    );
  return (
    <p class="truth">
      {TRUTH[kind]} Own stake has columns of its own from its arrival to its end; stake with which you back stands among
      what others can lay.
    </p>
  );
}
