/** Which run the counts of a result belong to, where there are several. */

import { columnsOf } from '../../result/figures/bounds.ts';
import type { BacktestResult } from '../../result/result.ts';
import { count } from '../../words/numbers.ts';

/** One clause for people; undefined where the result has one world. */
export function countedRun({ runs, total }: Pick<BacktestResult, 'runs' | 'total'>): string | undefined {
  if (runs.every(({ flow }) => flow === 'central')) return undefined;
  const sent = columnsOf(total).map((bound) => {
    const orders = runs.reduce((sum, run) => sum + (run.flow === bound ? run.orders.sent : 0), 0);
    return `${bound} ${count(orders)}`;
  });
  return `the counts are of the central run; sent: ${sent.join(', ')}`;
}
