/** The HTML report of a backtest: one file, no request to anywhere. */

import { gzipSync } from 'node:zlib';
import { reportData } from '../page/report-data.ts';
import type { BacktestResult } from '../result.ts';
import { proof } from './html-proof.ts';
import * as rows from './html-rows.ts';
import * as section from './html-sections.ts';
import { luckAndSkill } from './html-statistics.ts';
import { html } from './html-text.ts';
import { htmlPage, type PageCode } from './page.ts';

/** The whole document. Names in the result are escaped wherever they stand. */
export function htmlReport(backtest: BacktestResult, code: PageCode): string {
  const { facts, bytes } = reportData(backtest);
  const { result } = facts;
  const title = result.strategies.map((strategy) => strategy.name).join(', ');
  const body = html`<main>
${section.header(facts)}
${section.hero(result)}
${section.tiles(result)}
${section.curve(facts)}
${luckAndSkill(result)}
${section.markets(facts)}
<div class="pair">${section.orderFlow(result)}${section.basis(facts)}</div>
${rows.orders(backtest)}
${rows.fills(backtest)}
${proof(result)}
${section.leftOut(result)}
${section.footer(result)}
</main>`;
  const data = { data: gzipSync(bytes, { level: 9 }).toString('base64') };
  return htmlPage({ title: `${title} – oddsmith backtest`, code, body, data, from: 'file' }).html;
}
