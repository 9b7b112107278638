/** How often chances came true: those of the prices taken, of closing prices and of signals, as charts with the figures behind them. */

import type { Interval } from '../../research/chance/bootstrap.ts';
import type { NotKnown } from '../../research/figure/not-known.ts';
import type { Calibration, CalibrationBand } from '../../research/run/calibration.ts';
import type { PriceCalibration } from '../../research/run/price-calibration.ts';
import type { ModelStatistics, RunStatistics } from '../../result/statistics.ts';
import { amount, count, plural } from '../../words/numbers.ts';
import { spreadText } from '../text/statistics-words.ts';
import { type CalibrationSeries, calibrationChart, calibrationLegend, ENOUGH } from './calibration-chart.ts';
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
    { name: 'backs', mark: 'dot', tone: 'back', bands: bandsOf(backs) },
    { name: 'lays', mark: 'square', tone: 'lay', bands: bandsOf(lays) },
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
