/** Tables of results by price band, time to off, market type or side, with the cells judged together. */

import { assert } from '../../core/checks/assert.ts';
import { type Luck, luckOf, type MarketOfRun } from '../chance/luck.ts';
import type { Meaning } from '../figure/meaning.ts';
import type { Figures } from '../figure/moments.ts';
import { type NotKnown, notKnown } from '../figure/not-known.ts';

/** What was bet in one cell. */
export interface CellBets {
  readonly cell: string;
  readonly bets: number;
  /** The backers' stakes, in money. */
  readonly stake: number;
  /** Gross profit of all its bets, in money; also of those in markets without closing prices. */
  readonly profit: number;
  /** The positions that the bets of this cell alone make, in each settled market with closing prices. */
  readonly markets: readonly MarketOfRun[];
}

export interface Cell {
  readonly cell: string;
  readonly bets: number;
  readonly stake: number;
  readonly profit: number;
  /** `profit` in per cent of stake; undefined without stake. */
  readonly yieldGrossPercent: number | undefined;
  readonly luck: Luck | NotKnown;
  /** The p-value of the luck, adjusted for the number of cells (Benjamini and Hochberg); undefined where it is not known. */
  readonly adjusted: number | undefined;
}

export interface CellTable extends Meaning {
  readonly kind: 'cellTable';
  readonly cells: readonly Cell[];
  /** Cells that were judged: those whose luck is known. */
  readonly judged: number;
}

const CELLS_MEANING: Meaning = {
  says:
    'The table says where the profit was made. Of the cells whose adjusted p-value is at most 0.05, not more than one in ' +
    'twenty differs from the closing prices by chance alone.',
  doesNotSay:
    'A cell that stands out was found by looking, and one that does not may have too few bets. The p-values are about ' +
    'who won: a cell that lives on better prices than at closing shows it in its expected profit.',
};

/**
 * The test of a cell is a redraw of winners from closing prices, to both sides. Tests that judge a cell by the spread of its own
 * profits (t, signed ranks, bootstrap) take long odds for skill where a rare loss did not come; this one knows the odds.
 */
export function cellTableOf({
  cells,
  seed,
  redraws,
}: {
  readonly cells: readonly CellBets[];
  readonly seed: number;
  /** Should be some hundred times the number of cells, since no p-value is below 2 ÷ (1 + redraws). */
  readonly redraws: number;
}): CellTable | NotKnown {
  if (cells.length === 0) return notKnown('There is no bet.');
  assert(new Set(cells.map(({ cell }) => cell)).size === cells.length, 'each cell is given once');
  // A cell's draws depend on its place alone, never on what lies in the others.
  const lucks = cells.map(({ markets }, at) => luckOf({ markets, seed: seed + at, redraws }));
  const pValues = lucks.flatMap((luck) => (luck.kind === 'luck' ? [luck.pValue] : []));
  const adjusted = adjustedPValues(pValues).values();
  return {
    kind: 'cellTable',
    cells: cells.map(({ cell, bets, stake, profit }, at) => {
      const luck = lucks[at]!;
      const yieldGrossPercent = stake === 0 ? undefined : (profit / stake) * 100;
      return {
        cell,
        bets,
        stake,
        profit,
        yieldGrossPercent,
        luck,
        adjusted: luck.kind === 'luck' ? adjusted.next().value : undefined,
      };
    }),
    judged: pValues.length,
    ...CELLS_MEANING,
  };
}

/**
 * Adjusts p-values of many cells for their false discovery rate (Y. Benjamini and Y. Hochberg, 1995), in the order given. Of the cells
 * whose adjusted p-value is at most 0.05, not more than one in twenty is chance alone, on average; this holds for independent cells and for
 * those that go up and down together.
 */
export function adjustedPValues(pValues: Figures): Float64Array {
  const count = pValues.length;
  const order = Array.from({ length: count }, (_, at) => at).sort((a, b) => pValues[b]! - pValues[a]!);
  const adjusted = new Float64Array(count);
  let least = 1;
  order.forEach((at, place) => {
    const pValue = pValues[at]!;
    assert(pValue >= 0 && pValue <= 1, `a p-value lies between 0 and 1, got ${pValue}`);
    least = Math.min(least, (pValue * count) / (count - place));
    adjusted[at] = least;
  });
  return adjusted;
}
