/** The larger tables of luck and skill, folded in: where the profit was made. */

import type { CellRow, RunStatistics } from '../../result/statistics.ts';
import { amount, count, plural, signed, tone } from '../../words/numbers.ts';
import { sideWord } from '../../words/side-words.ts';
import { CELL_TABLES } from '../text/statistics-words.ts';
import { type Html, html } from './html-text.ts';

export function cellsCard({ tables }: RunStatistics): Html | undefined {
  if (tables.kind === 'notKnown') return undefined;
  const heads = [
    { label: 'Bets', about: 'Fills of settled markets, central' },
    { label: 'Stake', about: "Backer's stake matched" },
    { label: 'Gross profit', about: 'As settled, before commission' },
    { label: 'Gross yield', about: 'Gross profit per stake, before commission' },
    {
      label: 'Expected',
      about: 'What the bets before the off were worth at closing, in the markets that can be judged',
    },
    { label: 'Luck', about: 'What was settled beyond that' },
    { label: 'p', about: 'The chance of luck this far to either side' },
    { label: 'p, adjusted', about: 'Adjusted for the number of cells in all four tables (Benjamini and Hochberg)' },
  ];
  const groups = tables.tables.map(
    ({ by, cells }) =>
      html`<tbody><tr><th colspan="${heads.length + 1}"><span>By ${CELL_TABLES[by]}</span></th></tr>${cells.map((row) => cellLine(by === 'side' ? { ...row, cell: sideWord(row.cell.split(' ')[0] ?? '') } : row))}</tbody>`,
  );
  return html`<details class="card"><summary><h2>Which of it is more than luck <span class="soft">${plural(tables.judged, 'cell')} judged</span></h2></summary>
<p class="soft">${tables.says} ${tables.doesNotSay} Bets are fills, each by its own price and by when it was matched; the table above takes orders, by their average price and by when they were decided.</p>
<div class="scroll" tabindex="0"><table class="rows"><thead><tr><th scope="col">Bets by</th>${heads.map(({ label, about }) => html`<th scope="col" title="${about}">${label}</th>`)}</tr></thead>
${groups}</table></div></details>`;
}

function cellLine({
  cell,
  bets,
  stake,
  profit,
  yieldGrossPercent,
  expected,
  luck,
  pValue,
  adjusted,
  reason,
}: CellRow): Html {
  const judged =
    expected === undefined || luck === undefined || pValue === undefined || adjusted === undefined
      ? html`<td class="why" colspan="4">${reason}</td>`
      : html`<td>${signed(expected)}</td><td class="${tone(luck)}">${signed(luck)}</td><td>${amount(pValue, 3)}</td><td>${adjusted <= 0.05 ? html`<b>${amount(adjusted, 3)}</b>` : amount(adjusted, 3)}</td>`;
  return html`<tr><td>${cell}</td><td>${count(bets)}</td><td>${amount(stake)}</td><td class="${tone(profit)}">${signed(profit)}</td><td>${yieldGrossPercent === undefined ? '–' : `${signed(yieldGrossPercent, 1)} %`}</td>${judged}</tr>\n`;
}
