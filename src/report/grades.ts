/** The grades on which a result rests: those of the markets that were replayed, whatever else their tapes hold. */

import { GRADE_MEANINGS, GRADES, type Grade } from '../core/market.ts';
import { plural } from './numbers.ts';
import type { BacktestResult } from './result.ts';

/** Best first, with how many markets have each; only those that occur. */
export function gradesOf({ byMarket }: Pick<BacktestResult, 'byMarket'>): ReadonlyMap<Grade, number> {
  const counted = GRADES.map((grade) => [grade, byMarket.filter((market) => market.grade === grade).length] as const);
  return new Map(counted.filter(([, markets]) => markets > 0));
}

/** `full ladders and traded volume (12 markets)`. */
export function gradeText(grade: Grade, markets: number): string {
  return `${GRADE_MEANINGS[grade]} (${plural(markets, 'market')})`;
}
