/** The columns of the outcomes of a run's markets, in the library's table and in Parquet: a column is added here, and nowhere else. */

import { BOUNDS, type Bound } from '../figures/bounds.ts';
import type { OutcomeEnd, OutcomePosition } from '../figures/outcome-end.ts';
import type { MarketResult } from '../result.ts';
import { columnList } from './column.ts';

/** One outcome of one market. */
export interface OutcomeRow extends OutcomeEnd {
  readonly marketId: string;
}

export function* outcomeRows(markets: readonly MarketResult[]): Generator<OutcomeRow> {
  for (const { id: marketId, outcomes } of markets) for (const outcome of outcomes) yield { ...outcome, marketId };
}

const POSITIONS = ['profitIfWins', 'profitIfWinsNet', 'betsIfWins', 'betsIfLoses'] as const;

const ABOUT_POSITION: Readonly<Record<keyof OutcomePosition, string>> = {
  profitIfWins: 'Gross profit of the market if this outcome alone wins',
  profitIfWinsNet: 'The same less commission',
  betsIfWins: 'Gross profit of the bets on it if it wins',
  betsIfLoses: 'Gross profit of the bets on it if it does not',
};

export const OUTCOME_COLUMNS = columnList<OutcomeRow>()([
  { name: 'marketId', kind: 'text', about: 'Id of the market', of: (row) => row.marketId },
  { name: 'id', kind: 'text', about: 'Id of the outcome', of: (row) => row.id },
  { name: 'title', kind: 'text', about: 'Title of the outcome', of: (row) => row.title },
  { name: 'result', kind: 'text', about: 'Winner, Loser or Removed; none without a result', of: (row) => row.result },
  { name: 'winShare', kind: 'number', about: 'Part of a bet that was paid as won', of: (row) => row.winShare },
  { name: 'startingPrice', kind: 'number', about: 'Reconciled starting price', of: (row) => row.startingPrice },
  { name: 'preOff.bestFor', kind: 'number', about: 'Best For at the close', of: (row) => row.preOff?.bestFor },
  {
    name: 'preOff.bestAgainst',
    kind: 'number',
    about: 'Best Against at the close',
    of: (row) => row.preOff?.bestAgainst,
  },
  { name: 'preOff.lastPrice', kind: 'number', about: 'Last price before the off', of: (row) => row.preOff?.lastPrice },
  { name: 'preOff.traded', kind: 'money', about: 'Stake traded before the off', of: (row) => row.preOff?.traded },
  ...POSITIONS.flatMap((figure) => BOUNDS.map((bound) => positionColumn(figure, bound))),
]);

function positionColumn<Name extends keyof OutcomePosition>(figure: Name, bound: Bound) {
  return {
    name: `${figure}.${bound}` as const,
    kind: 'money',
    about: `${ABOUT_POSITION[figure]}, in the ${bound} bound`,
    of: (row: OutcomeRow) => row.position?.[bound]?.[figure],
  } as const;
}
