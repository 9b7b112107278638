/** The page of two runs beside each other. */

import type { ReportFacts } from '../../pages/report/report-facts.ts';
import { marketLabel } from '../../words/market-label.ts';
import { amount, count, percent, plural, signed, tone } from '../../words/numbers.ts';
import { type Comparison, comparisonInWords } from '../comparison.ts';
import { type Html, html } from './html-text.ts';
import { htmlPage } from './page.ts';

/** A run with where it lies. */
export interface ComparedRun {
  readonly directory: string;
  readonly facts: ReportFacts;
}

const MARKETS_SHOWN = 200;

/** `style`: the style sheet of the pages. The page has no script. */
export function comparisonPage(
  runs: readonly [ComparedRun, ComparedRun],
  comparison: Comparison,
  style: string,
): string {
  const [first, second] = runs;
  const { currency } = first.facts.result;
  const [money = '', ...others] = comparisonInWords(comparison, currency);
  const body = html`<main>
<header><p class="eyebrow">oddsmith comparison</p><h1>${namesOf(first)} and ${namesOf(second)}</h1></header>
<section class="card first"><p class="headline"><b class="${tone(comparison.difference)}">${money}</b> ${others.join(' ')}</p></section>
<section class="card"><h2>Figures <span class="soft">${currency}</span></h2><div class="sideways" tabindex="0"><table class="plain wrapped"><thead><tr><th scope="col">Figure</th><th scope="col">First</th><th scope="col">Second</th></tr></thead><tbody>${figureRows(first.facts, second.facts)}</tbody></table></div></section>
<section class="card"><h2>By market <span class="soft">${count(comparison.markets.length)}, net, central fills, the largest differences first</span></h2>${marketTable(comparison)}</section>
<section class="card"><h2>What differs</h2>${settingsTable(first, second)}</section>
<footer><p>oddsmith ${second.facts.result.version}</p></footer></main>`;
  const title = `${namesOf(first)} and ${namesOf(second)} – oddsmith comparison`;
  return htmlPage({ title, code: { script: '', style }, body, data: {}, from: 'file' }).html;
}

function namesOf({ facts }: ComparedRun): string {
  return facts.result.strategies.map(({ name }) => name).join(', ');
}

interface FigureOf {
  readonly label: string;
  readonly text: (facts: ReportFacts) => string;
  /** The number that is a profit. */
  readonly value?: (facts: ReportFacts) => number;
}

const FIGURES: readonly FigureOf[] = [
  net('Net profit, central', 'central'),
  net('pessimistic', 'pessimistic'),
  net('optimistic', 'optimistic'),
  {
    label: 'Net yield',
    text: ({ result, settledStake }) =>
      settledStake.central === 0 ? '–' : percent(result.total.central.profitNet / settledStake.central),
  },
  { label: 'Net profit per event, 95 %', text: ({ result }) => perEventText(result.statistics) },
  { label: 'Stake matched', text: ({ result }) => amount(result.total.central.stakeMatched) },
  { label: 'Commission', text: ({ result }) => amount(result.total.central.commission) },
  { label: 'Orders sent', text: ({ result }) => count(result.orders.sent) },
  { label: 'Matched in full', text: ({ result }) => count(result.orders.matchedFully) },
  { label: 'Refused', text: ({ result }) => count(result.orders.refused) },
  { label: 'Markets', text: ({ markets }) => count(markets) },
];

function net(label: string, bound: 'pessimistic' | 'central' | 'optimistic'): FigureOf {
  const value = ({ result }: ReportFacts): number => result.total[bound].profitNet;
  return { label, value, text: (facts) => signed(value(facts)) };
}

function perEventText(statistics: ReportFacts['result']['statistics']): string {
  const figure = statistics?.profitPerEvent.central;
  if (figure === undefined || figure.kind === 'notKnown') return '–';
  return `${signed(figure.estimate)} (${signed(figure.low)} … ${signed(figure.high)})`;
}

function figureRows(first: ReportFacts, second: ReportFacts): readonly Html[] {
  return FIGURES.map(
    ({ label, text, value }) =>
      html`<tr><td>${label}</td>${[first, second].map((facts) => html`<td class="${value === undefined ? '' : tone(value(facts))}">${text(facts)}</td>`)}</tr>`,
  );
}

function marketTable({ markets }: Comparison): Html {
  const shown = markets.slice(0, MARKETS_SHOWN);
  const cell = (value: number | undefined): Html =>
    value === undefined ? html`<td>–</td>` : html`<td class="${tone(value)}">${signed(value)}</td>`;
  const rows = shown.map(
    ({ market, first, second, difference }) =>
      html`<tr><td>${marketLabel(market)}</td>${cell(first)}${cell(second)}${cell(difference)}</tr>`,
  );
  const rest = markets.length - shown.length;
  return html`<div class="sideways" tabindex="0"><table class="plain wrapped" id="compared"><thead><tr><th scope="col">Market</th><th scope="col">First</th><th scope="col">Second</th><th scope="col">Difference</th></tr></thead><tbody>${rows}</tbody></table></div>${rest === 0 ? undefined : html`<p class="soft small">And ${plural(rest, 'market')} with smaller differences.</p>`}`;
}

/** Settings, strategies and params of each run, as far as they are not the same. */
function settingsTable(first: ComparedRun, second: ComparedRun): Html {
  const [one, other] = [settingsOf(first), settingsOf(second)];
  const names = [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
  const rows = names.map(
    (name) => html`<tr><td>${name}</td><td>${one.get(name) ?? '–'}</td><td>${other.get(name) ?? '–'}</td></tr>`,
  );
  return html`<div class="sideways" tabindex="0"><table class="plain wrapped" id="settings"><thead><tr><th scope="col">Setting</th><th scope="col">First</th><th scope="col">Second</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function settingsOf({ directory, facts: { result } }: ComparedRun): ReadonlyMap<string, string> {
  const params = result.strategies.flatMap(({ name, params: values, durations = {} }) =>
    Object.entries({ ...values, ...durations }).map(
      ([key, value]) => [`${name}: ${key}`, typeof value === 'string' ? value : JSON.stringify(value)] as const,
    ),
  );
  return new Map([
    ['directory', directory],
    ['version', result.version],
    ['seed', String(result.seed)],
    ['tapes', result.tapes.map(({ sha256 }) => sha256.slice(0, 12)).join(', ')],
    ['strategies', result.strategies.map(({ name }) => name).join(', ')],
    ...params,
    ...result.settings.map(({ name, value }) => [name, value] as const),
  ]);
}
