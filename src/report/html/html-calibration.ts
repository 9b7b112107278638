/** How often chances came true: those of the prices taken, of closing prices and of signals, as charts with the figures behind them. */

import type { Interval } from '../../research/chance/bootstrap.ts';
import type { NotKnown } from '../../research/figure/not-known.ts';
import type { Calibration, CalibrationBand } from '../../research/run/calibration.ts';
import type { PriceCalibration } from '../../research/run/price-calibration.ts';
import type { ModelStatistics, RunStatistics } from '../../result/statistics.ts';
import { amount, count, plural } from '../../words/numbers.ts';
import { sideWord } from '../../words/side-words.ts';
import { spreadText } from '../text/statistics-words.ts';
import { type Html, html } from './html-text.ts';

/** Whether anything can be said of chances: an outcome that was bet on has a result, closing prices can be read, or a strategy has a signal. */
export function hasCalibration({ calibration, models, pricesTaken: { backs, lays } }: RunStatistics): boolean {
  return models.length > 0 || [calibration, backs, lays].some(({ kind }) => kind !== 'notKnown');
}

export function calibrationCard(statistics: RunStatistics): Html | undefined {
  if (!hasCalibration(statistics)) return undefined;
  const { calibration, models, pricesTaken } = statistics;
  return html`<section class="card" id="calibration"><h2>How often chances came true <span class="soft">prices taken, closing prices${models.length === 0 ? '' : ' and signals'}</span></h2>
<div class="charts">${pricesPart(pricesTaken)}${models.length === 0 ? chancesPart('Closing prices', [closingOf(calibration)], calibration) : undefined}${models.map((model) => modelPart(model, calibration))}</div></section>`;
}

function pricesPart({ backs, lays }: RunStatistics['pricesTaken']): Html {
  const title = 'Prices taken';
  const known = [backs, lays].find((each) => each.kind !== 'notKnown');
  if (known === undefined)
    return html`<div><h3>${title}</h3><p class="soft">Nothing was matched on an outcome with a result.</p></div>`;
  const series = [
    { name: `${sideWord('For')} bets`, mark: 'dot', tone: 'back', bands: bandsOf(backs) },
    { name: `${sideWord('Against')} bets`, mark: 'square', tone: 'lay', bands: bandsOf(lays) },
  ] as const;
  return part({ title, series, notes: [known.says, known.doesNotSay], scores: undefined });
}

function closingOf(calibration: Calibration | NotKnown): CalibrationSeries {
  return { name: 'closing prices', mark: 'dot', tone: 'plain', bands: bandsOf(calibration) };
}

function bandsOf(of: Calibration | PriceCalibration | NotKnown): readonly CalibrationBand[] {
  return of.kind === 'notKnown' ? [] : of.bands;
}

function modelPart(model: ModelStatistics, closing: Calibration | NotKnown): Html {
  const { strategy, signal, calibration, brierSkill, logLossSkill } = model;
  const own = { name: `signal ${signal}`, mark: 'diamond', tone: 'accent', bands: bandsOf(calibration) } as const;
  const skills =
    calibration.kind === 'notKnown' ? [] : [skill('Brier score', brierSkill), skill('Log loss', logLossSkill)];
  return chancesPart(`Signal ${signal} of ${strategy}`, [closingOf(closing), own], calibration, skills);
}

function skill(name: string, value: Interval | NotKnown): Html {
  return value.kind === 'notKnown'
    ? html`<p class="soft">${name} against closing prices is not known: ${value.reason}</p>`
    : html`<p class="soft">${name} ${amount(Math.abs(value.estimate), 4)} ${value.estimate < 0 ? 'worse' : 'better'} than that of closing prices${spreadText(value, '', 4)}.</p>`;
}

function chancesPart(
  title: string,
  series: readonly CalibrationSeries[],
  calibration: Calibration | NotKnown,
  skills: readonly Html[] = [],
): Html {
  if (calibration.kind === 'notKnown')
    return html`<div><h3>${title}</h3><p class="soft">Not read as chances. ${calibration.reason}</p></div>`;
  const { brier, logLoss, forecasts, says, doesNotSay } = calibration;
  const scores = html`<p class="soft">Brier score ${amount(brier, 4)}, log loss ${amount(logLoss, 4)}, ${plural(forecasts, 'outcome')}.</p>${skills}`;
  return part({ title, series, notes: [says, doesNotSay], scores });
}

interface PartOfCard {
  readonly title: string;
  readonly series: readonly CalibrationSeries[];
  readonly notes: readonly string[];
  readonly scores: Html | undefined;
}

