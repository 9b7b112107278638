/** The larger tables of luck and skill, folded in: where the profit was made, and how good the chances were. */

import type { Interval } from '../../research/chance/bootstrap.ts';
import type { NotKnown } from '../../research/figure/not-known.ts';
import type { Calibration } from '../../research/run/calibration.ts';
import { amount, count, plural, signed, tone } from '../numbers.ts';
import type { CellRow, ModelStatistics, RunStatistics } from '../statistics.ts';
import { CELL_TABLES, spreadText } from '../text/statistics-words.ts';
import { type Html, html } from './html-text.ts';

export function cellsCard({ tables }: RunStatistics): Html | undefined {
  if (tables.kind === 'notKnown') return undefined;
  const heads = [
    { label: 'Bets', about: 'Fills of settled markets, central' },
    { label: 'Stake', about: "Backer's stake matched" },
    { label: 'Gross profit', about: 'As settled, before commission' },
    { label: 'Yield', about: 'Gross profit per stake' },
    {
      label: 'Expected',
      about: 'What the bets before the off were worth at closing, in the markets that can be judged',
    },
    { label: 'Luck', about: 'What was settled beyond that' },
    { label: 'p', about: 'The chance of luck this far to either side' },
    { label: 'p, adjusted', about: 'For the number of cells in all four tables (Benjamini and Hochberg)' },
  ];
  const groups = tables.tables.map(
    ({ by, cells }) =>
      html`<tbody><tr><th colspan="${heads.length + 1}"><span>By ${CELL_TABLES[by]}</span></th></tr>${cells.map(cellLine)}</tbody>`,
  );
  return html`<details class="card"><summary><h2>Which of it is more than luck <span class="soft">${plural(tables.judged, 'cell')} judged</span></h2></summary>
<p class="soft">${tables.says} ${tables.doesNotSay}</p>
<div class="scroll"><table class="rows"><thead><tr><th scope="col"></th>${heads.map(({ label, about }) => html`<th scope="col" title="${about}">${label}</th>`)}</tr></thead>
${groups}</table></div></details>`;
}

function cellLine({
  cell,
  bets,
  stake,
  profit,
  yieldPercent,
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
  return html`<tr><td>${cell}</td><td>${count(bets)}</td><td>${amount(stake)}</td><td class="${tone(profit)}">${signed(profit)}</td><td>${yieldPercent === undefined ? '–' : `${signed(yieldPercent, 1)} %`}</td>${judged}</tr>\n`;
}

/** Undefined where nothing can be said of chances: no market has a result and closing prices, and no strategy has a signal. */
export function calibrationCard({ calibration, models }: RunStatistics): Html | undefined {
  if (calibration.kind === 'notKnown' && models.length === 0) return undefined;
  return html`<details class="card"><summary><h2>How often chances came true <span class="soft">closing prices${models.length === 0 ? '' : ' and signals'}</span></h2></summary>
${chances('Closing prices', calibration)}${models.map(modelPart)}</details>`;
}

function modelPart({ strategy, signal, calibration, brierSkill, logLossSkill }: ModelStatistics): Html {
  const skill = (name: string, value: Interval | NotKnown): Html | undefined =>
    value.kind === 'notKnown'
      ? html`<p class="soft">${name} against closing prices is not known: ${value.reason}</p>`
      : html`<p class="soft">${name} ${amount(Math.abs(value.estimate), 4)} ${value.estimate < 0 ? 'worse' : 'better'} than that of closing prices${spreadText(value, '', 4)}.</p>`;
  const skills =
    calibration.kind === 'notKnown' ? undefined : [skill('Brier score', brierSkill), skill('Log loss', logLossSkill)];
  return html`${chances(`Signal ${signal} of ${strategy}`, calibration)}${skills?.filter((each) => each !== undefined)}`;
}

function chances(title: string, calibration: Calibration | NotKnown): Html {
  if (calibration.kind === 'notKnown')
    return html`<h3>${title}</h3><p class="soft">Not read as chances. ${calibration.reason}</p>`;
  const { bands, brier, logLoss, forecasts, says, doesNotSay } = calibration;
  const share = (value: number): string => `${amount(value * 100, 1)} %`;
  return html`<h3 title="${says}">${title}: Brier score ${amount(brier, 4)}, log loss ${amount(logLoss, 4)}, ${plural(forecasts, 'outcome')}</h3>
<p class="soft">${says} ${doesNotSay}</p>
<div class="sideways"><table class="plain"><thead><tr><th scope="col">Chance</th><th scope="col">Outcomes</th><th scope="col">Mean chance</th><th scope="col">Won</th><th scope="col">95 % interval</th></tr></thead><tbody>
${bands.map((band) => html`<tr><td>${amount(band.from * 100, 0)} to ${amount(band.to * 100, 0)} %</td><td>${count(band.count)}</td><td>${share(band.meanChance)}</td><td>${share(band.shareWon)}</td><td>${share(band.low)} … ${share(band.high)}</td></tr>`)}</tbody></table></div>`;
}
