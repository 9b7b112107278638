/** The grades of the markets that were replayed; other markets on the same tapes do not count. */

import { GRADE_MEANINGS, GRADES, type Grade } from '../core/market.ts';
import { plural } from '../words/numbers.ts';
import type { BacktestResult } from './result.ts';

/** How many markets have each grade, best grade first; grades without a market are left out. */
export function gradesOf({ byMarket }: Pick<BacktestResult, 'byMarket'>): ReadonlyMap<Grade, number> {
  const counted = GRADES.map((grade) => [grade, byMarket.filter((market) => market.grade === grade).length] as const);
  return new Map(counted.filter(([, markets]) => markets > 0));
}

/** `full ladders and traded volume (12 markets)`. */
export function gradeText(grade: Grade, markets: number): string {
  return `${GRADE_MEANINGS[grade]} (${plural(markets, 'market')})`;
}