function part({ title, series, notes, scores }: PartOfCard): Html {
  const shown = series.filter(({ bands }) => bands.length > 0);
  return html`<div><h3>${title}</h3>
${calibrationChart(`${title}: share that won by chance`, shown)}
${calibrationLegend(shown)}${shown.map((each) => html`<p>${verdictOf(each)}</p>`)}${scores}<details class="under"><summary>The figures</summary>${notes.map((note) => html`<p class="soft small">${note}</p>`)}${table(shown)}</details></div>`;
}

/** One sentence on all bands of a series. */
function verdictOf({ name, bands }: CalibrationSeries): string {
  const judged = bands.filter((band) => band.count >= ENOUGH);
  const start = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  if (judged.length === 0) return `${start}: too few to say, no band has ${ENOUGH} outcomes.`;
  const out = judged.filter(isOutside);
  const among = `${start}: of ${plural(judged.length, 'band')} with ${ENOUGH} outcomes or more`;
  if (out.length === 0) return `${among} none is off by more than chance explains.`;
  return `${among} ${count(out.length)} ${out.length === 1 ? 'is' : 'are'} off by more than chance explains: ${out.map((band) => `${bandText(band)} won ${direction(band)} often`).join(', ')}.`;
}

/** What was said lies outside of the interval of what happened. */
function isOutside({ meanChance, low, high }: CalibrationBand): boolean {
  return meanChance < low || meanChance > high;
}

function direction({ meanChance, shareWon }: CalibrationBand): string {
  return shareWon > meanChance ? 'more' : 'less';
}

function bandText({ from, to }: CalibrationBand): string {
  return `${amount(from * 100, 0)} to ${amount(to * 100, 0)} %`;
}

function table(series: readonly CalibrationSeries[]): Html {
  const share = (value: number): string => `${amount(value * 100, 1)} %`;
  const row = (band: CalibrationBand): Html =>
    html`<tr><td>${bandText(band)}<small>${pricesText(band)}</small></td><td>${count(band.count)}</td><td>${share(band.meanChance)}</td><td>${share(band.shareWon)}</td><td>${amount(band.low * 100, 1)} … ${share(band.high)}</td><td class="why">${bandVerdict(band)}</td></tr>`;
  const group = ({ name, bands }: CalibrationSeries): Html =>
    html`<tbody>${series.length === 1 ? undefined : html`<tr><th class="group" colspan="6">${name}</th></tr>`}${bands.map(row)}</tbody>`;
  return html`<div class="sideways" tabindex="0"><table class="plain"><thead><tr><th scope="col">Chance</th><th scope="col">Outcomes</th><th scope="col">Mean</th><th scope="col">Won</th><th scope="col">95 % interval</th><th scope="col" class="why">Verdict</th></tr></thead>${series.map(group)}</table></div>`;
}

/** The prices of a band, the shortest first. */
function pricesText({ from, to }: CalibrationBand): string {
  const price = (chance: number): string => amount(1 / chance, 1 / chance < 10 ? 2 : 0);
  return from === 0 ? `${price(to)} and longer` : `prices ${price(to)} to ${price(from)}`;
}

function bandVerdict(band: CalibrationBand): string {
  if (band.count < ENOUGH) return 'too few to say';
  return isOutside(band) ? `${direction(band)} often` : 'within chance';
}

/** A series of the chart. Its marks tell it from the others, not colour alone. */
interface CalibrationSeries {
  readonly name: string;
  readonly mark: 'dot' | 'square' | 'diamond';
  /** A class of the style sheet, which gives the colour. */
  readonly tone: 'back' | 'lay' | 'accent' | 'plain';
  readonly bands: readonly CalibrationBand[];
}

/** A band with fewer outcomes says next to nothing: its interval is half as wide as the chart. */
const ENOUGH = 10;

/** The places in units of the drawing, which is as wide as its column. */
const PLOT = { left: 44, top: 10, size: 296 } as const;
const COUNTS = { top: PLOT.top + PLOT.size + 6, height: 30 } as const;
const WIDTH = PLOT.left + PLOT.size + 16;
const HEIGHT = COUNTS.top + COUNTS.height + 52;
const TICKS: readonly number[] = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1];
const ABOVE_TICKS = COUNTS.top + COUNTS.height;

/** Draws chances against the share that came true: an SVG in the colours of the page, which needs no script. */
function calibrationChart(label: string, all: readonly CalibrationSeries[]): Html {
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
function calibrationLegend(series: readonly CalibrationSeries[]): Html {
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
