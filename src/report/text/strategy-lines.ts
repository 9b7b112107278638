/** The table of the strategies of a run, where it has several. */

import { byStrategy } from '../../result/by-strategy.ts';
import { INTERVAL } from '../../result/figures/bounds.ts';
import type { BacktestResult } from '../../result/result.ts';
import { amount, count, percent, signed } from '../../words/numbers.ts';
import { printable } from '../../words/printable.ts';
import type { Colours } from './colours.ts';

const COLUMNS = [
  { label: 'orders', width: 9 },
  { label: 'matched', width: 13 },
  { label: 'gross', width: 12 },
  { label: 'yield', width: 9 },
];
const NAME_MAX = 32;

/** Empty where there is one strategy: the totals are its own. */
export function strategyLines(result: BacktestResult, colours: Colours): readonly string[] {
  if (result.strategies.length < 2) return [];
  const rows = byStrategy(result);
  const name = Math.min(NAME_MAX, Math.max('strategy'.length, ...rows.map((row) => row.name.length)));
  const head = COLUMNS.map(({ label, width }) => label.padStart(width)).join('');
  const lines = rows.map((row) => {
    const { orders = 0, stakeMatched = 0, profitGross = 0 } = row.worlds.central ?? {};
    const all = INTERVAL.map((bound) => row.worlds[bound]?.profitGross ?? 0);
    const cells = [
      count(orders),
      amount(stakeMatched),
      signed(profitGross),
      stakeMatched === 0 ? '–' : percent(profitGross / stakeMatched),
    ].map((cell, at) => cell.padStart(COLUMNS[at]?.width ?? 0));
    const interval = result.fills === 'central' ? '' : `  ${signed(Math.min(...all))} … ${signed(Math.max(...all))}`;
    return `${printable(row.name).slice(0, name).padEnd(name)}${cells.join('')}${colours.dim(interval)}`;
  });
  return [
    colours.dim(
      `${'strategy'.padEnd(name)}${head}${result.fills === 'central' ? '' : '  interval of the gross profit'}`,
    ),
    ...lines,
  ];
}
