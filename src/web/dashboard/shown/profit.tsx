/** One profit: what was won or lost, or what closing would bring now, which is said beside it. */

import type { OpenValue } from '../../../pages/money-panel.ts';
import { signed, tone as signOf } from '../../../words/numbers.ts';

interface ProfitParts {
  readonly settled: number | undefined;
  readonly open: (Pick<OpenValue, 'value'> & Partial<OpenValue>) | undefined;
}

export function Profit({ settled, open }: ProfitParts) {
  if (settled !== undefined) return <span class={signOf(settled)}>{signed(settled)}</span>;
  if (open === undefined) return undefined;
  const { value, positions, unpriced = 0 } = open;
  if (positions === 0) return <small>cannot be closed</small>;
  return (
    <span class={signOf(value)}>
      {signed(value)}
      <small>{unpriced === 0 ? 'if closed' : 'if closed in part'}</small>
    </span>
  );
}
