/** The HTML report of a backtest: one file, no request to anywhere. */

import type { BacktestResult } from '../result.ts';
import { chartData } from './chart-data.ts';
import { markets } from './html-markets.ts';
import { proof } from './html-proof.ts';
import * as rows from './html-rows.ts';
import { REPORT_SCRIPT } from './html-script.ts';
import * as section from './html-sections.ts';
import { luckAndSkill } from './html-statistics.ts';
import { REPORT_STYLE } from './html-style.ts';
import { html, jsonInScript, trusted } from './html-text.ts';

/** The chart library's own files as text (uplot's dist/uPlot.iife.min.js and dist/uPlot.min.css). */
export interface ChartLibrary {
  readonly script: string;
  readonly style: string;
}

/** The whole document. Names in the result are escaped wherever they stand. */
export function htmlReport(result: BacktestResult, chart: ChartLibrary): string {
  const title = result.strategies.map((strategy) => strategy.name).join(', ');
  const page = html`<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<title>${title} – oddsmith backtest</title>
<style>${trusted(chart.style)}${trusted(REPORT_STYLE)}</style></head>
<body><main>
${section.header(result)}
${section.hero(result)}
${section.tiles(result)}
${section.curve(result)}
${luckAndSkill(result)}
${markets(result)}
<div class="pair">${section.orderFlow(result)}${section.basis(result)}</div>
${rows.orders(result)}
${rows.fills(result)}
${proof(result)}
${section.leftOut(result)}
${section.footer(result)}
</main>
<script type="application/json" id="curve">${jsonInScript(chartData(result.curve))}</script>
<script>${trusted(chart.script)}</script>
<script>${trusted(REPORT_SCRIPT)}</script>
</body></html>
`;
  return page.html;
}
