/** The report of a sweep: how much of its best trial is luck, the surface of its space, folds, and every trial. */

import { gzipSync } from 'node:zlib';
import {
  type FoldTable,
  type SweepFacts,
  type SweepFigure,
  type SweepTrial,
  sweepData,
} from '../../pages/report/sweep-facts.ts';
import { count, inUnit, plural } from '../../words/numbers.ts';
import { WITHOUT_SCRIPT } from './html-sections.ts';
import { type Html, html } from './html-text.ts';
import { htmlPage, type PageCode } from './page.ts';

export function sweepPage(facts: SweepFacts, trials: readonly SweepTrial[], code: PageCode): string {
  const { name, version, objective, currency, strategies, headline, verdict, counted } = facts;
  const body = html`<main>
<header><p class="eyebrow">oddsmith sweep</p><h1>${name}</h1>
<p class="facts"><span>${strategies.join(', ')}</span><span>${objective}</span><span>${plural(facts.trials, 'trial')}</span>${currency === undefined ? undefined : html`<span>amounts in ${currency}</span>`}</p></header>
<section class="card verdict"><p class="headline">${headline}</p>${verdict.map((sentence) => html`<p>${sentence}</p>`)}
${counted.map((sentence) => html`<p class="soft small">${sentence}</p>`)}</section>
<section class="card"><h2>What the figures say</h2><div class="figures">${facts.figures.map(figureBlock)}</div></section>
<section class="card"><h2>Surface <span class="soft">${facts.value}</span></h2><div id="surface-place">${WITHOUT_SCRIPT}</div>
<details class="under"><summary>Each key by itself</summary>${surfaceTable(facts)}</details></section>
${facts.folds && foldTable(facts.folds)}
<section class="card"><h2>Trials <span class="soft">${count(facts.trials)}</span></h2><div id="trials-place">${WITHOUT_SCRIPT}</div></section>
<footer><p>oddsmith ${version}</p></footer></main>`;
  const data = { data: gzipSync(sweepData(facts, trials), { level: 9 }).toString('base64') };
  return htmlPage({ title: `${name} – oddsmith sweep`, code, body, data, from: 'file' }).html;
}

function figureBlock({ name, value, says, doesNotSay }: SweepFigure): Html {
  return html`<div><h3>${name}</h3><p>${value}</p>${doesNotSay === '' ? undefined : html`<details><summary>What this says and does not say</summary><p>${says}</p><p>${doesNotSay}</p></details>`}</div>`;
}

function surfaceTable({ surface, unit }: SweepFacts): Html {
  return html`<div class="sideways" tabindex="0"><table class="plain"><thead><tr><th scope="col">Key and value</th><th scope="col">Trials</th><th scope="col">Best</th><th scope="col">Median</th></tr></thead>${surface.map(
    ({ key, effect, values }) =>
      html`<tbody><tr><th colspan="4" class="group" scope="rowgroup">${key} <span class="soft">explains ${(effect * 100).toFixed(0)} % of the differences</span></th></tr>${values.map(({ value, trials, best, median }) => html`<tr><td>${value}</td><td>${count(trials)}</td><td>${inUnit(best, unit)}</td><td>${inUnit(median, unit)}</td></tr>`)}</tbody>`,
  )}</table></div>`;
}

function foldTable({ head, rows, doesNotSay }: FoldTable): Html {
  return html`<section class="card"><h2>Folds</h2><p class="soft small">The best trial in sample of each fold, and its figures out of sample. ${doesNotSay}</p><div class="sideways" tabindex="0"><table class="plain" id="folds"><thead><tr>${head.map((word) => html`<th scope="col">${word}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div></section>`;
}
