/** Draws chances against the share that came true: an SVG in the colours of the page, which needs no script. */

import type { CalibrationBand } from '../../research/run/calibration.ts';
import { amount, plural } from '../../words/numbers.ts';
import { type Html, html } from './html-text.ts';

/** A series of the chart. Its marks tell it from the others, not colour alone. */
export interface CalibrationSeries {
  readonly name: string;
  readonly mark: 'dot' | 'square' | 'diamond';
  /** A class of the style sheet, which gives the colour. */
  readonly tone: 'back' | 'lay' | 'accent' | 'plain';
  readonly bands: readonly CalibrationBand[];
}

/** A band with fewer outcomes says next to nothing: its interval is half as wide as the chart. */
export const ENOUGH = 10;

/** The places in units of the drawing, which is as wide as its column. */
const PLOT = { left: 44, top: 10, size: 296 } as const;
const COUNTS = { top: PLOT.top + PLOT.size + 6, height: 30 } as const;
const WIDTH = PLOT.left + PLOT.size + 16;
const HEIGHT = COUNTS.top + COUNTS.height + 52;
const TICKS: readonly number[] = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1];
const ABOVE_TICKS = COUNTS.top + COUNTS.height;

export function calibrationChart(label: string, all: readonly CalibrationSeries[]): Html {
  const series = all.filter(({ bands }) => bands.length > 0);
  const most = Math.max(1, ...series.flatMap(({ bands }) => bands.map(({ count }) => count)));
  return html`<svg class="calibration" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
${TICKS.map(gridLine)}<line class="even" x1="${place(0)}" y1="${height(0)}" x2="${place(1)}" y2="${height(1)}"/>
<text class="where" x="${place(0.002)}" y="${PLOT.top + 16}">won more often</text><text class="where end" x="${place(0.995)}" y="${PLOT.top + PLOT.size - 8}">won less often</text>
${series.map((each, at) => countBars(each, at, series.length, most))}<line class="grid" x1="${place(0)}" y1="${ABOVE_TICKS}" x2="${place(1)}" y2="${ABOVE_TICKS}"/>
${series.map((each, at) => points(each, (at - (series.length - 1) / 2) * 9))}
<text class="title" x="${place(0.25)}" y="${HEIGHT - 4}">chance, and the price that it is</text><text class="title" transform="translate(10 ${height(0.25)}) rotate(-90)">share that won</text></svg>`;
}

/** What the marks mean, those that stand for few outcomes as well. */
export function calibrationLegend(series: readonly CalibrationSeries[]): Html {
  const key = (mark: Html, text: string): Html =>
    html`<span><svg class="calibration key" viewBox="0 0 14 14" role="presentation">${mark}</svg>${text}</span>`;
  return html`<p class="legend">${series.map(({ name, mark, tone }) => key(markAt(mark, tone, 7, 7), name))}${key(markAt('dot', 'plain few', 7, 7), `hollow: fewer than ${ENOUGH} outcomes, too few to say`)}<span>bar: 95 % interval</span><span>below: outcomes in each band</span></p>`;
}

/** Long odds are most of all, and would lie on one point: the square root spreads them, and leaves the line of even chances straight. */
function place(chance: number): number {
  return rounded(PLOT.left + Math.sqrt(chance) * PLOT.size);
}

function height(share: number): number {
  return rounded(PLOT.top + (1 - Math.sqrt(share)) * PLOT.size);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function gridLine(chance: number): Html {
  const [x, y] = [place(chance), height(chance)];
  const price = chance === 0 ? '' : amount(1 / chance, chance > 0.5 && chance < 1 ? 2 : 0);
  return html`<line class="grid" x1="${x}" y1="${PLOT.top}" x2="${x}" y2="${height(0)}"/><line class="grid" x1="${place(0)}" y1="${y}" x2="${place(1)}" y2="${y}"/><text class="end" x="${PLOT.left - 5}" y="${y + 4}">${percent(chance)}</text><text class="middle" x="${x}" y="${ABOVE_TICKS + 14}">${percent(chance)}</text><text class="middle price" x="${x}" y="${ABOVE_TICKS + 27}">${price}</text>`;
}

function percent(chance: number): string {
  return `${amount(chance * 100, 0)}%`;
}

function countBars({ bands, tone, name }: CalibrationSeries, at: number, of: number, most: number): Html {
  const bars = bands.map(({ from, to, count }) => {
    const [left, right] = [place(from) + 1, place(to) - 1];
    const width = rounded((right - left) / of);
    const tall = rounded(Math.max(1, (count / most) * COUNTS.height));
    return html`<rect x="${rounded(left + at * width)}" y="${rounded(ABOVE_TICKS - tall)}" width="${width}" height="${tall}"><title>${name}: ${plural(count, 'outcome')}</title></rect>`;
  });
  return html`<g class="counts ${tone}">${bars}</g>`;
}

/** Those of a second series stand a little to the right, so that none hides another. */
function points({ bands, mark, tone, name }: CalibrationSeries, shift: number): Html {
  const drawn = bands.map(({ count, meanChance, shareWon, low, high, from, to }) => {
    const x = rounded(place(meanChance) + shift);
    const kind = count < ENOUGH ? `${tone} few` : tone;
    const said = `${name}, ${percent(from)} to ${percent(to)}: ${plural(count, 'outcome')}, mean chance ${amount(meanChance * 100, 1)} %, won ${amount(shareWon * 100, 1)} %, interval ${amount(low * 100, 1)} to ${amount(high * 100, 1)} %`;
    return html`<g><title>${said}</title><path class="${kind}" d="M${x} ${height(high)}V${height(low)}M${x - 3} ${height(high)}h6M${x - 3} ${height(low)}h6"/>${markAt(mark, kind, x, height(shareWon))}</g>\n`;
  });
  return html`${drawn}`;
}

function markAt(mark: CalibrationSeries['mark'], tone: string, x: number, y: number): Html {
  const size = tone.endsWith('few') ? 3.4 : 5;
  switch (mark) {
    case 'dot':
      return html`<circle class="mark ${tone}" cx="${x}" cy="${y}" r="${size}"/>`;
    case 'square':
      return html`<rect class="mark ${tone}" x="${rounded(x - size * 0.9)}" y="${rounded(y - size * 0.9)}" width="${rounded(size * 1.8)}" height="${rounded(size * 1.8)}"/>`;
    case 'diamond':
      return html`<path class="mark ${tone}" d="M${x} ${rounded(y - size * 1.25)}l${rounded(size * 1.25)} ${rounded(size * 1.25)}l${rounded(-size * 1.25)} ${rounded(size * 1.25)}l${rounded(-size * 1.25)} ${rounded(-size * 1.25)}z"/>`;
  }
}
